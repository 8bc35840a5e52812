package cellar;

import static cellar.Check.assertEquals;
import static cellar.Check.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the cellar and the office have reported. */
final class ReportedTests {
    private ReportedTests() {}

    static void testTheScriptOfJune() throws IOException {
        List<String> printed = run(Files.readAllLines(Path.of("examples/june.txt")).toArray(String[]::new));
        assertEquals("audit: all agree", printed.get(printed.size() - 1));
    }

    static void testTheNextLotAfterAReturn() {
        assertEquals(
                List.of("pick brie 6: b 5, a 1", "a A1 11 2024-06-01", "audit: all agree"),
                run("receive a brie A1 3 2024-06-01", "receive b brie A2 5 2024-06-01", "return a 9", "pick brie 6",
                        "list brie", "audit"));
    }

    static void testTheNextLotAfterMerging() {
        assertEquals(
                List.of("pick brie 4: b 4", "b A2 13 2024-05-01", "c A3 2 2024-06-02", "audit: all agree"),
                run("receive a brie A1 12 2024-05-01", "receive b brie A2 5 2024-06-09",
                        "receive c brie A3 2 2024-06-02", "merge a b", "pick brie 4", "list brie", "audit"));
    }

    static void testFewWheelsGoFirst() {
        assertEquals(
                List.of("pick brie 7: z 2, a 5"),
                run("receive a brie A1 9 2024-06-01", "receive z brie A2 2 2024-06-01", "pick brie 7"));
    }

    static void testADiscardedLotIsNotInTheAudit() {
        assertEquals(
                List.of("b A2 4 2024-06-01", "audit: brie: 4 in the cellar, 5 in the ledger; is an entry of the ledger "
                        + "missing?"),
                run("receive a brie A1 9 2024-06-01", "receive b brie A2 4 2024-06-01", "discard a", "book brie 1",
                        "list brie", "audit"));
    }
}
