package cellar;

import java.util.ArrayList;
import java.util.List;

/** Picks wheels for the customers. */
public final class Picker {
    private final Shelves shelves;
    private final Ledger ledger;

    public Picker(Shelves shelves, Ledger ledger) {
        this.shelves = shelves;
        this.ledger = ledger;
    }

    /** Pick wheels in the picking order; from which lots, as "NAME QUANTITY". */
    public List<String> pick(String product, int wanted) {
        long there = 0;
        for (Lot lot : shelves.of(product)) {
            there += lot.quantity();
        }
        if (there < wanted) {
            throw new CellarException("only " + there + " of " + product + " in the cellar");
        }
        List<String> picked = new ArrayList<>();
        int left = wanted;
        for (Lot lot : List.copyOf(shelves.of(product))) {
            if (left == 0) {
                break;
            }
            int taken = Math.min(left, lot.quantity());
            lot.setQuantity(lot.quantity() - taken);
            if (lot.quantity() == 0) {
                shelves.remove(lot);
            }
            picked.add(lot.name() + " " + taken);
            left -= taken;
        }
        ledger.book(product, -wanted, "picked");
        return picked;
    }
}
