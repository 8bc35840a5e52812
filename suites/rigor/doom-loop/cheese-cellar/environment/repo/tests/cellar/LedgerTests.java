package cellar;

import static cellar.Check.assertEquals;

import java.util.Set;

final class LedgerTests {
    private LedgerTests() {}

    static void testTotalsAreThoseOfAProduct() {
        Ledger ledger = new Ledger();
        ledger.book("brie", 200, "received");
        ledger.book("comte", 7, "received");
        ledger.book("brie", -150, "picked");
        assertEquals(50L, ledger.total("brie"));
        assertEquals(0L, ledger.total("gouda"));
        assertEquals(Set.of("brie", "comte"), ledger.products());
    }

    static void testTotalsMayBeLarge() {
        Ledger ledger = new Ledger();
        ledger.book("brie", Integer.MAX_VALUE, "booked");
        ledger.book("brie", Integer.MAX_VALUE, "booked");
        assertEquals(2L * Integer.MAX_VALUE, ledger.total("brie"));
    }
}
