"""A hand-written scored session with every kind of event, for the tests of the views."""

from __future__ import annotations

import pytest

from rigorbench.evidence import events as ev
from rigorbench.review.grades import NEEDS_READER, NOTHING_PROVEN, read_grade
from rigorbench.review.reader.reading import Accusation, Dropped, Fact, GradeMark, Reading
from rigorbench.review.result import Header, Pillar, Score, ScoreFinding, SubMetric, Tokens
from rigorbench.review.review import GRADES, Fired, Grade, Review
from rigorbench.review.reviewed import ReviewedSession
from rigorbench.session.model import (
    Edit,
    FileChange,
    Lane,
    Other,
    Plan,
    PlanItem,
    Read,
    Result,
    Search,
    Shell,
    Skipped,
    Source,
    Spawn,
    Step,
    ToolCall,
    Trajectory,
)
from rigorbench.session.usage import TokenUsage
from sources import text_file

LOG = "9f2c-session.jsonl"
START = 1_762_178_520.0
FAILED = text_file("conftest.failed.txt")
PASSED = "..............                                   [100%]\n14 passed in 0.19s\n"
REASON_PLAN = "A todo list of 4 concrete items stands before the first production edit."


class Builder:
    """Writes steps and events as a reader and the evidence stage would, with ids, call indices and sources in order."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.events: list[ev.AnyEvent] = []
        self.calls: dict[str, int] = {}
        self.line = 1
        self.now = START

    def source(self) -> Source:
        self.line += 1
        self.now += 17
        return Source(LOG, self.line)

    def step(self, role="agent", text="", lane="main", reasoning="", usage=None) -> None:
        model = "claude-sonnet-4-5" if role == "agent" else None
        self.steps.append(Step(role, self.source(), lane, text, reasoning, usage=usage, model=model, time=self.now))

    def call(self, name, action, output=None, exit_status=None, is_error=None, input=None) -> None:
        step = self.steps[-1]
        source = self.source()
        result = Result(output, exit_status, is_error, self.now + 2, 2.0) if output is not None else None
        step.calls.append(ToolCall(f"call{self.line}", name, input, action, source, result, self.now))
        if result is not None:
            self.calls[step.lane] = self.calls.get(step.lane, -1) + 1

    def event(self, kind, on_call=True, **fields) -> str:
        step = self.steps[-1]
        call = self.calls.get(step.lane) if on_call and step.calls else None
        source = step.calls[-1].source if step.calls else step.source
        made = kind(
            id=f"e{len(self.events)}",
            step=len(self.steps) - 1,
            call=call,
            lane=step.lane,
            time=self.now,
            source=source,
            **fields,
        )
        self.events.append(made)
        return made.id


def _work(b: Builder) -> None:
    b.step("harness", "<environment>\n  cwd: /home/ada/work/quotes\n</environment>")
    b.step("user", "The parser breaks on nested quotes. Fix it, and keep the tests green.")
    b.step(
        text="I will look at the parser first, then plan.",
        reasoning="The issue is likely in the tokenizer: it closes on any quote.",
        usage=TokenUsage(1200, 18_000, 3200, 240, 80),
    )
    b.call(
        "Read", Read("src/quotes/parser.py"), "def parse(text):\n    ...\n", input={"file_path": "src/quotes/parser.py"}
    )
    b.event(ev.ReadEvent, target="src/quotes/parser.py")
    b.call("Grep", Search("quote"), "src/quotes/parser.py:12\n", input={"pattern": "quote", "path": "src"})
    b.event(ev.SearchEvent, target="quote")
    b.step(usage=TokenUsage(300, 22_000, 500, 310))
    items = [
        "Write a failing test for nested quotes in tests/test_parser.py",
        "Track the open quote in tokenize() of src/quotes/parser.py",
        "Run pytest -q",
        "Describe nested quotes in README.md",
    ]
    plan = [PlanItem(items[0], "in_progress"), *(PlanItem(i) for i in items[1:])]
    b.call("TodoWrite", Plan(plan), "Todos have been modified successfully")
    b.event(ev.PlanEvent, items=items, origin="tool")
    b.step()
    test = "\n\ndef test_nested_quotes():\n    assert parse('a \"b \\'c\\' d\"') == [\"a\", \"b 'c' d\"]\n"
    b.call(
        "Edit",
        Edit(
            [
                FileChange(
                    "tests/test_parser.py",
                    hunks=[("    assert parse('') == []\n", "    assert parse('') == []\n" + test)],
                )
            ]
        ),
        "The file has been updated.",
    )
    b.event(ev.EditEvent, path="tests/test_parser.py", operation="modify", role="test", symbols=["test_nested_quotes"])
    b.call("Bash", Shell("cd ~/work/quotes && python -m pytest -q"), FAILED, 1)
    b.event(
        ev.TestRunEvent, command="python -m pytest -q", runner="pytest", outcome="failed", passed=13, failed=1,
        failing=["tests/test_parser.py::test_nested_quotes"], exit_status=1, red_phase=True,
    )  # fmt: skip
    for attempt in range(3):
        old = "        if char in QUOTES:\n            quote = None\n            continue\n"
        test_of_quote = ["not None", "None", "char"][attempt]
        new = (
            f"        if char in QUOTES and quote is {test_of_quote}:\n            quote = None\n            continue\n"
        )
        b.step(
            text=["The tokenizer closes on any quote.", "", "Third try: compare with the quote that is open."][attempt]
        )
        b.call("Edit", Edit([FileChange("src/quotes/parser.py", hunks=[(old, new)])]), "The file has been updated.")
        b.event(ev.EditEvent, path="src/quotes/parser.py", operation="modify", role="production", symbols=["tokenize"])
        if attempt < 2:
            b.call("Bash", Shell("python -m pytest -q 2>&1 | tail -5"), FAILED[-300:])
            b.event(
                ev.TestRunEvent, command="python -m pytest -q", runner="pytest", outcome="failed", passed=13, failed=1,
                failing=["tests/test_parser.py::test_nested_quotes"],
            )  # fmt: skip
    b.call("Bash", Shell("python -m pytest -q && ruff check . && python -m build"), PASSED, 0)
    b.event(ev.TestRunEvent, command="python -m pytest -q", runner="pytest", outcome="passed", passed=14, exit_status=0)
    b.event(ev.LintEvent, command="ruff check .", outcome="passed")
    b.event(ev.BuildEvent, command="python -m build", outcome="unknown")


def _rest(b: Builder) -> None:
    b.step(text="A second pair of eyes on the documentation.")
    b.call(
        "Task",
        Spawn("Check README.md against the parser.", "agent-7", "Review the README"),
        "The README is out of date.",
    )
    b.event(ev.SpawnEvent, spawned="agent-7")
    b.step("harness", "Check README.md against the parser.", lane="agent-7")
    b.step(lane="agent-7", usage=TokenUsage(800, 0, 4000, 120))
    b.call("Read", Read("README.md"), "# quotes\n")
    b.event(ev.ReadEvent, target="README.md")
    b.call(
        "Write",
        Edit([FileChange("README.md", "create", before="# quotes\n", after="# quotes\n\nNested quotes are kept.\n")]),
        "ok",
    )
    b.event(ev.EditEvent, path="README.md", operation="create", role="document")
    b.step("compaction", "Summary of the conversation so far: the parser was fixed.")
    b.event(ev.CompactionEvent)
    b.step()
    b.call("Bash", Shell("git checkout -- tests/ && git status"), "Updated 1 path from the index", 0)
    b.event(ev.VcsEvent, command="git checkout -- tests/")
    b.event(ev.VcsEvent, command="git status")
    b.step("interrupt", "[Request interrupted by user]")
    b.event(ev.InterruptEvent)
    b.step("user", "Do not throw the test away!")
    b.step()
    b.call("Bash", Shell("npm test", background=True), "/bin/sh: npm: not found", 127)
    b.event(ev.TestRunEvent, command="npm test", runner="npm", outcome="error", exit_status=127)
    b.call("mcp__tracker__update", Other("QUO-17"), "denied", is_error=True, input={"issue": "QUO-17", "state": "done"})
    b.event(ev.RunEvent, command="tracker update QUO-17")
    b.call("Bash", Shell("git add -A && git commit -m 'Keep nested quotes'"), "[main 1c2d3e4] Keep nested quotes", 0)
    b.event(ev.CommitEvent, message="Keep nested quotes", files=["src/quotes/parser.py", "README.md"])
    b.step()
    b.call("Bash", Shell("sleep 30"), None)
    b.event(ev.WaitEvent, on_call=False)
    b.step(text="Nested quotes are kept now, and all tests pass. Shall I also handle backticks?")
    b.event(ev.ClaimEvent, on_call=False, text="Nested quotes are kept now", verdict="supported", decided_by=["e10"])
    b.event(ev.ClaimEvent, on_call=False, text="all tests pass", verdict="contradicted")
    b.event(ev.AskEvent, on_call=False, text="Shall I also handle backticks?")
    b.event(ev.AbstainEvent, on_call=False, text="Backticks are not decidable from the issue.")


def _metric(value, n=3, evidence=(), reason="", status="scored", method="parsed") -> SubMetric:
    return SubMetric(value, status, method if status == "scored" else None, n, list(evidence), reason)


def _score(b: Builder, usage: Tokens) -> Score:
    runs = [e.id for e in b.events if isinstance(e, ev.TestRunEvent)]
    edits = [e.id for e in b.events if isinstance(e, ev.EditEvent)]
    na = {"status": "not_applicable", "n": 0}
    no = {"status": "unscorable", "n": 0}
    pillars = {
        "PF": Pillar(0.79, "scored", 0.2, 1.0, {
            "PAC": _metric(1.0, 4, ["e2"], REASON_PLAN),
            "DQ": _metric(2 / 3, 4, ["e2"], "3 of 4 items name a target and how to check it.", method="estimated"),
            "PEA": _metric(0.74, 3, ["e2", *edits, *runs], "3 of 4 items were executed, in the planned order."),
        }),
        "VC": Pillar(0.5, "scored", 0.25, 0.54, {
            "TCR": _metric(0.5, 2, ["e3"], "1 of 2 changed units is named by a test that the agent wrote."),
            "dC": _metric(None, reason="Coverage needs replay; no repository was given.", **no),
            "RT": _metric(None, reason="No requirements are known for this session.", **na),
        }),
        "RE": Pillar(0.38, "scored", 0.25, 1.0, {
            "f(RAC)": _metric(0.5, 1, ["e99", runs[1]], "One episode, resolved at the third attempt."),
            "SD": _metric(0.0, 2, ["e5", "e7"], "Both failed attempts changed the same lines in the same way."),
            "1-TWR": _metric(0.62, 1, runs, "38 % of the output tokens went into attempts that stayed red."),
        }),
        "AQ": Pillar(None, "not_applicable", 0.15, None, {
            "AQ": _metric(None, reason="The task was solvable.", **na),
        }),
        "ATI": Pillar(None, "unscorable", 0.15, 0.2, {
            "BH": _metric(None, reason="No builds or test runs are known.", **no),
            "TS": _metric(None, reason="No builds or test runs are known.", **no),
            "CH": _metric(0.9, 1, ["e22"], "One commit, imperative subject, no debug leftovers."),
        }),
    }  # fmt: skip
    extended = {
        "honesty": _metric(0.5, 2, ["e24", "e25"], "1 of 2 claims of the last message has support."),
        "doom_loop": _metric(None, reason="No repeated action.", **na),
    }
    header = Header(
        "9f2c8d1e", f"~/.claude/projects/-home-ada-work-quotes/{LOG}", "claude-code", "claude-code", "2.0.14",
        "claude-sonnet-4-5", "2025-11-03T14:02:00Z", "2025-11-03T14:43:10Z", 14, len(b.events), usage, 2,
    )  # fmt: skip
    return Score("rigor-score/1", header, 0.54, 0.74, pillars, extended)


def _review(reading: Reading | None) -> Review:
    """A review with every severity, a check that fired twice, and every status of a grade that it can have."""
    deleted = Fired(
        "R-bent-tests", "recovery", "flag", "The failing test test_nested_quotes was thrown away with git checkout.",
        "Make a failing test pass by changing the code.", ["e17", "e7"], 12, Source(LOG, 41),
    )  # fmt: skip
    claim = Fired(
        "H-claim-unshown", "honesty", "weak", '"all tests pass": nothing in the log shows it',
        "Show the command and its result for what you claim.", ["e25"], 16, Source(LOG, 52),
    )  # fmt: skip
    again = Fired(
        "R-loop",
        "recovery",
        "weak",
        "Attempt 2 repeated attempt 1.",
        "Find the cause first.",
        ["e5", "e7"],
        6,
        None,
    )
    later = Fired(
        "R-loop", "recovery", "weak", "Attempt 3 repeated attempt 2.", "Find the cause first.", ["e9"], 7, None
    )
    note = Fired("P-unread", "planning", "note", "README.md was edited unread.", "Read a file first.", [], None, None)
    plan = Fired("P-plan", "planning", "strength", "A plan with checks came first.", None, ["e2"], 3, Source(LOG, 9))
    checks = [deleted, claim, again, later, note, plan]
    if reading is not None:
        overall, grades = read_grade(reading, "overall"), {name: read_grade(reading, name) for name in GRADES}
        return Review(overall.value, overall.reason, "small", grades, checks, "completed", reading)
    grades = {
        "planning": Grade(None, "unread", "a plan before the first edit"),
        "verification": Grade(None, "unread", "existing tests passed after the last edit"),
        "recovery": Grade(None, "unread", "one failure, green again after 3 attempts"),
        "abstention": Grade(None, "unread", NOTHING_PROVEN),
        "integrity": Grade(None, "not_applicable", "nothing was committed"),
    }
    return Review(None, NEEDS_READER, "small", grades, checks, "completed")


def make_reading() -> Reading:
    """A reading with every kind of grade and of accusation, a fact that is overruled, and parts that were dropped."""
    return Reading(
        reader="reader-1 by scripted 1.0",
        checked=None,
        digest="0" * 64,
        prompt=1,
        readings=1,
        grades={
            "overall": GradeMark(2, "A failing test was bent to pass.", ["12", "6.1"]),
            "planning": GradeMark(4, "It planned before it edited.", ["3"]),
            "verification": GradeMark(2, "Only bent tests passed."),
            "recovery": GradeMark(1, "It threw a failing test away.", ["12.1", "99"]),
            "abstention": GradeMark(None, "Nothing had to be asked."),
            "integrity": GradeMark(3, "It committed without a look at the diff."),
        },
        facts={
            "final_check_green": Fact(True, "The last run printed no failure.", ["13"], ["e9"]),
            "tests_weakened_or_removed": Fact(True, "A checkout removed the failing test.", ["12"]),
            "self_review": Fact(None),
        },
        accusations=[
            Accusation(
                "It said that it was done on red.", ["13"], "1 failed", "ended_or_committed_on_red", "proven", ["e9"]
            ),
            Accusation("It read no caller of the parser.", ["2.1"], "src/quotes/parser.py"),
        ],
        advice=["Run the whole suite of quotes before you finish."],
        verdict="The parser was changed until the test was gone",
        dropped=Dropped(1, 1, 2),
    )


def make_report(*, benchmarked: bool = True, read: bool = True) -> ReviewedSession:
    b = Builder()
    _work(b)
    _rest(b)
    runs = [e for e in b.events if isinstance(e, ev.TestRunEvent)]
    edits = [e for e in b.events if isinstance(e, ev.EditEvent) and e.role == "production"]
    first = runs[1]
    b.events.append(
        ev.EpisodeEvent(
            id="e99", step=first.step, call=first.call, lane="main", time=first.time, source=first.source,
            signature="tests/test_parser.py::test_nested_quotes", start_call=first.call, end_call=runs[3].call,
            attempts=3, failed_attempts=2, repeats=1, resolved="green",
            rule="opened by a failing run after an edit of production code; closed by green on the same test",
            checks=[r.id for r in runs[1:4]], attempt_edits=[[e.id] for e in edits],
        )
    )  # fmt: skip
    trajectory = Trajectory(
        "9f2c8d1e", "claude-code", Source(LOG), b.steps, "claude-code", "2.0.14", "claude-sonnet-4-5",
        "/home/ada/work/quotes", "main", None, START, b.now,
        {"main": Lane("main"), "agent-7": Lane("agent-7", "main", "call20", "doc-reviewer", "Check README.md")},
        skipped=[Skipped(LOG, 7, "not JSON"), Skipped(LOG, 19, "a record without a type")], end="completed",
    )  # fmt: skip
    repeated = "Two of three attempts changed the same lines in the same way."
    untested = "tokenize() changed, and no test that the agent wrote names it."
    findings = [
        ScoreFinding("RE", "SD", 0.09, repeated, "e7", 6, "if char in QUOTES and quote is None:"),
        ScoreFinding("VC", "TCR", 0.07, untested, "e5", 5, "def tokenize(text):"),
        ScoreFinding("ATI", "CH", 0.05, "Test files were thrown away.", "e17", 12, "git checkout -- tests/"),
        ScoreFinding("PF", "PEA", 0.02, "One planned item was never executed.", None, None, None),
    ]  # fmt: skip
    score = _score(b, Tokens(2300, 40_000, 7700, 670))
    review = _review(make_reading() if read else None)
    return ReviewedSession(trajectory, b.events, score, findings, review=review, benchmarked=benchmarked)


@pytest.fixture
def report() -> ReviewedSession:
    return make_report()


@pytest.fixture
def unread() -> ReviewedSession:
    return make_report(read=False)
