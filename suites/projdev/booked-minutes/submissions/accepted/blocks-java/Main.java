// rigorbench-canary 0acfbf02-af4d-4026-9032-675bb485a582
// Booked minutes: beginnings and ends, each sorted, read side by side.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;

public class Main {
    private static long[] starts = new long[1024];
    private static long[] ends = new long[1024];
    private static int count = 0;

    private static void keep(long first, long end) {
        if (first == end) {
            return;
        }
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, 2 * count);
            ends = Arrays.copyOf(ends, 2 * count);
        }
        starts[count] = first;
        ends[count++] = end;
    }

    private static void many(String[] words) {
        long x = Long.parseLong(words[2]);
        long span = Long.parseLong(words[3]);
        long length = Long.parseLong(words[4]);
        for (int left = Integer.parseInt(words[1]); left > 0; left--) {
            x = x * 6364136223846793005L + 1442695040888963407L;
            long first = (x >>> 20) % span;
            x = x * 6364136223846793005L + 1442695040888963407L;
            keep(first, first + (x >>> 20) % length);
        }
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ");
            if (words[0].equals("many")) {
                many(words);
            } else {
                keep(Long.parseLong(words[0]), Long.parseLong(words[1]));
            }
        }
        Arrays.sort(starts, 0, count);
        Arrays.sort(ends, 0, count);
        long booked = 0, blocks = 0, gap = 0, begun = 0;
        for (int i = 0; i < count; i++) {
            if (i > 0 && ends[i - 1] >= starts[i]) {
                continue;
            }
            if (i > 0) {
                booked += ends[i - 1] - begun;
                gap = Math.max(gap, starts[i] - ends[i - 1]);
            }
            blocks++;
            begun = starts[i];
        }
        if (count > 0) {
            booked += ends[count - 1] - begun;
        }
        System.out.println("booked " + booked + "\nblocks " + blocks + "\ngap " + gap);
    }
}
