// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc

/** A submission of a team; {@code index} counts those of this team. */
final class Submission implements Comparable<Submission> {
    final int number;
    final int index;
    final Team team;
    final int problem;
    final int time;
    Verdict verdict;
    boolean hidden;

    Submission(int number, Team team, int problem, Verdict verdict, int time, boolean hidden) {
        this.number = number;
        this.index = team.submissions.size();
        this.team = team;
        this.problem = problem;
        this.verdict = verdict;
        this.time = time;
        this.hidden = hidden;
    }

    @Override
    public int compareTo(Submission other) {
        return Integer.compare(number, other.number);
    }
}
