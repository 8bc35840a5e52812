package cellar;

import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Carries out the commands of a script. */
public final class Script {
    // How many words a command has, itself included.
    private static final Map<String, Integer> WORDS = Map.ofEntries(
            Map.entry("receive", 6), Map.entry("pick", 3), Map.entry("count", 3), Map.entry("return", 3),
            Map.entry("relabel", 3), Map.entry("merge", 3), Map.entry("move", 3), Map.entry("discard", 2),
            Map.entry("list", 2), Map.entry("book", 3), Map.entry("audit", 1));

    private static final int MOST = 1_000_000;

    private final Shelves shelves = new Shelves();
    private final Ledger ledger = new Ledger();
    private final Picker picker = new Picker(shelves, ledger);
    private final StockTaking stockTaking = new StockTaking(shelves, ledger);
    private final Returns returns = new Returns(shelves, ledger);
    private final Labels labels = new Labels(shelves);
    private final Audit audit = new Audit(shelves, ledger);
    private final Consumer<String> output;

    public Script(Consumer<String> output) {
        this.output = output;
    }

    /** Carry out all lines; an error names the line. */
    public void run(List<String> lines) {
        int number = 0;
        for (String line : lines) {
            number++;
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            try {
                command(line.strip().split("\\s+"));
            } catch (CellarException error) {
                throw new CellarException("line " + number + ": " + error.getMessage());
            }
        }
    }

    private void command(String[] words) {
        Integer count = WORDS.get(words[0]);
        if (count == null || count != words.length) {
            throw new CellarException(count == null
                    ? "there is no command " + words[0]
                    : words[0] + " takes " + (count - 1) + " words, not " + (words.length - 1));
        }
        switch (words[0]) {
            case "receive" -> receive(words);
            case "pick" -> output.accept("pick " + words[1] + " " + words[2] + ": "
                    + String.join(", ", picker.pick(words[1], quantity(words[2], 1))));
            case "count" -> stockTaking.count(words[1], quantity(words[2], 0));
            case "return" -> returns.bringBack(words[1], quantity(words[2], 1));
            case "relabel" -> labels.relabel(words[1], date(words[2]));
            case "merge" -> returns.merge(words[1], words[2]);
            case "move" -> labels.move(words[1], words[2]);
            case "discard" -> stockTaking.discard(words[1]);
            case "list" -> shelves.of(words[1]).forEach(lot -> output.accept(lot.toString()));
            case "book" -> ledger.book(words[1], quantity(words[2], -MOST), "booked");
            default -> audit.lines().forEach(output);
        }
    }

    private void receive(String[] words) {
        Lot lot = new Lot(words[1], words[2], words[3], quantity(words[4], 1), date(words[5]));
        shelves.put(lot);
        ledger.book(lot.product(), lot.quantity(), "received");
    }

    private static int quantity(String word, int least) {
        try {
            int quantity = Integer.parseInt(word);
            if (quantity >= least && quantity <= MOST) {
                return quantity;
            }
        } catch (NumberFormatException error) {
            // Said below.
        }
        throw new CellarException(word + " is no quantity");
    }

    private static LocalDate date(String word) {
        try {
            return LocalDate.parse(word);
        } catch (DateTimeParseException error) {
            throw new CellarException(word + " is no date");
        }
    }
}
