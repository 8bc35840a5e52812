// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The rules of the contest. Methods throw {@link Refused} before they change anything. */
final class Contest {
    private enum State {
        WAITING,
        RUNNING,
        OVER
    }

    /** A problem: its solutions by ranked teams, and how many submissions of all teams have each verdict. */
    record Problem(TreeSet<Submission> solutions, int[] submitted) { }

    final Listing listing = new Listing();
    private final long penalty;
    private final List<Problem> problems = new ArrayList<>();
    private final Map<String, Team> teams = new HashMap<>();
    private final List<Submission> submissions = new ArrayList<>();
    private List<Submission> sinceFreeze = new ArrayList<>();
    private State state = State.WAITING;
    private boolean frozen;

    Contest(int count, long penalty) {
        this.penalty = penalty;
        for (int problem = 0; problem < count; problem++) {
            problems.add(new Problem(new TreeSet<>(), new int[Verdict.values().length]));
        }
    }

    Team team(String name) {
        Team team = teams.get(name);
        if (team == null) {
            throw new Refused("team");
        }
        return team;
    }

    Problem problem(String letter) {
        return problems.get(index(letter));
    }

    private int index(String letter) {
        int index = letter.charAt(0) - 'A';
        refuseIf(index >= problems.size(), "problem");
        return index;
    }

    private static void refuseIf(boolean condition, String reason) {
        if (condition) {
            throw new Refused(reason);
        }
    }

    private void mustRun() {
        refuseIf(state == State.WAITING, "waiting");
        refuseIf(state == State.OVER, "over");
    }

    void register(String name) {
        refuseIf(state != State.WAITING, "started");
        refuseIf(teams.containsKey(name), "taken");
        Team team = new Team(name, problems.size());
        teams.put(name, team);
        listing.add(team);
    }

    void start() {
        refuseIf(state != State.WAITING, "started");
        refuseIf(teams.isEmpty(), "empty");
        state = State.RUNNING;
    }

    void end() {
        mustRun();
        state = State.OVER;
    }

    void freeze() {
        mustRun();
        refuseIf(frozen, "frozen");
        frozen = true;
    }

    Scroll scroll() {
        refuseIf(!frozen, "open");
        Scroll scroll = new Scroll(this, sinceFreeze);
        sinceFreeze = new ArrayList<>();
        frozen = false;
        return scroll;
    }

    Submission submit(String name, String letter, Verdict verdict, int time) {
        mustRun();
        Team team = team(name);
        int problem = index(letter);
        Submission made = new Submission(submissions.size() + 1, team, problem, verdict, time, frozen);
        submissions.add(made);
        team.add(made);
        problems.get(problem).submitted[verdict.ordinal()]++;
        if (frozen) {
            sinceFreeze.add(made);
        }
        recount(team, problem);
        return made;
    }

    /** Returns the verdict before. */
    Verdict rejudge(int number, Verdict verdict) {
        refuseIf(number > submissions.size(), "submission");
        Submission made = submissions.get(number - 1);
        Verdict was = made.verdict;
        int[] submitted = problems.get(made.problem).submitted;
        submitted[was.ordinal()]--;
        submitted[verdict.ordinal()]++;
        made.team.change(made, verdict);
        recount(made.team, made.problem);
        return was;
    }

    void disqualify(String name) {
        Team team = team(name);
        refuseIf(team.disqualified, "out");
        listing.remove(team);
        team.disqualified = true;
        for (Cell cell : team.cells) {
            if (cell.solution != null) {
                problems.get(cell.solution.problem).solutions.remove(cell.solution);
            }
        }
    }

    void reinstate(String name) {
        Team team = team(name);
        refuseIf(!team.disqualified, "in");
        listing.add(team);
        team.disqualified = false;
        for (Cell cell : team.cells) {
            if (cell.solution != null) {
                problems.get(cell.solution.problem).solutions.add(cell.solution);
            }
        }
    }

    void uncover(Team team, int problem) {
        for (Submission made : team.cells[problem].made) {
            made.hidden = false;
        }
        recount(team, problem);
    }

    /** The latest submission of a kind, "*" meaning any; null: there is none. */
    Submission latest(String name, String letter, String word) {
        Team team = team(name);
        Verdict verdict = word.equals("*") ? null : Verdict.of(word);
        if (letter.equals("*")) {
            return verdict == null ? team.latest() : team.latest(verdict);
        }
        List<Submission> made = team.cells[index(letter)].made;
        for (int i = made.size() - 1; i >= 0; i--) {
            if (verdict == null || made.get(i).verdict == verdict) {
                return made.get(i);
            }
        }
        return null;
    }

    /** Brings a cell, the place of its team and the solutions of its problem up to date. */
    private void recount(Team team, int problem) {
        Cell cell = team.cells[problem];
        Submission before = cell.solution;
        cell.count();
        if (before == null && cell.solution == null) {
            return;
        }
        Score score = team.total(penalty);
        if (team.disqualified) {
            team.score = score;
            return;
        }
        if (!score.equals(team.score)) {
            listing.move(team, score);
        }
        if (before != cell.solution) {
            TreeSet<Submission> solutions = problems.get(problem).solutions;
            if (before != null) {
                solutions.remove(before);
            }
            if (cell.solution != null) {
                solutions.add(cell.solution);
            }
        }
    }
}
