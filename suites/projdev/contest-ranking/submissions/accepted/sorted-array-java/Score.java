// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc

/** What decides the rank; the best comes first. */
record Score(int solved, long penalty, int last) implements Comparable<Score> {
    static final Score NOTHING = new Score(0, 0, 0);

    Score plus(int time, long cost) {
        return new Score(solved + 1, penalty + time + cost, Math.max(last, time));
    }

    @Override
    public int compareTo(Score other) {
        if (solved != other.solved) {
            return Integer.compare(other.solved, solved);
        }
        if (penalty != other.penalty) {
            return Long.compare(penalty, other.penalty);
        }
        return Integer.compare(last, other.last);
    }
}
