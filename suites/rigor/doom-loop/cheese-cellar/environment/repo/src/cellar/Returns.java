package cellar;

/** Wheels that come back, and lots that come together. */
public final class Returns {
    private final Shelves shelves;
    private final Ledger ledger;

    public Returns(Shelves shelves, Ledger ledger) {
        this.shelves = shelves;
        this.ledger = ledger;
    }

    /** A customer has brought wheels back. */
    public void bringBack(String name, int quantity) {
        Lot lot = shelves.lot(name);
        lot.setQuantity(Math.addExact(lot.quantity(), quantity));
        ledger.book(lot.product(), quantity, "returned");
    }

    /** All wheels of a lot go to another one; nothing is booked, as their number stays the same. */
    public void merge(String from, String to) {
        Lot source = shelves.lot(from);
        Lot target = shelves.lot(to);
        if (source == target) {
            throw new CellarException(from + " cannot be merged with itself");
        }
        if (!source.product().equals(target.product())) {
            throw new CellarException(from + " is " + source.product() + ", " + to + " is " + target.product());
        }
        target.setQuantity(Math.addExact(target.quantity(), source.quantity()));
        if (source.bestBefore().isBefore(target.bestBefore())) {
            target.setBestBefore(source.bestBefore());
        }
        shelves.remove(source);
    }
}
