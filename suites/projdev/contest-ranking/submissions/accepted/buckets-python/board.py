# rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
"""What the board knows: teams with their cells, the order of the teams, what is hidden, and the scroll."""

from buckets import Buckets


class Cell:
    """A team's work on one problem; what it counts is kept up to date by `Board.count`."""

    __slots__ = ("attempts", "hidden", "numbers", "solution")

    def __init__(self):
        self.numbers = []
        self.solution = 0
        self.attempts = 0
        self.hidden = 0


class Team:
    __slots__ = ("cells", "key", "name", "out")

    def __init__(self, name, problems):
        self.name = name
        self.cells = [Cell() for _ in range(problems)]
        self.key = (0, 0, 0, name)  # minus solved, penalty, last time, name: ascending is from best to worst
        self.out = False


class Board:
    def __init__(self, problems, penalty):
        self.problems = problems
        self.penalty = penalty
        self.frozen = False
        self.teams = {}
        self.listed = Buckets()
        self.submissions = [None]  # by number: [team's name, problem, time, verdict, hidden]
        self.solutions = [Buckets() for _ in range(problems)]  # numbers, of ranked teams
        self.since_freeze = []

    def add_team(self, name):
        team = self.teams[name] = Team(name, self.problems)
        self.listed.add(team.key)

    def rank(self, team):
        return 1 + self.listed.below((*team.key[:3], ""))

    def submit(self, name, problem, verdict, time):
        number = len(self.submissions)
        self.submissions.append([name, problem, time, verdict, self.frozen])
        team = self.teams[name]
        cell = team.cells[problem]
        cell.numbers.append(number)
        if self.frozen:
            self.since_freeze.append(number)
            cell.hidden += 1
        elif not cell.solution:
            if verdict == "accepted":
                self.count(team, problem)
            elif verdict != "compile":
                cell.attempts += 1
        return number

    def rejudge(self, number, verdict):
        made = self.submissions[number]
        made[3] = verdict
        if not made[4]:
            self.count(self.teams[made[0]], made[1])

    def count(self, team, problem):
        """Count a cell from its submissions, and move the team."""
        cell = team.cells[problem]
        before = cell.solution
        cell.solution = cell.attempts = cell.hidden = 0
        for number in cell.numbers:
            _, _, _, verdict, hidden = self.submissions[number]
            if hidden:
                cell.hidden += 1
            elif not cell.solution:
                if verdict == "accepted":
                    cell.solution = number
                elif verdict != "compile":
                    cell.attempts += 1
        if before or cell.solution:
            self.move(team)
        if before != cell.solution and not team.out:
            if before:
                self.solutions[problem].remove(before)
            if cell.solution:
                self.solutions[problem].add(cell.solution)

    def move(self, team):
        solved = [cell for cell in team.cells if cell.solution]
        times = [self.submissions[cell.solution][2] for cell in solved]
        failed = sum(cell.attempts for cell in solved)
        key = (-len(solved), sum(times) + self.penalty * failed, max(times, default=0), team.name)
        if not team.out:
            self.listed.remove(team.key)
            self.listed.add(key)
        team.key = key

    def take_out(self, team):
        team.out = True
        self.listed.remove(team.key)
        for problem, cell in enumerate(team.cells):
            if cell.solution:
                self.solutions[problem].remove(cell.solution)

    def take_in(self, team):
        team.out = False
        self.listed.add(team.key)
        for problem, cell in enumerate(team.cells):
            if cell.solution:
                self.solutions[problem].add(cell.solution)

    def covered(self, team):
        """The first covered cell's problem; None: there is none."""
        for problem, cell in enumerate(team.cells):
            if cell.hidden and not cell.solution:
                return problem
        return None

    def uncover(self, team, problem):
        for number in team.cells[problem].numbers:
            self.submissions[number][4] = False
        self.count(team, problem)

    def scroll(self):
        """(the lines about teams that passed others, how many cells were uncovered)"""
        lines, uncovered = [], 0
        waiting = Buckets()
        for name in {self.submissions[number][0] for number in self.since_freeze}:
            if not self.teams[name].out and self.covered(self.teams[name]) is not None:
                waiting.add(self.teams[name].key)
        while len(waiting):
            key = waiting.last()
            waiting.remove(key)
            team = self.teams[key[3]]
            problem = self.covered(team)
            place, rank = self.listed.below(key), self.rank(team)
            self.uncover(team, problem)
            uncovered += 1
            if team.key < key:
                now = self.listed.below(team.key)
                if now < place:
                    passed = self.listed[now + 1][3]
                    lines.append(f"{team.name} {chr(65 + problem)} {rank} {self.rank(team)} {passed}")
            if self.covered(team) is not None:
                waiting.add(team.key)
        for number in self.since_freeze:
            name, problem, _, _, hidden = self.submissions[number]
            if hidden:
                self.uncover(self.teams[name], problem)
        self.since_freeze.clear()
        self.frozen = False
        return lines, uncovered

    @staticmethod
    def cell_text(cell):
        if cell.solution:
            return f"+{cell.attempts}"
        if cell.hidden:
            return f"?{cell.attempts}/{cell.hidden}"
        return f"-{cell.attempts}" if cell.attempts else "."
