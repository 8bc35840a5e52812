// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The ranking of a programming contest: commands on standard input, answers on standard output. */
public final class Main {
    private final Contest contest;
    private final StringBuilder out = new StringBuilder();

    private Main(Contest contest) {
        this.contest = contest;
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        String[] head = lines.readLine().split(" ");
        Main main = new Main(new Contest(Integer.parseInt(head[1]), Long.parseLong(head[2])));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (!line.isEmpty()) {
                main.answer(line.split(" "));
            }
        }
        PrintStream output = new PrintStream(System.out, false, StandardCharsets.US_ASCII);
        output.append(main.out).flush();
    }

    private void answer(String[] words) {
        try {
            carryOut(words);
        } catch (Refused refused) {
            out.append("error ").append(refused.getMessage()).append('\n');
        }
    }

    private void carryOut(String[] words) {
        switch (words[0]) {
            case "team" -> contest.register(words[1]);
            case "start" -> contest.start();
            case "end" -> contest.end();
            case "freeze" -> contest.freeze();
            case "disqualify" -> contest.disqualify(words[1]);
            case "reinstate" -> contest.reinstate(words[1]);
            default -> {
                ask(words);
                return;
            }
        }
        say("ok");
    }

    /** Commands with an answer of their own. */
    private void ask(String[] words) {
        switch (words[0]) {
            case "submit" -> {
                int time = Integer.parseInt(words[4]);
                say("submission", contest.submit(words[1], words[2], Verdict.of(words[3]), time).number);
            }
            case "rejudge" -> say("was", contest.rejudge(Integer.parseInt(words[1]), Verdict.of(words[2])));
            case "scroll" -> scroll();
            case "rank" -> rank(contest.team(words[1]));
            case "board" -> board(Integer.parseInt(words[1]) - 1, Integer.parseInt(words[2]));
            case "first" -> first(contest.problem(words[1]));
            case "tally" -> tally(contest.problem(words[1]));
            case "last" -> last(contest.latest(words[1], words[2], words[3]));
            default -> throw new IllegalArgumentException("no command: " + words[0]);
        }
    }

    private void scroll() {
        Scroll scroll = contest.scroll();
        for (Scroll.Step step : scroll.steps) {
            say(step.team().name, letter(step.problem()), step.old(), step.now(), step.passed().name);
        }
        say("scrolled", scroll.uncovered);
    }

    private void rank(Team team) {
        if (team.disqualified) {
            say("out");
            return;
        }
        Listing listing = contest.listing;
        say("rank", listing.rank(team.score), "of", listing.size(), team.score.solved(), team.score.penalty());
    }

    private void board(int first, int count) {
        Listing listing = contest.listing;
        int end = Math.max(first, Math.min(first + count, listing.size()));
        say("board", end - first);
        for (int place = first; place < end; place++) {
            Team team = listing.at(place);
            Score score = team.score;
            out.append(listing.rank(score)).append(' ').append(team.name).append(' ');
            out.append(score.solved()).append(' ').append(score.penalty()).append(' ');
            say((Object[]) team.cells);
        }
    }

    private void first(Contest.Problem problem) {
        if (problem.solutions().isEmpty()) {
            say("none");
        } else {
            Submission made = problem.solutions().first();
            say("first", made.team.name, made.time);
        }
    }

    private void tally(Contest.Problem problem) {
        out.append("tally ").append(problem.solutions().size());
        for (int count : problem.submitted()) {
            out.append(' ').append(count);
        }
        out.append('\n');
    }

    private void last(Submission made) {
        if (made == null) {
            say("none");
        } else {
            say("last", made.number, letter(made.problem), made.verdict, made.time);
        }
    }

    private static char letter(int problem) {
        return (char) ('A' + problem);
    }

    /** Writes words on a line. */
    private void say(Object... words) {
        for (int i = 0; i < words.length; i++) {
            if (i > 0) {
                out.append(' ');
            }
            out.append(words[i]);
        }
        out.append('\n');
    }
}
