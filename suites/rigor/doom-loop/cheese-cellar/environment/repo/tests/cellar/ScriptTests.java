package cellar;

import static cellar.Check.assertEquals;
import static cellar.Check.error;
import static cellar.Check.run;

import java.util.List;

final class ScriptTests {
    private ScriptTests() {}

    static void testCountingIsBooked() {
        assertEquals(
                List.of("a A1 20 2024-06-01", "audit: all agree"),
                run("receive a brie A1 12 2024-06-01", "count a 20", "list brie", "audit"));
    }

    static void testALotWithoutWheelsIsGone() {
        assertEquals(
                List.of("audit: all agree", "a B1 4 2024-06-08"),
                run("receive a brie A1 12 2024-06-01", "count a 0", "audit", "receive a brie B1 4 2024-06-08",
                        "list brie"));
    }

    static void testWheelsComeBack() {
        assertEquals(
                List.of("pick brie 2: a 2", "a A1 11 2024-06-01", "audit: all agree"),
                run("receive a brie A1 12 2024-06-01", "pick brie 2", "return a 1", "list brie", "audit"));
    }

    static void testLotsAreMerged() {
        assertEquals(
                List.of("b A2 17 2024-06-01", "audit: all agree"),
                run("receive b brie A2 5 2024-06-03", "receive a brie A1 12 2024-06-01", "merge a b",
                        "list brie", "audit"));
    }

    static void testRelabelAndMove() {
        assertEquals(
                List.of("b A2 5 2024-06-03", "a C7 12 2024-07-01"),
                run("receive a brie A1 12 2024-06-01", "receive b brie A2 5 2024-06-03",
                        "relabel a 2024-07-01", "move a C7",
                        "list brie"));
    }

    static void testTheAuditNamesADifference() {
        assertEquals(
                List.of("audit: brie: 9 in the cellar, 12 in the ledger; is an entry of the ledger missing?"),
                run("receive a brie A1 9 2024-06-01", "receive c comte A1 4 2024-06-01", "book brie 3",
                        "discard c", "audit"));
    }

    static void testErrorsNameTheLine() {
        assertEquals("line 3: there is no lot x", error("# a comment", "", "count x 3"));
        assertEquals("line 1: there is no command eat", error("eat brie 3"));
        assertEquals("line 1: pick takes 2 words, not 1", error("pick brie"));
        assertEquals("line 1: 0 is no quantity", error("pick brie 0"));
        assertEquals("line 1: June is no date", error("receive a brie A1 9 June"));
        assertEquals("line 2: a is there already", error("receive a brie A1 9 2024-06-01",
                        "receive a brie A1 9 2024-06-01"));
        assertEquals("line 3: a is brie, c is comte",
                error("receive a brie A1 9 2024-06-01", "receive c comte A1 9 2024-06-01", "merge a c"));
    }
}
