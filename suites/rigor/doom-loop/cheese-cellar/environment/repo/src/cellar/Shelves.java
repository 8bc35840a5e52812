package cellar;

import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** All lots in the cellar, by name, and by product in the picking order. */
public final class Shelves {
    /** The earliest date first, then the fewest wheels, then the name. */
    private static final Comparator<Lot> PICKING_ORDER =
            Comparator.comparing(Lot::bestBefore).thenComparing(Lot::quantity).thenComparing(Lot::name);

    private final Map<String, Lot> lots = new HashMap<>();
    private final Map<String, TreeSet<Lot>> products = new TreeMap<>();

    /** Put a new lot on its shelf. */
    public void put(Lot lot) {
        if (lots.putIfAbsent(lot.name(), lot) != null) {
            throw new CellarException(lot.name() + " is there already");
        }
        products.computeIfAbsent(lot.product(), product -> new TreeSet<>(PICKING_ORDER)).add(lot);
    }

    /** The lot with this name. */
    public Lot lot(String name) {
        Lot lot = lots.get(name);
        if (lot == null) {
            throw new CellarException("there is no lot " + name);
        }
        return lot;
    }

    /** Take a lot off its shelf for good. */
    public void remove(Lot lot) {
        lots.remove(lot.name());
        products.get(lot.product()).remove(lot);
    }

    /** Find the place of a lot in the picking order again, after its date has changed. */
    public void sortIn(Lot lot) {
        SortedSet<Lot> others = products.get(lot.product());
        others.remove(lot);
        others.add(lot);
    }

    /** The lots of a product in the picking order. */
    public SortedSet<Lot> of(String product) {
        return Collections.unmodifiableSortedSet(products.getOrDefault(product, new TreeSet<>(PICKING_ORDER)));
    }

    /** The products that are or were in the cellar. */
    public Set<String> products() {
        return Collections.unmodifiableSet(products.keySet());
    }
}
