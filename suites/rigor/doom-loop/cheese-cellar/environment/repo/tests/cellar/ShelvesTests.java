package cellar;

import static cellar.Check.assertEquals;

import java.time.LocalDate;
import java.util.List;

final class ShelvesTests {
    private ShelvesTests() {}

    private static Lot lot(String name, int quantity, String date) {
        return new Lot(name, "brie", "A1", quantity, LocalDate.parse(date));
    }

    static void testLotsAreInThePickingOrder() {
        Shelves shelves = new Shelves();
        shelves.put(lot("late", 1, "2024-06-02"));
        shelves.put(lot("many", 9, "2024-06-01"));
        shelves.put(lot("b", 3, "2024-06-01"));
        shelves.put(lot("a", 3, "2024-06-01"));
        assertEquals(List.of("a", "b", "many", "late"), shelves.of("brie").stream().map(Lot::name).toList());
    }

    static void testALotIsFoundByItsName() {
        Shelves shelves = new Shelves();
        shelves.put(lot("a", 3, "2024-06-01"));
        assertEquals(3, shelves.lot("a").quantity());
        shelves.remove(shelves.lot("a"));
        assertEquals(0, shelves.of("brie").size());
    }

    static void testARelabelledLotIsSortedInAgain() {
        Shelves shelves = new Shelves();
        shelves.put(lot("a", 3, "2024-06-01"));
        shelves.put(lot("b", 3, "2024-06-02"));
        new Labels(shelves).relabel("a", LocalDate.parse("2024-06-03"));
        assertEquals("[b A1 3 2024-06-02, a A1 3 2024-06-03]", shelves.of("brie").toString());
    }
}
