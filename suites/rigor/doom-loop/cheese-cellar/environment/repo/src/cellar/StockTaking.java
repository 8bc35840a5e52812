package cellar;

/** Puts right what the cellar is believed to hold. */
public final class StockTaking {
    private final Shelves shelves;
    private final Ledger ledger;

    public StockTaking(Shelves shelves, Ledger ledger) {
        this.shelves = shelves;
        this.ledger = ledger;
    }

    /** So many wheels of a lot are there. */
    public void count(String name, int quantity) {
        Lot lot = shelves.lot(name);
        ledger.book(lot.product(), quantity - lot.quantity(), "counted");
        lot.setQuantity(quantity);
        if (lot.quantity() == 0) {
            shelves.remove(lot);
        }
    }

    /** A lot is thrown away. */
    public void discard(String name) {
        Lot lot = shelves.lot(name);
        ledger.book(lot.product(), -lot.quantity(), "discarded");
        shelves.remove(lot);
    }
}
