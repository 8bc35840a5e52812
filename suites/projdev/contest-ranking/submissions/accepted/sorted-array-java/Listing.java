// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
import java.util.Arrays;

/** The ranked teams from the best to the worst, in a sorted array. */
final class Listing {
    private Team[] teams = new Team[16];
    private int size;

    int size() {
        return size;
    }

    Team at(int place) {
        return teams[place];
    }

    /** How many teams are listed before this one. */
    int place(Team team) {
        return Arrays.binarySearch(teams, 0, size, team);
    }

    int rank(Score score) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (teams[middle].score.compareTo(score) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low + 1;
    }

    void add(Team team) {
        if (size == teams.length) {
            teams = Arrays.copyOf(teams, 2 * size);
        }
        int place = -1 - Arrays.binarySearch(teams, 0, size, team);
        System.arraycopy(teams, place, teams, place + 1, size - place);
        teams[place] = team;
        size++;
    }

    void remove(Team team) {
        int place = place(team);
        size--;
        System.arraycopy(teams, place + 1, teams, place, size - place);
        teams[size] = null;
    }

    /** Gives a listed team another score, and moves it to its new place. */
    void move(Team team, Score score) {
        int place = place(team);
        boolean up = score.compareTo(team.score) < 0;
        team.score = score;
        if (up) {
            int target = -1 - Arrays.binarySearch(teams, 0, place, team);
            System.arraycopy(teams, target, teams, target + 1, place - target);
            teams[target] = team;
        } else {
            int target = -2 - Arrays.binarySearch(teams, place + 1, size, team);
            System.arraycopy(teams, place + 1, teams, place, target - place);
            teams[target] = team;
        }
    }
}
