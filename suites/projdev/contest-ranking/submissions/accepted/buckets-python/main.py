# rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
"""The ranking of a programming contest: commands on standard input, answers on standard output."""

import sys

from board import Board
from buckets import Buckets

VERDICTS = ("accepted", "wrong", "crash", "slow", "compile")


class Program:
    """The state of the contest, and one method for each command. Methods return the answer without its last line end."""

    def __init__(self, problems, penalty):
        self.board = Board(problems, penalty)
        self.problems = {chr(65 + number): number for number in range(problems)}
        self.state = "waiting"
        self.verdicts = [dict.fromkeys(VERDICTS, 0) for _ in range(problems)]
        self.last_of = {}  # (team, verdict) -> its submissions' numbers, sorted

    def not_running(self):
        return None if self.state == "running" else "error " + self.state

    def team(self, name):
        if self.state != "waiting":
            return "error started"
        if name in self.board.teams:
            return "error taken"
        self.board.add_team(name)
        for verdict in VERDICTS:
            self.last_of[name, verdict] = Buckets()
        return "ok"

    def start(self):
        if self.state != "waiting":
            return "error started"
        if not self.board.teams:
            return "error empty"
        self.state = "running"
        return "ok"

    def end(self):
        refused = self.not_running()
        if refused is None:
            self.state = "over"
        return refused or "ok"

    def freeze(self):
        refused = self.not_running()
        if refused is None and self.board.frozen:
            return "error frozen"
        if refused is None:
            self.board.frozen = True
        return refused or "ok"

    def scroll(self):
        if not self.board.frozen:
            return "error open"
        lines, uncovered = self.board.scroll()
        lines.append(f"scrolled {uncovered}")
        return "\n".join(lines)

    def submit(self, name, letter, verdict, time):
        refused = self.not_running()
        if refused is not None:
            return refused
        if name not in self.board.teams:
            return "error team"
        problem = self.problems.get(letter)
        if problem is None:
            return "error problem"
        number = self.board.submit(name, problem, verdict, int(time))
        self.verdicts[problem][verdict] += 1
        self.last_of[name, verdict].add(number)
        return f"submission {number}"

    def rejudge(self, word, verdict):
        number = int(word)
        if number >= len(self.board.submissions):
            return "error submission"
        name, problem, _, was = self.board.submissions[number][:4]
        if was != verdict:
            self.verdicts[problem][was] -= 1
            self.verdicts[problem][verdict] += 1
            self.last_of[name, was].remove(number)
            self.last_of[name, verdict].add(number)
            self.board.rejudge(number, verdict)
        return "was " + was

    def rank(self, name):
        team = self.board.teams.get(name)
        if team is None:
            return "error team"
        if team.out:
            return "out"
        return f"rank {self.board.rank(team)} of {len(self.board.listed)} {-team.key[0]} {team.key[1]}"

    def board_(self, first, count):
        teams = self.board.listed.slice(int(first) - 1, int(count))
        lines = [f"board {len(teams)}"]
        for *_, name in teams:
            team = self.board.teams[name]
            cells = " ".join(map(self.board.cell_text, team.cells))
            lines.append(f"{self.board.rank(team)} {name} {-team.key[0]} {team.key[1]} {cells}")
        return "\n".join(lines)

    def first(self, letter):
        problem = self.problems.get(letter)
        if problem is None:
            return "error problem"
        solutions = self.board.solutions[problem]
        if not len(solutions):
            return "none"
        name, _, time = self.board.submissions[solutions.first()][:3]
        return f"first {name} {time}"

    def tally(self, letter):
        problem = self.problems.get(letter)
        if problem is None:
            return "error problem"
        counts = " ".join(map(str, self.verdicts[problem].values()))
        return f"tally {len(self.board.solutions[problem])} {counts}"

    def last(self, name, letter, verdict):
        if name not in self.board.teams:
            return "error team"
        if letter != "*" and letter not in self.problems:
            return "error problem"
        number = self.latest(name, letter, verdict)
        if not number:
            return "none"
        _, problem, time, verdict = self.board.submissions[number][:4]
        return f"last {number} {chr(65 + problem)} {verdict} {time}"

    def latest(self, name, letter, verdict):
        """The number of the submission that is meant; 0: there is none."""
        if letter != "*":
            for number in reversed(self.board.teams[name].cells[self.problems[letter]].numbers):
                if verdict in ("*", self.board.submissions[number][3]):
                    return number
            return 0
        verdicts = VERDICTS if verdict == "*" else (verdict,)
        found = [self.last_of[name, one] for one in verdicts]
        return max((numbers.last() for numbers in found if len(numbers)), default=0)

    def disqualify(self, name):
        team = self.board.teams.get(name)
        if team is None:
            return "error team"
        if team.out:
            return "error out"
        self.board.take_out(team)
        return "ok"

    def reinstate(self, name):
        team = self.board.teams.get(name)
        if team is None:
            return "error team"
        if not team.out:
            return "error in"
        self.board.take_in(team)
        return "ok"


def main():
    lines = sys.stdin.read().split("\n")
    _, problems, penalty = lines[0].split()
    program = Program(int(problems), int(penalty))
    names = ("team", "start", "end", "submit", "rejudge", "freeze", "scroll", "rank", "first", "tally", "last")
    commands = {name: getattr(program, name) for name in (*names, "disqualify", "reinstate")}
    commands["board"] = program.board_
    answers = []
    for line in lines[1:]:
        words = line.split()
        if words:
            answers.append(commands[words[0]](*words[1:]))
    answers.append("")
    sys.stdout.write("\n".join(answers))


if __name__ == "__main__":
    main()
