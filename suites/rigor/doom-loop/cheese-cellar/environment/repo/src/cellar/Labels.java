package cellar;

import java.time.LocalDate;

/** What is written on a lot: where it lies, and how long it keeps. */
public final class Labels {
    private final Shelves shelves;

    public Labels(Shelves shelves) {
        this.shelves = shelves;
    }

    /** A new best-before date. */
    public void relabel(String name, LocalDate bestBefore) {
        Lot lot = shelves.lot(name);
        lot.setBestBefore(bestBefore);
        shelves.sortIn(lot);
    }

    /** To another shelf. */
    public void move(String name, String shelf) {
        shelves.lot(name).setShelf(shelf);
    }
}
