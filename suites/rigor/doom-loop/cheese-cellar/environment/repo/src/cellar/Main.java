package cellar;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The command line: the name of a script. */
public final class Main {
    private Main() {}

    public static void main(String[] words) throws IOException {
        if (words.length != 1) {
            System.err.println("usage: java -cp out cellar.Main SCRIPT");
            System.exit(2);
        }
        Path path = Path.of(words[0]);
        if (!Files.isRegularFile(path)) {
            System.err.println(path + ": no such file");
            System.exit(1);
        }
        try {
            new Script(System.out::println).run(Files.readAllLines(path));
        } catch (CellarException error) {
            System.err.println(error.getMessage());
            System.exit(1);
        }
    }
}
