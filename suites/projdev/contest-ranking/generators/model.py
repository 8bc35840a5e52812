# rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
"""The contest as the statement defines it: every cell is counted from its submissions each time one of them changes."""

from __future__ import annotations

from bisect import bisect_left, insort

VERDICTS = ("accepted", "wrong", "crash", "slow", "compile")


class Submission:
    def __init__(self, number: int, team: str, problem: str, verdict: str, time: int, hidden: bool) -> None:
        self.number, self.team, self.problem = number, team, problem
        self.verdict, self.time, self.hidden = verdict, time, hidden


class Cell:
    """What the board shows of a team's work on one problem."""

    def __init__(self) -> None:
        self.made: list[Submission] = []
        self.count()

    def count(self) -> None:
        self.wrong, self.hidden = 0, 0
        self.solution: Submission | None = None
        for one in self.made:
            if one.hidden:
                self.hidden += 1
            elif self.solution is None and one.verdict == "accepted":
                self.solution = one
            elif self.solution is None and one.verdict != "compile":
                self.wrong += 1

    @property
    def covered(self) -> bool:
        return self.solution is None and self.hidden > 0

    def text(self) -> str:
        if self.solution is not None:
            return f"+{self.wrong}"
        if self.hidden:
            return f"?{self.wrong}/{self.hidden}"
        return f"-{self.wrong}" if self.made and self.wrong else "."


class Contest:
    def __init__(self, problems: int, penalty: int) -> None:
        self.letters = [chr(ord("A") + number) for number in range(problems)]
        self.penalty = penalty
        self.state = "waiting"
        self.frozen = False
        self.teams: dict[str, dict[str, Cell]] = {}
        self.out: set[str] = set()
        self.keys: dict[str, tuple[int, int, int, str]] = {}
        self.order: list[tuple[int, int, int, str]] = []  # of the ranked teams
        self.submissions: list[Submission] = []
        self.verdicts = {letter: dict.fromkeys(VERDICTS, 0) for letter in self.letters}
        self.solutions: dict[str, list[int]] = {letter: [] for letter in self.letters}  # numbers, of ranked teams
        self.of_team: dict[str, list[Submission]] = {}
        self.hidden: list[Submission] = []

    # ------------------------------------------------------------------------------------------------------- order
    def key(self, name: str) -> tuple[int, int, int, str]:
        solved = [cell for cell in self.teams[name].values() if cell.solution is not None]
        times = [cell.solution.time for cell in solved if cell.solution is not None]
        return -len(solved), sum(times) + self.penalty * sum(cell.wrong for cell in solved), max(times, default=0), name

    def leave(self, name: str) -> None:
        del self.order[bisect_left(self.order, self.keys[name])]

    def count(self, name: str, letter: str) -> None:
        """The submissions of a cell have changed."""
        cell = self.teams[name][letter]
        before = cell.solution
        cell.count()
        if name not in self.out and before is not cell.solution:
            solutions = self.solutions[letter]
            if before is not None:
                del solutions[bisect_left(solutions, before.number)]
            if cell.solution is not None:
                insort(solutions, cell.solution.number)
        if before is None and cell.solution is None:
            return
        new = self.key(name)
        if new != self.keys[name]:
            if name not in self.out:
                self.leave(name)
                insort(self.order, new)
            self.keys[name] = new

    def rank(self, name: str) -> int:
        return 1 + bisect_left(self.order, (*self.keys[name][:3], ""))

    # ---------------------------------------------------------------------------------------------------- commands
    def team(self, name: str) -> list[str]:
        if self.state != "waiting":
            return ["error started"]
        if name in self.teams:
            return ["error taken"]
        self.teams[name] = {letter: Cell() for letter in self.letters}
        self.of_team[name] = []
        self.keys[name] = self.key(name)
        insort(self.order, self.keys[name])
        return ["ok"]

    def start(self) -> list[str]:
        if self.state != "waiting":
            return ["error started"]
        if not self.teams:
            return ["error empty"]
        self.state = "running"
        return ["ok"]

    def submit(self, name: str, problem: str, verdict: str, time: str) -> list[str]:
        if self.state != "running":
            return [f"error {self.state}"]
        if name not in self.teams:
            return ["error team"]
        if problem not in self.letters:
            return ["error problem"]
        made = Submission(len(self.submissions) + 1, name, problem, verdict, int(time), self.frozen)
        self.submissions.append(made)
        self.of_team[name].append(made)
        self.verdicts[problem][verdict] += 1
        if self.frozen:
            self.hidden.append(made)
        self.teams[name][problem].made.append(made)
        self.count(name, problem)
        return [f"submission {made.number}"]

    def rejudge(self, number: str, verdict: str) -> list[str]:
        if not 1 <= int(number) <= len(self.submissions):
            return ["error submission"]
        made = self.submissions[int(number) - 1]
        was, made.verdict = made.verdict, verdict
        self.verdicts[made.problem][was] -= 1
        self.verdicts[made.problem][verdict] += 1
        self.count(made.team, made.problem)
        return [f"was {was}"]

    def freeze(self) -> list[str]:
        if self.state != "running":
            return [f"error {self.state}"]
        if self.frozen:
            return ["error frozen"]
        self.frozen = True
        return ["ok"]

    def end(self) -> list[str]:
        if self.state != "running":
            return [f"error {self.state}"]
        self.state = "over"
        return ["ok"]

    def uncover(self, name: str, letter: str) -> None:
        for one in self.teams[name][letter].made:
            one.hidden = False
        self.count(name, letter)

    def scroll(self) -> list[str]:
        if not self.frozen:
            return ["error open"]
        lines, revealed = [], 0
        waiting = sorted({self.keys[one.team] for one in self.hidden if one.team not in self.out})
        while waiting:
            name = waiting.pop()[3]
            cells = [letter for letter in self.letters if self.teams[name][letter].covered]
            if not cells:
                continue
            before, place = self.rank(name), bisect_left(self.order, self.keys[name])
            self.uncover(name, cells[0])
            revealed += 1
            now = bisect_left(self.order, self.keys[name])
            if now < place:
                lines.append(f"{name} {cells[0]} {before} {self.rank(name)} {self.order[now + 1][3]}")
            insort(waiting, self.keys[name])
        for one in self.hidden:
            if one.hidden:
                self.uncover(one.team, one.problem)
        self.hidden.clear()
        self.frozen = False
        return [*lines, f"scrolled {revealed}"]

    def rank_of(self, name: str) -> list[str]:
        if name not in self.teams:
            return ["error team"]
        if name in self.out:
            return ["out"]
        solved, penalty, *_ = self.keys[name]
        return [f"rank {self.rank(name)} of {len(self.order)} {-solved} {penalty}"]

    def board(self, first: str, count: str) -> list[str]:
        shown = self.order[int(first) - 1 : int(first) - 1 + int(count)]
        lines = [f"board {len(shown)}"]
        for solved, penalty, _, name in shown:
            cells = " ".join(cell.text() for cell in self.teams[name].values())
            lines.append(f"{self.rank(name)} {name} {-solved} {penalty} {cells}")
        return lines

    def first(self, problem: str) -> list[str]:
        if problem not in self.letters:
            return ["error problem"]
        if not self.solutions[problem]:
            return ["none"]
        found = self.submissions[self.solutions[problem][0] - 1]
        return [f"first {found.team} {found.time}"]

    def tally(self, problem: str) -> list[str]:
        if problem not in self.letters:
            return ["error problem"]
        return [" ".join(map(str, ["tally", len(self.solutions[problem]), *self.verdicts[problem].values()]))]

    def last(self, name: str, problem: str, verdict: str) -> list[str]:
        if name not in self.teams:
            return ["error team"]
        if problem != "*" and problem not in self.letters:
            return ["error problem"]
        made = self.of_team[name] if problem == "*" else self.teams[name][problem].made
        for one in reversed(made):
            if verdict in ("*", one.verdict):
                return [f"last {one.number} {one.problem} {one.verdict} {one.time}"]
        return ["none"]

    def disqualify(self, name: str) -> list[str]:
        if name not in self.teams:
            return ["error team"]
        if name in self.out:
            return ["error out"]
        self.leave(name)
        for letter, cell in self.teams[name].items():
            if cell.solution is not None:
                self.solutions[letter].remove(cell.solution.number)
        self.out.add(name)
        return ["ok"]

    def reinstate(self, name: str) -> list[str]:
        if name not in self.teams:
            return ["error team"]
        if name not in self.out:
            return ["error in"]
        self.out.remove(name)
        insort(self.order, self.keys[name])
        for letter, cell in self.teams[name].items():
            if cell.solution is not None:
                insort(self.solutions[letter], cell.solution.number)
        return ["ok"]

    def answer(self, line: str) -> list[str]:
        command, *words = line.split()
        return getattr(self, {"rank": "rank_of"}.get(command, command))(*words)


def answers(lines: list[str]) -> list[str]:
    """The answers to a whole input."""
    _, problems, penalty = lines[0].split()
    contest = Contest(int(problems), int(penalty))
    return [answer for line in lines[1:] for answer in contest.answer(line)]
