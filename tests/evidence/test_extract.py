"""From steps to events: what is an edit, a run, a commit, and where each one points back to."""

from __future__ import annotations

import pytest

from builders import ROOT, Session, pytest_output
from rigorbench.api import extract
from rigorbench.evidence.events import ClaimEvent, CommitEvent, EditEvent, EpisodeEvent, PlanEvent, RunEvent
from rigorbench.evidence.events import TestRunEvent as Run
from rigorbench.evidence.facts import Evidence
from rigorbench.session.model import Result, Shell, ShellOutput

A, TESTS = "src/a.py", "tests/test_a.py"
OLD_TEST = "def test_old():\n    assert total([1]) == 1\n"
NEW_TEST = "def test_new():\n    assert total([2]) == 2\n"


def kinds(session: Session) -> list[str]:
    return [type(e).__name__.removesuffix("Event") for e in extract(session.build()).events]


def edits(session: Session) -> list[EditEvent]:
    return [e for e in extract(session.build()).events if isinstance(e, EditEvent)]


def made_by(evidence: Evidence) -> list[tuple[str | None, bool, bool]]:
    return [(t.name, t.has_assertion and not t.skipped, t.edited) for f in evidence.edits.values() for t in f.tests]


def test_events_are_numbered_in_order_and_point_back_to_the_log() -> None:
    work = Session("Fix it").read(A).change().green().commit("Fix it").say("Done: it works.")
    events = extract(work.build()).events
    assert [e.id for e in events] == [f"e{n}" for n in range(len(events))]
    assert [e.step for e in events] == sorted(e.step for e in events)
    assert all(e.source.line == e.step + 1 for e in events)


def test_facts_and_references_follow_an_event_that_a_late_result_puts_between_earlier_ones() -> None:
    work = Session("Fix it").todo("Fix total in a.py", "Run the tests").change().red(passed=2).change()
    work.shell("pytest -q > out.txt").change().read("out.txt", pytest_output(3))
    evidence = extract(work.pytest(3).commit("Fix total").say("All tests pass.").build())
    by_id = {e.id: e for e in evidence.events}
    assert {type(by_id[i]) for i in evidence.plans} == {PlanEvent}
    assert {type(by_id[i]) for i in evidence.edits} == {EditEvent}
    assert {type(by_id[i]) for i in evidence.checks} == {Run}
    assert {type(by_id[i]) for i in evidence.commits} == {CommitEvent}
    assert all(by_id[i].path == A for i in evidence.edits)
    late = next(e for e in evidence.events if isinstance(e, Run) and "out.txt" in e.command)
    assert evidence.events.index(late) < max(n for n, e in enumerate(evidence.events) if isinstance(e, EditEvent))
    assert evidence.checks[late.id].passed
    (episode,) = (e for e in evidence.events if isinstance(e, EpisodeEvent))
    assert all(isinstance(by_id[i], Run) for i in episode.checks)
    assert all(isinstance(by_id[i], EditEvent) for edits in episode.attempt_edits for i in edits)
    (claim,) = (e for e in evidence.events if isinstance(e, ClaimEvent))
    assert [type(by_id[i]) for i in claim.supported_by] == [Run]


def test_calls_count_the_completed_calls_of_their_lane() -> None:
    work = Session().read(A).spawn("helper").in_lane("helper").read(A).in_lane("main").pytest(3)
    work.steps[0].calls[0].result = None
    wanted = [("main", None), ("main", 0), ("helper", 0), ("main", 1)]
    assert [(e.lane, e.call) for e in extract(work.build()).events] == wanted


def test_paths_are_relative_to_the_root() -> None:
    assert [e.path for e in edits(Session().change(f"{ROOT}/src/a.py", "src/b.py"))] == ["src/a.py", "src/b.py"]


def test_what_an_agent_remembers_shows_no_root() -> None:
    memory = "/home/dev/.claude/projects/a/memory/MEMORY.md"
    session = Session().edit(memory, "x", "y").edit(memory, "y", "z").edit(f"{ROOT}/src/a.py", "x", "y")
    assert [e.path for e in edits(session)][-1] == "src/a.py"


def test_what_failed_or_was_refused_made_no_edit_and_no_plan() -> None:
    work = Session().edit(A, "x", "y", applied=False).edit(A, "x", "y").todo("Fix a.py", "Run the tests")
    work.steps[-2].calls[0].result = Result("The user refused", denied=True)
    work.steps[-1].calls[0].result = Result("InputValidationError", is_error=True)
    work.fails("sed -i 's/x/y/' src/a.py", "sed: can't read src/a.py", 2)
    assert not {"Edit", "Plan"} & set(kinds(work))


@pytest.mark.parametrize(
    ("command", "path", "operation"),
    [
        ("cat > src/new.py <<'EOF'\nx = 1\nEOF", "src/new.py", "create"),
        ("sed -i 's/x/y/' src/a.py", "src/a.py", "modify"),
        ("rm src/a.py", "src/a.py", "delete"),
        ("git mv src/a.py src/b.py", "src/a.py", "rename"),
        ("git checkout -- src/a.py", "src/a.py", "modify"),
        ("cd src && echo 'x = 1' >> a.py", "src/a.py", "modify"),
    ],
)
def test_edits_through_the_shell(command: str, path: str, operation: str) -> None:
    (edit,) = edits(Session().shell(command))
    assert (edit.path, edit.operation, edit.via) == (path, operation, "shell")


def test_a_file_that_was_read_before_is_not_created_by_a_write() -> None:
    (edit,) = edits(Session().read(A, "x = 1\n").write(A, "x = 2\n"))
    assert edit.operation == "modify"


@pytest.mark.parametrize(
    ("work", "scratch"),
    [
        (Session().write("probe.py", "print(1)\n").shell("python probe.py", "1").shell("rm probe.py"), True),
        (Session().read(TESTS, OLD_TEST).write(TESTS, NEW_TEST).shell(f"rm {TESTS}"), False),
    ],
)
def test_a_throwaway_script_is_scratch_and_a_removed_file_of_the_project_is_not(work: Session, scratch: bool) -> None:
    assert {f.scratch for f in extract(work.build()).edits.values()} == {scratch}


@pytest.mark.parametrize(
    ("work", "expected"),
    [
        (Session().edit(TESTS, "", NEW_TEST), [("test_new", True, False)]),
        (Session().edit(TESTS, OLD_TEST, OLD_TEST + NEW_TEST), [("test_new", True, False)]),
        (Session().edit(TESTS, OLD_TEST, OLD_TEST.replace("== 1", "== 2")), [("test_old", True, True)]),
        (Session().edit(TESTS, OLD_TEST, OLD_TEST + "    # done\n"), []),
        (Session().write(TESTS, OLD_TEST + NEW_TEST, before=OLD_TEST), [("test_new", True, False)]),
        (Session().read(TESTS, OLD_TEST).write(TESTS, OLD_TEST + NEW_TEST), [("test_new", True, False)]),
        (Session().edit(TESTS, "    x = 1\n", "    assert total([3]) == 3\n"), [(None, True, True)]),
        (Session().edit(TESTS, "    x = 1\n", "    assert True\n"), [(None, False, True)]),
        (Session().edit(TESTS, "", "def test_new():\n    assert 1 == 2 - 1\n"), [("test_new", False, False)]),
    ],
)
def test_the_agents_tests(work: Session, expected: list[tuple[str | None, bool, bool]]) -> None:
    assert made_by(extract(work.build())) == expected


@pytest.mark.parametrize(
    ("new", "removed", "weakened"),
    [
        ("", ["test_old"], []),
        (NEW_TEST, ["test_old"], []),
        (OLD_TEST.replace("assert total([1]) == 1", "pass"), [], ["test_old"]),
        (OLD_TEST.replace("assert total([1]) == 1", "assert True"), [], ["test_old"]),
        ("@pytest.mark.skip\n" + OLD_TEST, [], ["test_old"]),
        (OLD_TEST.replace("    assert", "    # assert") + "    pass\n", [], ["test_old"]),
        (OLD_TEST + NEW_TEST, [], []),
        (OLD_TEST.replace("== 1", "== 1.0"), [], []),
    ],
)
def test_what_is_taken_away_from_an_old_test(new: str, removed: list[str], weakened: list[str]) -> None:
    (facts,) = extract(Session().edit(TESTS, OLD_TEST, new).build()).edits.values()
    assert (facts.removed_tests, facts.weakened_tests) == (removed, weakened)


def run_of(session: Session) -> Run:
    (event,) = [e for e in extract(session.build()).events if isinstance(e, Run)]
    return event


def test_a_run_carries_its_counts_and_failing_ids() -> None:
    run = run_of(Session().pytest(3, [f"{TESTS}::test_old"]))
    assert (run.outcome, run.passed, run.failed, run.exit_status) == ("failed", 3, 1, 1)
    assert run.failing == [f"{TESTS}::test_old"]


@pytest.mark.parametrize(
    ("command", "effect"),
    [("true", False), ("echo hello", False), ("pytest --version", False), ("python manage.py migrate", True)],
)
def test_commands_without_effect_are_known_as_such(command: str, effect: bool) -> None:
    evidence = extract(Session().shell(command, "x").build())
    (event,) = evidence.events
    assert isinstance(event, RunEvent)
    assert evidence.effectless == (set() if effect else {event.id})


def in_background(command: str, *polls: Result, exit_status: int | None = None) -> list[tuple[str, int | None]]:
    """Outcome and call of the test runs of a command in the background and of the polls of its shell."""
    started = Result("Command running in background with ID: 7", shell_id="7", exit_status=exit_status)
    work = Session().call("Bash", Shell(command, background=True), started)
    for poll in polls:
        work.call("TaskOutput", ShellOutput(shell_id="7"), poll)
    return [(e.outcome, e.call) for e in extract(work.build()).events if isinstance(e, Run)]


SOME = Result("ok  \tshop/cart\t0.1s\n", running=True)
REST = Result("ok  \tshop/cart\t0.1s\nFAIL\tshop/price\t0.2s\nFAIL\n", exit_status=1)
QUIET = Result("", exit_status=0)


@pytest.mark.parametrize(
    ("command", "polls", "status", "run"),
    [
        # The words of a run that goes on are no pass; tail prints when they end.
        ("go test ./...", [SOME], None, ("unknown", 0)),
        ("go test ./...", [SOME, REST], None, ("failed", 2)),
        ("go test ./... | tail -3; sleep 99", [SOME], None, ("passed", 1)),
        # The status of a shell is that of its line, and counts when nobody asked for the output.
        ("go test ./... | grep FAIL | head -5", [QUIET], None, ("unknown", 0)),
        ("pytest -q > log.txt", [QUIET], None, ("passed", 1)),
        ("pytest -q", [], 1, ("error", 0)),
        ("pytest -q | tail -5", [], 1, ("unknown", 0)),
        ("pytest -q", [Result(pytest_output(5))], None, ("passed", 1)),
    ],
)
def test_runs_in_the_background(command: str, polls: list[Result], status: int | None, run: tuple[str, int]) -> None:
    assert in_background(command, *polls, exit_status=status) == [run]


def test_the_first_lines_of_a_runner_without_a_summary_are_no_pass() -> None:
    lines = "ok  \tshop/cart\t0.1s\nok  \tshop/price\t0.2s\n"
    for number, outcome in (("2", "unknown"), ("20", "passed")):
        session = Session().shell(f"go test ./... 2>&1 | head -{number}", lines, exit_status=0)
        assert [e.outcome for e in extract(session.build()).events if isinstance(e, Run)] == [outcome]


@pytest.mark.parametrize(
    ("work", "wanted"),
    [
        (Session().spawn("helper").in_lane("helper").pytest(3), ["Spawn", "TestRun"]),
        (Session().shell("git status").shell("git push --force"), ["Vcs", "Vcs"]),
        (Session().shell("cargo build", "   Compiling a v0.1.0\n    Finished dev"), ["Build"]),
        (Session().fails("git commit -m 'Fix'", "nothing to commit, working tree clean"), ["Vcs"]),
    ],
)
def test_what_calls_are(work: Session, wanted: list[str]) -> None:
    assert kinds(work) == wanted


def commit_of(session: Session) -> tuple[CommitEvent, Evidence]:
    evidence = extract(session.build())
    (event,) = [e for e in evidence.events if isinstance(e, CommitEvent)]
    return event, evidence


def test_a_commit_holds_what_was_staged() -> None:
    event, evidence = commit_of(
        Session().edit(A, "x", "y").edit("src/b.py", "x", "y").commit("Sum every item", add=f"git add {A}")
    )
    assert event.files == [A]
    assert event.message == "Sum every item"
    assert not evidence.commits[event.id].empty


def test_an_empty_commit_is_known_as_such_and_one_of_files_that_are_not_in_the_log_is_not_empty() -> None:
    event, evidence = commit_of(Session().commit("Say something", empty=True))
    assert evidence.commits[event.id].empty
    done = "[main 1a2b3c4] Sum every item\n 3 files changed"
    event, evidence = commit_of(Session().shell("git commit -m 'Sum every item'", done))
    facts = evidence.commits[event.id]
    assert (facts.empty, event.files, facts.describes) == (False, [], True)


def test_a_message_must_share_more_than_small_words_with_the_change() -> None:
    work = Session()
    work.edit(A, "def total(xs):\n    return sum(xs)  # the sum\n", "def total(xs):\n    return sum(xs) + 1\n")
    _, evidence = commit_of(work.commit("Improve the login page for all"))
    assert not next(iter(evidence.commits.values())).describes


SUBMITTED = f"diff --git a/{A} b/{A}\n--- a/{A}\n+++ b/{A}\n@@ -1 +1 @@\n-x\n+y\n"


def undone() -> Session:
    work = Session().edit(A, "x", "z").shell(f"git checkout {A}", "Updated 1 path from the index")
    return work.shell("python /opt/apply_fix.py", "done").pytest(passed=1)


@pytest.mark.parametrize(
    ("work", "diff", "wanted"),
    [
        # It proves an edit that no call shows, and adds nothing to edits that are known.
        (undone(), SUBMITTED, [(A, 0), (A, 1), (A, 2)]),
        (undone(), "", [(A, 0), (A, 1)]),
        (Session().change().shell("python run.py", "done"), SUBMITTED, [(A, 0)]),
        (Session().shell("python run.py", "done"), SUBMITTED, [(A, 0)]),
        (Session().read("src/b.py").say("Done."), SUBMITTED, [(A, 1)]),
        # Other files may have been changed before the session.
        (Session().change().shell("python run.py", "done"), SUBMITTED + SUBMITTED.replace(A, "build.cfg"), [(A, 0)]),
    ],
)
def test_a_final_diff_is_an_edit_where_calls_show_none(work: Session, diff: str, wanted: list[tuple[str, int]]) -> None:
    trajectory = work.build()
    trajectory.extra["submission"] = diff
    assert [(e.path, e.step) for e in extract(trajectory).events if isinstance(e, EditEvent)] == wanted
