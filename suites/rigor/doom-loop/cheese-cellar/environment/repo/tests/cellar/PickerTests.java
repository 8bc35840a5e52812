package cellar;

import static cellar.Check.assertEquals;
import static cellar.Check.error;
import static cellar.Check.run;

import java.util.List;

final class PickerTests {
    private PickerTests() {}

    static void testTheEarliestDateIsPickedFirst() {
        assertEquals(
                List.of("pick brie 7: old 5, new 2", "new A2 4 2024-06-09"),
                run("receive new brie A2 6 2024-06-09", "receive old brie A1 5 2024-06-01", "pick brie 7",
                        "list brie"));
    }

    static void testTheSmallestLotOfADateIsPickedFirst() {
        assertEquals(
                List.of("pick brie 3: few 2, many 1", "pick brie 1: many 1"),
                run("receive many brie A2 6 2024-06-01", "receive few brie A1 2 2024-06-01", "pick brie 3",
                        "pick brie 1"));
    }

    static void testMoreThanThereIs() {
        assertEquals("line 2: only 6 of brie in the cellar", error("receive a brie A2 6 2024-06-01", "pick brie 7"));
    }
}
