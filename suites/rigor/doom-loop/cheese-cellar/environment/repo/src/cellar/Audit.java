package cellar;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Compares what lies in the cellar with what was booked. */
public final class Audit {
    private final Shelves shelves;
    private final Ledger ledger;

    public Audit(Shelves shelves, Ledger ledger) {
        this.shelves = shelves;
        this.ledger = ledger;
    }

    /** A line for each product where they differ, or one that says that they agree. */
    public List<String> lines() {
        Set<String> products = new TreeSet<>(shelves.products());
        products.addAll(ledger.products());
        List<String> lines = new ArrayList<>();
        for (String product : products) {
            long there = 0;
            for (Lot lot : shelves.of(product)) {
                there += lot.quantity();
            }
            long booked = ledger.total(product);
            if (there != booked) {
                lines.add("audit: " + product + ": " + there + " in the cellar, " + booked
                        + " in the ledger; is an entry of the ledger missing?");
            }
        }
        return lines.isEmpty() ? List.of("audit: all agree") : lines;
    }
}
