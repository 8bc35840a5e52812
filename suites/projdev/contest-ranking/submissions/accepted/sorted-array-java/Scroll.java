// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;

/** A scroll: covered cells are uncovered one by one, each of the team that is listed last among those that have one. */
final class Scroll {
    /** A team passed others; old and now are its ranks. */
    record Step(Team team, int problem, int old, int now, Team passed) { }

    final List<Step> steps = new ArrayList<>();
    int uncovered;
    private final Contest contest;

    Scroll(Contest contest, List<Submission> hidden) {
        this.contest = contest;
        Set<Team> teams = new HashSet<>();
        for (Submission made : hidden) {
            if (!made.team.disqualified && made.team.firstCovered() >= 0) {
                teams.add(made.team);
            }
        }
        PriorityQueue<Team> waiting = new PriorityQueue<>(Collections.reverseOrder());
        waiting.addAll(teams);
        // Only the score of the team that was taken out changes, so that the queue stays in order.
        for (Team team = waiting.poll(); team != null; team = waiting.poll()) {
            uncover(team, team.firstCovered());
            if (team.firstCovered() >= 0) {
                waiting.add(team);
            }
        }
        for (Submission made : hidden) {
            if (made.hidden) {
                contest.uncover(made.team, made.problem);
            }
        }
    }

    private void uncover(Team team, int problem) {
        Listing listing = contest.listing;
        Score before = team.score;
        int place = listing.place(team);
        int rank = listing.rank(before);
        contest.uncover(team, problem);
        uncovered++;
        if (team.score.equals(before)) {
            return;
        }
        int now = listing.place(team);
        if (now < place) {
            steps.add(new Step(team, problem, rank, listing.rank(team.score), listing.at(now + 1)));
        }
    }
}
