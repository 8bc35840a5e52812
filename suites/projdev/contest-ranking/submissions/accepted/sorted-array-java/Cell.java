// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
import java.util.ArrayList;
import java.util.List;

/** The work of a team on one problem. {@code count} brings what it shows up to date. */
final class Cell {
    final List<Submission> made = new ArrayList<>(0);
    Submission solution; // null: not solved
    int attempts;
    private int hidden;

    void count() {
        solution = null;
        attempts = 0;
        hidden = 0;
        for (Submission one : made) {
            if (one.hidden) {
                hidden++;
            } else if (solution == null) {
                switch (one.verdict) {
                    case ACCEPTED -> solution = one;
                    case COMPILE -> { }
                    default -> attempts++;
                }
            }
        }
    }

    boolean covered() {
        return solution == null && hidden > 0;
    }

    @Override
    public String toString() {
        if (solution != null) {
            return "+" + attempts;
        }
        if (hidden > 0) {
            return "?" + attempts + "/" + hidden;
        }
        return attempts > 0 ? "-" + attempts : ".";
    }
}
