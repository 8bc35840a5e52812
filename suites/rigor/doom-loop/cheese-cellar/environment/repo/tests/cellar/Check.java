package cellar;

import java.util.ArrayList;
import java.util.List;

/** What tests have in common. */
final class Check {
    private Check() {}

    static void assertEquals(Object expected, Object found) {
        if (!expected.equals(found)) {
            throw new AssertionError("expected " + expected + ", found " + found);
        }
    }

    /** What a script prints. */
    static List<String> run(String... lines) {
        List<String> printed = new ArrayList<>();
        new Script(printed::add).run(List.of(lines));
        return printed;
    }

    /** The message with which a script stops. */
    static String error(String... lines) {
        try {
            run(lines);
        } catch (CellarException error) {
            return error.getMessage();
        }
        throw new AssertionError("no error");
    }
}
