package cellar;

import java.time.LocalDate;

/** Wheels of one product that came together. */
public final class Lot {
    private final String name;
    private final String product;
    private String shelf;
    private int quantity;
    private LocalDate bestBefore;

    public Lot(String name, String product, String shelf, int quantity, LocalDate bestBefore) {
        this.name = name;
        this.product = product;
        this.shelf = shelf;
        this.quantity = quantity;
        this.bestBefore = bestBefore;
    }

    public String name() {
        return name;
    }

    public String product() {
        return product;
    }

    public String shelf() {
        return shelf;
    }

    public int quantity() {
        return quantity;
    }

    public LocalDate bestBefore() {
        return bestBefore;
    }

    void setShelf(String shelf) {
        this.shelf = shelf;
    }

    void setQuantity(int quantity) {
        if (quantity < 0) {
            throw new CellarException(name + " has only " + this.quantity);
        }
        this.quantity = quantity;
    }

    void setBestBefore(LocalDate bestBefore) {
        this.bestBefore = bestBefore;
    }

    @Override
    public String toString() {
        return name + " " + shelf + " " + quantity + " " + bestBefore;
    }
}
