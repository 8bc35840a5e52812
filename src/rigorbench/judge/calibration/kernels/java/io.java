// Reading two numbers from each of many lines and writing one.
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.util.StringTokenizer;

public class Main {
    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        PrintWriter out = new PrintWriter(new BufferedWriter(new OutputStreamWriter(System.out)));
        String line;
        while ((line = in.readLine()) != null) {
            StringTokenizer words = new StringTokenizer(line);
            long a = Long.parseLong(words.nextToken()), b = Long.parseLong(words.nextToken());
            out.println(a + b);
        }
        out.flush();
    }
}
