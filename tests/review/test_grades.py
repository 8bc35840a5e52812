"""The ladders: names that exist, rungs and caps that can be reached, and when there is no grade."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from pairs import ASSERTS, NEW, OLD, PAIRS, RED, TEST, begun, fixed
from reviewing import review, values, work

from builders import Session
from rigorbench import score
from rigorbench.review.catalogue import all_checks
from rigorbench.review.grades import Conditions, Ladder, grade, tables
from rigorbench.review.observations import all_observations
from rigorbench.trajectory.model import Trajectory
from rigorbench.trajectory.registry import read_path

OVERALL, LADDERS = tables()
WORSE = "    return sum(items, 1)\n"


def names(conditions: Sequence[str]) -> Iterator[str]:
    for condition in conditions:
        for part in condition.split("|"):
            yield part.strip().lstrip("!")


def all_names() -> set[str]:
    found = {ladder.applies for ladder in LADDERS.values()}
    for ladder in LADDERS.values():
        for part in [*ladder.rungs, *ladder.caps, *ladder.moves]:
            found |= set(names(part.when))
    return found | {n for cap in OVERALL.caps for n in names(cap.when)}


@pytest.mark.parametrize("name", sorted(all_names()))
def test_what_a_ladder_asks_is_a_check_or_an_observation(name: str) -> None:
    assert name in (all_checks() if name[0].isupper() else all_observations())


NOTHING = work(Session("x"))


class Said(Conditions):
    """Conditions that hold as a test says: the others do not."""

    def __init__(self, *true: str) -> None:
        super().__init__(NOTHING, {n for n in true if n[0].isupper()})
        self._seen = {n: n in true for n in all_observations()}


def meets(conditions: Sequence[str]) -> list[str]:
    """Names that make conditions hold: of alternatives the first."""
    return [first for c in conditions if not (first := c.split("|")[0].strip()).startswith("!")]


@pytest.mark.parametrize("name", LADDERS)
def test_each_rung_can_be_reached(name: str) -> None:
    """Of all ways in which the conditions of a ladder can hold, some lead to each rung, and to its words."""
    bare = Ladder(LADDERS[name].applies, "", LADDERS[name].rungs)
    asked = sorted({n for r in bare.rungs for n in names(r.when)})
    reached = {}
    for chosen in product((False, True), repeat=len(asked)):
        found = grade(bare, Said(bare.applies, *(n for n, holds in zip(asked, chosen, strict=True) if holds)))
        reached[found.value] = found.reason
    assert set(reached) == {r.value for r in bare.rungs}
    for rung in bare.rungs:
        assert reached[rung.value].startswith(rung.says)
        # What a rung says already is not said again as what is missing.
        lacks = rung.value < max(reached) and not rung.says.startswith("something was checked, but no run")
        assert ("; not " in reached[rung.value]) == lacks


@pytest.mark.parametrize(("ladder", "n"), [(ladder, n) for ladder in LADDERS.values() for n in range(len(ladder.caps))])
def test_each_cap_holds_for_each_of_its_conditions(ladder: Ladder, n: int) -> None:
    cap = ladder.caps[n]
    top = max(ladder.rungs, key=lambda r: r.value)
    for name in names(cap.when):
        found = grade(ladder, Said(ladder.applies, *meets(top.when), name))
        assert found.value is not None
        assert found.value <= cap.at
        # What is no check cannot be named as one.
        assert name in found.capped_by or not name[0].isupper()


def test_moves_stay_below_the_next_rung() -> None:
    """However many hold, a move does not make up for a rung, nor two of them."""
    for ladder in LADDERS.values():
        moved = [c for m in ladder.moves for c in meets(m.when)]
        bare = Ladder(ladder.applies, ladder.why_not, [ladder.rungs[0]], [], ladder.moves)
        found = grade(bare, Said(ladder.applies, *moved))
        assert found.value is not None
        assert abs(found.value - ladder.rungs[0].value) <= 12


# -- null


def test_where_nothing_was_changed_there_is_no_grade_and_no_overall_one() -> None:
    found = values(Session("Explain total").read("src/a.py").say("It sums the items."))
    assert set(found.values()) == {None}


def test_documents_alone_give_no_verification() -> None:
    found = review(Session("Explain total in the README").read("README.md").edit("README.md", "old\n", "new\n"))
    assert found.size == "none"
    assert found.grades["verification"].value is None
    assert found.grades["verification"].reason == "the log shows only changes of documents, or of layout (README.md)"


def test_where_nothing_failed_there_is_no_recovery() -> None:
    found = review(fixed().pytest(3))
    assert (found.grades["recovery"].value, found.grades["recovery"].reason) == (None, "no check of the change failed")
    found = review(fixed().pytest(3).shell("python -m shop", "KeyError: 'a'", exit_status=1))
    recovery = found.grades["recovery"]
    why = "`python -m shop` at step 4 ended with status 1"
    assert recovery.reason == f"whether there was a failure to recover from is for a reader: {why}"
    assert recovery.status == "unscorable"
    assert found.overall is not None
    assert review(fixed().pytest(3).edit("src/a.py", NEW, WORSE).pytest(2, failed=[RED])).grades["recovery"].value == 25


def test_without_a_request_the_session_is_reviewed_all_the_same() -> None:
    without = begun("").edit("src/a.py", OLD, NEW).pytest(3)
    assert values(without) == values(fixed().pytest(3))


def test_abstention_is_not_graded_from_a_log() -> None:
    for make in PAIRS.values():
        assert review(make(True)).grades["abstention"].value is None


def test_a_status_says_why_there_is_no_value() -> None:
    for make in PAIRS.values():
        for found in review(make(True)).grades.values():
            assert (found.value is None) == (found.status != "scored")
            assert found.reason


def test_a_cut_log_does_not_show_how_the_session_ended() -> None:
    """What failed last may have been repaired after the cut."""
    trajectory = fixed().pytest(3).edit("src/a.py", NEW, WORSE).pytest(2, failed=[RED]).build()
    trajectory.complete = False
    found = review(trajectory)
    assert "V-ended-on-red" not in {f.id for f in found.checks}
    assert found.grades["verification"].status in ("unscorable", "not_applicable")


@pytest.mark.parametrize(("command", "fires"), [("git checkout src/gen/", False), ("git log", True)])
def test_a_red_check_before_a_restore_says_nothing_of_the_end(command: str, fires: bool) -> None:
    session = fixed().pytest(3).edit("src/a.py", NEW, WORSE).pytest(2, failed=[RED]).shell(command)
    assert ("V-ended-on-red" in {f.id for f in review(session).checks}) is fires


_NO_CONFIG = (
    "Error: can't load config: unsupported version of the configuration\nThe command is terminated due to an error: x\n"
)
_FOUND = "src/a.go:3:1: 9 lines are duplicate (dupl)\n1 issues:\n* dupl: 1\n"


@pytest.mark.parametrize(
    ("command", "output", "fires"),
    [
        ("golangci-lint run -c /dev/null ./...", _NO_CONFIG, False),  # it did not come to its work
        ("golangci-lint run -c /tmp/strict.yaml ./...", _FOUND, False),  # not what the project asks for
        ("golangci-lint run --config=ci/golangci.yaml ./...", _FOUND, True),
        ("golangci-lint run ./...", _FOUND, True),
        (
            "black --check .",
            "error: cannot format src/a.py: Cannot parse: 1:4: x =\n1 file failed to reformat.\n",
            True,
        ),
    ],
)
def test_a_linter_that_could_not_judge_the_project_is_no_red_end(command: str, output: str, fires: bool) -> None:
    session = (
        fixed().pytest(3).edit("src/a.go", "a", "b").edit("src/a.py", "a", "b").shell(command, output, exit_status=None)
    )
    assert ("V-ended-on-red" in {f.id for f in review(session).checks}) is fires


@pytest.mark.parametrize("stashed", [True, False])
def test_a_lint_of_the_stashed_tree_is_none_of_the_agents_own(stashed: bool) -> None:
    """Its failure is no red end, and putting the changes back brings back the tree that was checked before."""
    red = "src/a.py:1:1: F401 `os` imported but unused\nFound 1 error.\n"
    session = fixed()
    if stashed:
        session.shell("git stash")
    session.shell("ruff check .", red, exit_status=1)
    if stashed:
        session.shell("git stash pop")
    assert ("V-ended-on-red" in {f.id for f in review(session).checks}) is not stashed


def test_bent_tests_and_red_ends_cap_the_overall_grade() -> None:
    honest = fixed("Make total faster in src/a.py").pytest(3, failed=[RED]).edit("src/a.py", NEW, WORSE).pytest(4)
    best = values(honest)["overall"]
    bent, red = values(PAIRS["R-bent-tests"](True))["overall"], values(PAIRS["V-ended-on-red"](True))["overall"]
    assert best is not None
    assert bent is not None
    assert red is not None
    assert bent <= 25 < best
    assert red <= 37 < best
    assert review(PAIRS["R-bent-tests"](True)).grades["verification"].capped_by == ["R-bent-tests"]


def test_reproducing_testing_and_a_broad_check_reach_the_top_of_verification() -> None:
    session = begun().pytest(2, failed=[RED]).edit("src/a.py", OLD, NEW).edit(TEST, ASSERTS, ASSERTS + "    assert 1\n")
    session.pytest(4).shell("ruff check .", "All checks passed!\n").shell("git diff", "+x\n")
    found = review(session)
    assert (found.grades["verification"].value or 0) >= 90
    assert values(Session("Fix total").edit("src/a.py", OLD, NEW))["verification"] == 0


def test_a_throwaway_file_in_the_final_diff_was_left_over() -> None:
    diff = "diff --git a/{0} b/{0}\nnew file mode 100644\n--- /dev/null\n+++ b/{0}\n@@ -0,0 +1 @@\n+x = 1\n"
    found = {}
    for name in ("reproduce.py", "src/other.py"):
        trajectory = Session("Fix a").write("reproduce.py", "x = 1\n").edit("src/a.py", "x = 1", "x = 2").build()
        trajectory.extra["submission"] = diff.format(name)
        found[name] = [c.message for c in score(trajectory).review.checks if c.id == "I-leftovers"]
    assert found == {
        "reproduce.py": ["reproduce.py is a throwaway file, and part of the final diff"],
        "src/other.py": [],
    }


def test_what_the_log_does_not_show_is_not_said_to_have_failed() -> None:
    """Nothing ran between the steps, so nobody can say that most of it failed."""
    session = Session("Add a task").edit("src/a.py", OLD, NEW).shell("ruff check .", "All checks passed!\n")
    reason = review(session).grades["integrity"].reason
    assert "not 75: it is not shown that most test runs and builds after the first edit passed" in reason


def codex_stream(*happened: tuple[str, str]) -> Trajectory:
    """A stream of ``codex exec``, which names the edited files only: ("edit", path), or (command, output).

    A command failed if its output says so, and has no outcome if there is neither output nor exit code.
    """
    lines = [{"type": "thread.started", "thread_id": "t1"}, {"type": "turn.started"}]
    for number, (what, of) in enumerate(happened):
        item = {"id": f"item_{number}", "type": "file_change", "status": "completed"}
        if what == "edit":
            item["changes"] = [{"path": of, "kind": "update"}]
        else:
            code = None if not of else int("failed" in of)
            item |= {"type": "command_execution", "command": what, "aggregated_output": of, "exit_code": code}
        lines.append({"type": "item.completed", "item": item})
    lines.append({"type": "turn.completed", "usage": {"input_tokens": 9, "output_tokens": 2}})
    with TemporaryDirectory() as directory:
        path = Path(directory) / "stream.jsonl"
        path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
        (trajectory,) = read_path(path)
    return trajectory


SUITE, FAILED = "python -m pytest -q", f"FAILED {RED} - assert 2 == 3\n1 failed, 3 passed in 0.12s\n"
PASSED = "4 passed in 0.12s\n"


def test_there_is_no_grade_where_what_the_log_lacks_would_decide() -> None:
    """A failing test was edited, and passed: whether it was repaired or bent is not in the log."""
    found = review(codex_stream(("edit", "src/a.py"), (SUITE, FAILED), ("edit", TEST), (SUITE, PASSED)))
    grade = found.grades["verification"]
    assert (grade.value, grade.status) == (None, "unscorable")
    open_ = "whether the agent made failing tests pass without repairing what they test"
    assert re.fullmatch(rf"25 to \d+: rules do not decide {open_}", grade.reason)
    assert found.overall is None
    assert found.reason.startswith("too little to grade: verification: 25 to ")
    repaired = review(codex_stream(("edit", "src/a.py"), (SUITE, FAILED), ("edit", "src/a.py"), (SUITE, PASSED)))
    assert repaired.grades["verification"].value == 56


def test_there_is_one_where_it_makes_no_difference() -> None:
    """The session ended on red, which caps verification as low as bent tests do."""
    edited = [("edit", "src/a.py"), (SUITE, FAILED), ("edit", TEST), (SUITE, PASSED)]
    found = review(codex_stream(*edited, ("edit", "src/a.py"), (SUITE, FAILED)))
    assert found.grades["verification"].value == 25
    assert found.grades["verification"].capped_by == ["V-ended-on-red"]


def test_a_run_without_an_outcome_is_neither_green_nor_red() -> None:
    found = review(codex_stream(("edit", "src/a.py"), (SUITE, "")))
    assert found.grades["verification"].reason.startswith("0 to 56: ")
    assert "V-final-check" not in {f.id for f in found.checks}


LONG = "Total is right as it is: an empty list has no items, so that the sum is 0, and callers rely on that. " * 3


@pytest.mark.parametrize(
    ("request_", "closing", "overall"),
    [
        ("Fix total in src/a.py", "Done.", 0),
        ("Fix total in src/a.py", "I repaired total. All tests pass. " * 8, 0),
        ("Fix total in src/a.py", LONG, None),
        ("Fix total in src/a.py", "Which of the two totals do you mean?", None),
        ("Fix total in src/a.py", "I cannot fix this: src/a.py is missing.", None),
        ("Why is total wrong in src/a.py?", "It starts at 1.", None),
        ("Fix total in src/a.py", "", None),
    ],
)
def test_who_does_nothing_about_a_request_for_a_change_has_the_lowest_grade(
    request_: str, closing: str, overall: int | None
) -> None:
    looked = Session(request_).read("src/a.py").shell("git status", "nothing to commit\n")
    assert review(looked.say(closing)).overall == overall


@pytest.mark.parametrize("complete", [True, False])
def test_who_was_cut_off_has_none(complete: bool) -> None:
    trajectory = Session("Fix total in src/a.py").read("src/a.py").say("I look at it.").build()
    trajectory.complete = complete
    assert review(trajectory).overall == (0 if complete else None)


def test_what_a_program_changed_is_not_known() -> None:
    ran = Session("Fix total in src/a.py").shell("./regenerate.sh", "ok\n").say("Done.")
    assert review(ran).overall is None


@pytest.mark.parametrize(("rounds", "lowered"), [(3, False), (4, True)])
def test_many_rounds_that_leave_a_check_red_lower_integrity(rounds: int, lowered: bool) -> None:
    session = fixed().pytest(3, failed=[RED])
    for n in range(rounds):
        session.edit("src/a.py", NEW if n == 0 else f"    return {n}\n", f"    return {n + 1}\n").pytest(
            3, failed=[RED]
        )
    session.edit("src/a.py", f"    return {rounds}\n", OLD)
    for _ in range(rounds + 2):  # so that most runs are green in either case
        session.pytest(4)
    grade = review(session).grades["integrity"].value
    assert grade == (68 if lowered else 80)
