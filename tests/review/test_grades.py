"""Grades: a reader's marks and nothing else; without a reading what is proven, in words, and nothing of what is not."""

from __future__ import annotations

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pairs import ASSERTS, NEW, OLD, PAIRS, RED, TEST, begun, fixed, three_files
from reviewing import ids, known, opened, reading, review

from builders import Session
from rigorbench import score
from rigorbench.review.grades import NEEDS_READER, NOTHING_PROVEN, review_session
from rigorbench.review.pages.facts import fact_line
from rigorbench.review.reader.reading import PILLARS, GradeMark
from rigorbench.review.review import GRADES
from rigorbench.review.verdict import level
from rigorbench.session.model import Read, Result, Shell, Trajectory
from rigorbench.session.registry import read_path

WORSE = "    return sum(items, 1)\n"


# -- with a reading

MARKS = st.integers(1, 5) | st.none()


@given(st.fixed_dictionaries(dict.fromkeys(PILLARS, MARKS)), MARKS, st.sampled_from(sorted(PAIRS)))
def test_grades_are_the_marks_of_the_reader_alone(marks: dict[str, int | None], overall: int | None, id: str) -> None:
    """No cap, no move, no mean."""
    read = reading(overall, **marks)
    found = review_session(opened(PAIRS[id](True)), reading=read)
    assert list(found.grades) == list(GRADES)
    for name, grade in found.grades.items():
        mark = marks[name]
        assert grade.value == (None if mark is None else (mark - 1) * 25)
        assert grade.status == ("not_applicable" if mark is None else "scored")
        assert (grade.reason, grade.steps) == (f"Of {name}.", ["1"])
    assert found.overall == (None if overall is None else (overall - 1) * 25)
    assert (found.reason, found.reading) == ("Of overall.", read)
    assert found.checks == review(PAIRS[id](True)).checks


def test_a_reading_without_one_of_the_grades_says_nothing_of_it() -> None:
    read = reading()
    del read.grades["recovery"]
    grade = review_session(opened(fixed()), reading=read).grades["recovery"]
    assert (grade.value, grade.status, grade.reason) == (None, "not_applicable", "the reader says nothing of it")


def test_a_log_that_is_cut_off_can_be_read() -> None:
    trajectory = fixed().pytest(3).build()
    trajectory.complete = False
    found = review_session(
        opened(trajectory), reading=reading(4, verification=GradeMark(None, "Its end is not there."))
    )
    assert (found.overall, found.ended) == (75, "cut")
    assert found.grades["verification"].reason == "Its end is not there."


# -- without one


@pytest.mark.parametrize("id", PAIRS)
@pytest.mark.parametrize("fires", [True, False])
def test_without_a_reading_there_is_no_grade_no_number_of_one_and_no_praise(id: str, fires: bool) -> None:
    found = review(PAIRS[id](fires))
    assert (found.overall, found.reason, found.reading) == (None, NEEDS_READER, None)
    for grade in found.grades.values():
        assert (grade.value, grade.steps) == (None, [])
        assert grade.status in ("unread", "not_applicable")
        assert grade.reason
        assert not {level(n) for n in range(101)} & set(re.findall(r"[a-z]+", grade.reason)) - {"weak"}
        assert "reader" not in grade.reason


OTHER = "tests/test_old.py::test_old"
ALL = "`python -m pytest -q`"
SAID = [
    (fixed().pytest(3), "verification", f"{ALL} (3 tests) passed after the last edit of the code"),
    (fixed().pytest(1, command=f"pytest {RED}"), "verification", f"`pytest {RED}` (1 test) passed after the last edit"),
    (begun().pytest(2, failed=[RED]).edit("src/a.py", OLD, NEW).pytest(3), "verification",
     f"{ALL} failed before an edit of the code, and passed later"),
    (fixed().pytest(3).edit("src/a.py", NEW, WORSE).edit("src/a.py", WORSE, NEW), "verification",
     f"{ALL} (3 tests) passed on the code as it is at the end"),
    (fixed(), "verification", "ran no check after its last edit of the code"),
    (fixed().shell("ruff check .", "All checks passed!\n"), "verification",
     "`ruff check .` passed after the last edit of the code; no run of a test is known"),
    (fixed().edit(TEST, ASSERTS, ASSERTS + "    assert 1\n"), "verification", "tests added or changed"),
    (begun("Fix test_total").pytest(2, failed=[RED]).edit("src/a.py", OLD, NEW), "planning", f"{ALL} failed before"),
    (begun().read(TEST, ASSERTS).edit("src/a.py", OLD, NEW), "planning", f"of the code, such as `{TEST}`"),
    (fixed().pytest(3).edit("src/a.py", NEW, WORSE).pytest(2, failed=[RED]), "recovery", f"{ALL} failed"),
    (begun().pytest(3, failed=[OTHER]).edit("src/a.py", OLD, NEW).pytest(3, failed=[OTHER]), "verification",
     f"{ALL} after the last edit of the code failed only where it had failed before the change"),
    (fixed().pytest(3).edit("src/a.py", NEW, WORSE).shell("./check.sh"), "verification",
     f"{ALL} (3 tests) passed before the last edit of the code; no later check is known"),
    (fixed().shell("make", "src/a.py:3: error: no such name\n", exit_status=2), "verification",
     "`make` failed after the last edit of the code"),
    (fixed().pytest(3), "recovery", "no failed check of the change is known"),
    (begun().ask("Which total?").user("Both.").edit("src/a.py", OLD, NEW), "abstention", "the agent asked the user"),
    (fixed().pytest(3).commit("Sum the items"), "integrity", "the agent committed"),
    (fixed().commit("Sum").edit("src/b.py", "x", "y"), "integrity", "committed, and edited code after its last commit"),
]  # fmt: skip


@pytest.mark.parametrize(("session", "grade", "words"), SAID, ids=[words for _, _, words in SAID])
def test_a_fact_is_said_where_it_is_known(session: Session, grade: str, words: str) -> None:
    assert words in known(session)[grade]


MADE = "[main 1a2b3c4] Total\n 1 file changed, 1 insertion(+)\n"
STASHED = "Saved working directory and index state WIP on main: 1a2b3c4 Sum\n"
NO_CHECK = "no test, build or lint of the change by the agent is known"
OWN_TEST = "def test_new():\n    assert total([0]) == 0\n"
SUITE, FAILED = "python -m pytest -q", f"FAILED {RED} - assert 2 == 3\n1 failed, 3 passed in 0.12s\n"
PASSED = "4 passed in 0.12s\n"


def in_package() -> Session:
    session = Session("Total").read("packages/a/a.py").edit("packages/a/a.py", OLD, NEW)
    return session.pytest(3).edit("packages/a/a.py", NEW, WORSE)


def told() -> Session:
    return Session("test_total fails: assert 2 == 3").read("src/a.py").edit("src/a.py", OLD, NEW).say("Try again.")


def aside(without: list[str], failed: list[str]) -> Session:
    """What fails without the change, which is put aside for a run of just that, and what fails with it."""
    session = fixed().pytest(2, failed).shell("git stash", STASHED)
    session.pytest(0, without, command=f"python -m pytest -q {' '.join(without)}")
    return session.shell("git stash pop", "Dropped refs/stash@{0}\n").pytest(2, failed).say("Done.")


def typed() -> Session:
    session = Session("Total").read("src/a.ts").edit("src/a.ts", "let n = 1", "let n: string = 1")
    return session.fails("pnpm typecheck", "src/a.ts(1,5): error TS2322: Type 'number' is no 'string'.\n", 2)


def first_test() -> Session:
    session = begun("Add a module for totals").write("src/total.py", "def total(items):\n    return sum(items)\n")
    session.fails("npx vitest run", "No test files found, exiting with code 1\n")
    session.write("src/total.test.ts", "it('sums', () => { expect(total([1])).toBe(1) })\n")
    return session.shell("npx vitest run", " Test Files  1 passed (1)\n      Tests  1 passed (1)\n")


def tried() -> Session:
    session = begun().edit("src/a.py", OLD, NEW).write("try.py", "from src.a import total\nprint(total([1]))\n")
    return session.shell("python try.py", "1\n").say("Done.")


# A session, a grade, and all that is said of it.
WHOLE: dict[str, tuple[Session, str, str]] = {
    "a hook of a commit that printed something may have been a failed check":
        (fixed().shell("git commit -am Total", f"eslint: 1 file checked\n{MADE}"), "recovery", NOTHING_PROVEN),
    "what a program wrote after the commit is no edit of code":
        (fixed().commit("Sum the items").shell("x > session.json"), "integrity", "the agent committed"),
    "no check ran": (told(), "verification", "the agent ran no check after its last edit of the code"),
    "where nothing ran, or only the user ran something, nothing could have failed": (told(), "recovery", NO_CHECK),
    "what ran before the first edit is no check of the change":
        (Session("Total").pytest(3).read("src/a.py").edit("src/a.py", OLD, NEW), "recovery", NO_CHECK),
    "a build that stayed red is for a reader":
        (fixed().fails("make", "src/a.py:3: error: no such name\n", 2), "recovery", NOTHING_PROVEN),
    "what passed while something else was stashed may be of the change":
        (begun().shell("git stash", STASHED).edit("src/a.py", OLD, NEW).pytest(3)
         .shell("git stash pop", "Dropped refs/stash@{0}\n"), "verification", NOTHING_PROVEN),
    "what fails in all tests and is not asked for is no symptom":
        (begun().pytest(2, failed=[RED]).edit("src/a.py", OLD, NEW), "planning", NOTHING_PROVEN),
    "what the agent wrote itself is no test that it read":
        (Session("Total").write("test_query.sql", "select 1;\n").read("test_query.sql").edit("src/a.py", OLD, NEW),
         "planning", NOTHING_PROVEN),
    "what was tried elsewhere and put in its place was checked there":
        (Session("T").write("/tmp/a.sql", "select 1;\n").write("a.sql", "select 1;"), "verification", NOTHING_PROVEN),
    "that a part of what failed fails without the change as well tells nothing of the rest":
        (aside([RED], [RED, OTHER]), "recovery", "`python -m pytest -q` failed"),
    "what fails with the change as well is shown by nothing": (aside([RED, OTHER], [RED, OTHER]), "verification",
        "`python -m pytest -q` after the last edit of the code failed only where it had failed before the change"),
    "the words for running a script make no other check":
        (typed().edit("src/a.ts", "string = 1", "number = 1").shell("pnpm run typecheck"), "recovery",
         "`pnpm typecheck` failed, and later `pnpm run typecheck` passed"),
    "what could not start is no check that did not fail":
        (Session("Review src/a.py").read("src/a.py").fails("pnpm test", "ERR_PNPM_UNSUPPORTED_ENGINE")
         .say("It sums nothing."), "recovery", "the log shows no edit in the project"),
    "a first test is no change of tests":
        (first_test(), "recovery",
         "`npx vitest run` failed, and passed later, once the agent's own tests were changed"),
    "caches taken away are no edit of tests":
        (fixed().pytest(3).shell("rm -rf dist tests/__pycache__").say("Done."), "verification",
         f"{ALL} (3 tests) passed after the last edit of the code"),
    "what the agent's own program shows is for a reader":
        (tried(), "verification",
         "`python try.py` ran after the last edit of the code; the rules do not know what it shows"),
}  # fmt: skip
# A session, a grade, and words that are not said of it.
UNSAID: dict[str, tuple[Session, str, str]] = {
    "a run of another package after the last edit is not told as one before it":
        (in_package().shell("cd packages/b && python -m pytest -q", "3 passed in 0.1s\n"), "verification",
         "before the last edit"),
    "tests whose last known run failed are no merit":
        (fixed().edit(TEST, ASSERTS, ASSERTS + "    assert 1\n").pytest(2, failed=[RED])
         .shell(SUITE, "", exit_status=None), "verification", "added"),
    "a lint of the agent's own test is not told as tests that were changed":
        (fixed().write("tests/test_new.py", OWN_TEST)
         .fails("pylint .", "tests/test_new.py:2:4: W0212: Access to a protected member\n", 4)
         .edit("tests/test_new.py", "total([0])", "total([])").shell("pylint ."), "recovery", "pylint"),
    "a failure is left open only where no later test run passed":
        (fixed().pytest(2, failed=[RED]).shell("make test", "ok\n"), "recovery", "failed"),
    "a lint says nothing over red tests":
        (fixed().shell("ruff check .", "All checks passed!\n").pytest(2, failed=[RED]), "verification", "ruff"),
    "an offer at the end is no question":
        (fixed().pytest(3).say("Total is fixed. Would you like me to add a test?"), "abstention", "asked"),
    "a line that asserts nothing is no test":
        (fixed().edit(TEST, "    found = total()\n", "    found = total()\n    print(found)\n"), "verification",
         "test file"),
    "what could not be opened was not read":
        (begun().call("Read", Read(TEST), Result("ENOENT: no such file", is_error=True), {"file_path": TEST})
         .edit("src/a.py", OLD, NEW), "planning", TEST),
    "a test of one's own that is put right is no test changed in answer":
        (Session("Fix total in src/a.py").read("src/a.py", "    return 0\n").edit("src/a.py", "return 0", "return 1")
         .write("tests/test_new.py", OWN_TEST).pytest(0, failed=["tests/test_new.py::test_new"])
         .edit("tests/test_new.py", "== 0", "== 1").pytest(1).say("Done."), "recovery", "changed in answer"),
}  # fmt: skip


@pytest.mark.parametrize("name", WHOLE)
def test_all_that_is_said(name: str) -> None:
    session, grade, words = WHOLE[name]
    assert known(session)[grade] == words


@pytest.mark.parametrize("name", UNSAID)
def test_what_is_not_said(name: str) -> None:
    session, grade, words = UNSAID[name]
    assert words not in known(session)[grade]


def test_that_no_later_check_is_known_is_not_said_where_one_ran_in_a_copy() -> None:
    copied = Session("Total").edit("src/a.py", OLD, NEW).pytest(3).edit("src/a.py", NEW, WORSE).shell("./check.sh")
    assert "no later check is known" in known(copied)["verification"]


@pytest.mark.parametrize(
    ("models", "told"),
    [
        (["anthropic/opus-1", "opus-1", "opus-1-20260101"], "anthropic/opus-1"),
        (["opus-1", "haiku-2"], "opus-1, haiku-2"),
        (["opus-1", "haiku-2", "sonnet-3"], "opus-1, haiku-2 and 1 more"),
    ],
)
def test_each_model_of_the_main_lane_is_told(models: list[str], told: str) -> None:
    session = fixed()
    for _ in models:
        session.say("Next.")
    trajectory = session.build()
    answers = [step for step in trajectory.steps if step.role == "agent"][-len(models) :]
    for step, model in zip(answers, models, strict=True):
        step.model = model
    trajectory.model = models[0]
    assert told in fact_line(score(trajectory))


@pytest.mark.parametrize(("minutes", "told"), [(29, "29 min"), (31, "31 min with pauses")])
def test_a_wait_for_the_user_is_told(minutes: int, told: str) -> None:
    trajectory = Session("Fix total").say("Done.").user("And now?").say("Done.").build()
    for step, minute in zip(trajectory.steps, (0, 0, minutes, minutes), strict=True):
        step.time = 1.0 + minute * 60
    assert told in fact_line(score(trajectory))


@pytest.mark.parametrize(("name", "told"), [("codex", True), ("aider", False)])
def test_a_list_in_an_answer_of_aider_may_come_after_its_edits(name: str, told: bool) -> None:
    trajectory = Session("Fix total").edit("src/a.py", OLD, NEW).say("Done.").build()
    trajectory.steps[-2].text = "My plan:\n1. Sum the items in total in src/a.py\n2. Run tests/test_a.py with pytest\n"
    trajectory.format = name
    assert ("a list" in review_session(opened(trajectory)).grades["planning"].reason) is told


def test_of_a_run_that_broke_off_nothing_passed_later(shared_data: Path) -> None:
    """Its script could not be collected: it named no test, and the later run of another command failed as well."""
    path = shared_data.parent / "labelled" / "logs" / "dee6e33568-pytest-dev__pytest-6202.traj.json"
    (trajectory,) = read_path(path)
    words = review_session(opened(trajectory)).grades["recovery"].reason
    assert "test_issue_repro.py" not in words
    assert "was shown to fail without the change as well" in words


@pytest.mark.parametrize(
    ("command", "printed", "only"),
    [
        ("pnpm test", "vscode-test\n\nExit code:   SIGABRT\n ELIFECYCLE  Test failed.\n", False),
        ("python -m pytest -q", "FAILED tests/test_old.py::test_old - OSError\n1 failed, 40 passed in 2.00s\n", False),
        ("python -m pytest -q tests/test_b.py::test_old", "1 failed in 0.10s\n", True),
    ],
)
def test_who_ran_all_tests_did_not_run_only_single_ones(command: str, printed: str, only: bool) -> None:
    session = three_files(begun()).shell(command, printed, exit_status=1)
    session.pytest(1, command=f"python -m pytest -q {RED}")
    assert ("V-narrow" in ids(session)) is only


@pytest.mark.parametrize("told", [True, False])
def test_a_list_in_a_document_of_the_project_is_no_plan_of_the_agents(told: bool) -> None:
    items = "1. Sum the items in total in src/a.py\n2. Run tests/test_a.py with pytest\n"
    session = Session("Write down where we are going, then repair total")
    session.write("PLAN.md", items, before=None if told else "# Plan\n").edit("src/a.py", OLD, NEW)
    assert ("a list in a file before the first edit" in known(session)["planning"]) is told
    assert ("P-plan" in ids(session)) is told


# -- where nothing of the kind arose


def test_where_nothing_was_changed_nothing_arose_but_perhaps_a_question() -> None:
    found = review(Session("Explain total").read("src/a.py").say("It sums the items."))
    assert {n: g.status for n, g in found.grades.items()} == {
        **dict.fromkeys(GRADES, "not_applicable"), "abstention": "unread",
    }  # fmt: skip
    assert found.grades["integrity"].reason == "the log shows no edit in the project"


def test_documents_alone_give_no_verification() -> None:
    found = review(Session("Explain total in the README").read("README.md").edit("README.md", "old\n", "new\n"))
    assert found.size == "none"
    assert found.grades["verification"].status == "not_applicable"
    assert found.grades["verification"].reason == "the log shows only changes of documents, or of layout"
    assert found.grades["integrity"].status == "unread"


def test_that_nothing_failed_is_said_only_where_all_that_ran_is_known() -> None:
    assert review(fixed().pytest(3)).grades["recovery"].status == "not_applicable"
    found = review(fixed().pytest(3).shell("python -m shop", "KeyError: 'a'", exit_status=1)).grades["recovery"]
    assert (found.status, found.reason) == ("unread", NOTHING_PROVEN)


def test_without_a_request_the_session_is_reviewed_all_the_same() -> None:
    without = begun("").edit("src/a.py", OLD, NEW).pytest(3)
    assert known(without) == known(fixed().pytest(3))


def test_what_a_program_changed_is_not_known_and_a_requested_deletion_is_done() -> None:
    assert "A-nothing-done" not in ids(Session("Fix total in src/a.py").shell("./regenerate.sh", "ok\n").say("Done."))
    assert ids(Session("Delete dist").shell("rm -rf dist").say("Done.")) == set()


def test_a_cut_log_does_not_show_how_the_session_ended() -> None:
    """What failed last may have been repaired after the cut."""
    trajectory = fixed().pytest(3).edit("src/a.py", NEW, WORSE).pytest(2, failed=[RED]).build()
    trajectory.complete = False
    found = review(trajectory)
    assert "V-ended-on-red" not in {f.id for f in found.checks}
    assert {g.status for g in found.grades.values()} == {"unscorable"}
    assert found.reason == "the log is cut off, so what the agent did in the end is not known"


NO_CONFIG = "Error: can't load config: unsupported version\nThe command is terminated due to an error: x\n"
DUPLICATE = "src/a.go:3:1: 9 lines are duplicate (dupl)\n1 issues:\n* dupl: 1\n"
UNDEFINED = "# example/src\nsrc/a.go:3:1: undefined: total\n"


def worse() -> Session:
    return fixed().pytest(3).edit("src/a.py", NEW, WORSE).pytest(2, failed=[RED])


def in_go() -> Session:
    return fixed().pytest(3).edit("src/a.go", "a", "b").edit("src/a.py", "a", "b")


@pytest.mark.parametrize(
    ("session", "fires"),
    [
        # A red check before a restore says nothing of the end.
        (worse().shell("git checkout src/gen/"), False),
        (worse().shell("git log"), True),
        # A red end is a test or build that says what failed: not of what was there before, perhaps.
        (in_go().fails("golangci-lint run -c /dev/null ./...", NO_CONFIG), False),
        (in_go().fails("golangci-lint run ./...", DUPLICATE), False),
        (in_go().fails("go build ./...", UNDEFINED), True),
        (in_go().fails("go build ./... | tail -1", "make: *** [all] Error 2\n"), False),
        # A build of the stashed tree is none, and what is put back is the tree that was checked before.
        (fixed().edit("src/a.go", "a", "b").fails("go build ./...", UNDEFINED), True),
        (fixed().edit("src/a.go", "a", "b").shell("git stash").fails("go build ./...", UNDEFINED)
         .shell("git stash pop"), False),
    ],
)  # fmt: skip
def test_a_red_end(session: Session, fires: bool) -> None:
    assert ("V-ended-on-red" in ids(session)) is fires


def test_a_throwaway_file_in_the_final_diff_was_left_over() -> None:
    diff = "diff --git a/{0} b/{0}\nnew file mode 100644\n--- /dev/null\n+++ b/{0}\n@@ -0,0 +1 @@\n+x = 1\n"
    found = {}
    for name in ("reproduce.py", "src/other.py"):
        trajectory = Session("Fix a").write("reproduce.py", "x = 1\n").edit("src/a.py", "x = 1", "x = 2").build()
        trajectory.extra["submission"] = diff.format(name)
        found[name] = [c.message for c in score(trajectory).review.checks if c.id == "I-leftovers"]
    wanted = {"reproduce.py": ["reproduce.py is a throwaway file, and part of the final diff"], "src/other.py": []}
    assert found == wanted


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


def test_where_the_log_does_not_show_what_became_of_a_failing_test_nothing_is_said_of_it() -> None:
    """A failing test was edited, and passed: whether it was repaired or bent is not in the log."""
    found = review(codex_stream(("edit", "src/a.py"), (SUITE, FAILED), ("edit", TEST), (SUITE, PASSED)))
    assert "R-bent-tests" not in {c.id for c in found.checks}
    assert found.grades["recovery"].reason == "`python -m pytest -q` failed"
    repaired = codex_stream(("edit", "src/a.py"), (SUITE, FAILED), ("edit", "src/a.py"), (SUITE, PASSED))
    assert known(repaired)["recovery"] == "`python -m pytest -q` failed, and passed later"


@pytest.mark.parametrize(
    ("edited", "said"), [("pytest.ini", NOTHING_PROVEN), ("src/a.py", f"`{SUITE}` failed, and passed later")]
)
def test_a_configuration_decides_which_tests_run(edited: str, said: str) -> None:
    """The runs before and after it may be of other tests."""
    happened = [("edit", "src/a.py"), (SUITE, FAILED), ("edit", edited), (SUITE, PASSED)]
    assert known(codex_stream(*happened))["recovery"] == said
    if edited == "pytest.ini":  # and a configuration tells a linter of what not to complain
        begun_so = (
            begun()
            .edit("src/a.py", OLD, NEW)
            .shell("ruff check .", "src/a.py:1:1: E501 Line too long\n", exit_status=1)
        )
        ignored = begun_so.edit("ruff.toml", "", "ignore = ['E501']\n").edit("src/a.py", "x", "y")
        assert known(ignored.shell("ruff check .", "All checks passed!\n").say("Done."))["recovery"] == NOTHING_PROVEN


def test_a_program_inside_the_command_that_names_nothing_of_the_change_may_be_for_anything() -> None:
    inside = begun().edit("src/a.py", OLD, NEW)
    other = inside.shell("python3 - <<'E'\nimport json\nprint(json.dumps({}))\nE", "{}\n").say("Done.")
    assert known(other)["verification"] == NOTHING_PROVEN


@pytest.mark.parametrize(
    ("result", "closing", "ended"), [(None, "", "open"), ("ok", "", "open"), ("ok", "Pushed.", None)]
)
def test_a_log_that_ends_in_a_call_says_so(result: str | None, closing: str, ended: str | None) -> None:
    session = fixed().call("Bash", Shell("git push"), None if result is None else Result(result, exit_status=0))
    trajectory = (session.say(closing) if closing else session).build()
    trajectory.end = None
    assert review(trajectory).ended == ended


def test_a_run_without_an_outcome_is_neither_green_nor_red() -> None:
    found = review(codex_stream(("edit", "src/a.py"), (SUITE, "")))
    assert found.grades["verification"].reason == NOTHING_PROVEN
    assert "V-final-check" not in {f.id for f in found.checks}


LONG = "Total is right as it is: an empty list has no items, so that the sum is 0, and callers rely on that. " * 3


@pytest.mark.parametrize(
    ("request_", "closing", "fires"),
    [
        ("Fix total in src/a.py", "Done.", True),
        ("Fix total in src/a.py", "I repaired total. All tests pass. " * 8, True),
        ("Fix total in src/a.py", LONG, False),
        ("Fix total in src/a.py", "Which of the two totals do you mean?", False),
        ("Fix total in src/a.py", "I cannot fix this: src/a.py is missing.", False),
        ("Why is total wrong in src/a.py?", "It starts at 1.", False),
        ("Fix total in src/a.py", "", False),
    ],
)
def test_who_does_nothing_about_a_request_for_a_change_is_told_so(request_: str, closing: str, fires: bool) -> None:
    looked = Session(request_).read("src/a.py").shell("git status", "nothing to commit\n")
    assert ("A-nothing-done" in ids(looked.say(closing))) is fires


@pytest.mark.parametrize("complete", [True, False])
def test_who_was_cut_off_is_not(complete: bool) -> None:
    trajectory = Session("Fix total in src/a.py").read("src/a.py").say("I look at it.").build()
    trajectory.complete = complete
    assert ("A-nothing-done" in ids(trajectory)) is complete
