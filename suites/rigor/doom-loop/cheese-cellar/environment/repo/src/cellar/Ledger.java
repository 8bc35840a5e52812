package cellar;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What was booked: every change of the number of wheels, with its reason. */
public final class Ledger {
    /** One change. */
    public record Entry(String product, int wheels, String reason) {}

    private final List<Entry> entries = new ArrayList<>();

    public void book(String product, int wheels, String reason) {
        if (wheels != 0) {
            entries.add(new Entry(product, wheels, reason));
        }
    }

    /** The wheels that should be there by what was booked. */
    public long total(String product) {
        long total = 0;
        for (Entry entry : entries) {
            if (entry.product().equals(product)) {
                total += entry.wheels();
            }
        }
        return total;
    }

    public Set<String> products() {
        Set<String> products = new TreeSet<>();
        for (Entry entry : entries) {
            products.add(entry.product());
        }
        return products;
    }
}
