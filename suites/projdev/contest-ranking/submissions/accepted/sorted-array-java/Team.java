// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A team; teams are compared by the order in which they are listed. */
final class Team implements Comparable<Team> {
    final String name;
    final Cell[] cells;
    final List<Submission> submissions = new ArrayList<>(0);
    private final Map<Verdict, BitSet> having = new EnumMap<>(Verdict.class); // indices of submissions
    Score score = Score.NOTHING;
    boolean disqualified;

    Team(String name, int problems) {
        this.name = name;
        cells = new Cell[problems];
        for (int problem = 0; problem < problems; problem++) {
            cells[problem] = new Cell();
        }
    }

    void add(Submission made) {
        submissions.add(made);
        cells[made.problem].made.add(made);
        having.computeIfAbsent(made.verdict, verdict -> new BitSet()).set(made.index);
    }

    void change(Submission made, Verdict verdict) {
        having.get(made.verdict).clear(made.index);
        made.verdict = verdict;
        having.computeIfAbsent(verdict, any -> new BitSet()).set(made.index);
    }

    /** The latest submission; null: there is none. */
    Submission latest() {
        return submissions.isEmpty() ? null : submissions.get(submissions.size() - 1);
    }

    /** The latest submission with a verdict; null: there is none. */
    Submission latest(Verdict verdict) {
        BitSet indices = having.get(verdict);
        return indices == null || indices.isEmpty() ? null : submissions.get(indices.length() - 1);
    }

    Score total(long penalty) {
        Score total = Score.NOTHING;
        for (Cell cell : cells) {
            if (cell.solution != null) {
                total = total.plus(cell.solution.time, penalty * cell.attempts);
            }
        }
        return total;
    }

    /** The problem of the first covered cell; -1: there is none. */
    int firstCovered() {
        for (int problem = 0; problem < cells.length; problem++) {
            if (cells[problem].covered()) {
                return problem;
            }
        }
        return -1;
    }

    @Override
    public int compareTo(Team other) {
        int better = score.compareTo(other.score);
        return better != 0 ? better : name.compareTo(other.name);
    }
}
