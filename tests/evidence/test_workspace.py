"""What a session shows of its files: scripts that edit, throw-away files, roles, and what a commit holds."""

from __future__ import annotations

import pytest

from builders import ROOT, Session, rows
from rigorbench.api import extract
from rigorbench.bench.rigorscore.score import open_session
from rigorbench.evidence.events import BuildEvent, CommitEvent, EditEvent, LintEvent, PlanEvent, RunEvent
from rigorbench.evidence.events import TestRunEvent as Run
from rigorbench.evidence.facts import Evidence

FIX = """path = 'src/a.py'
with open(path) as f:
    text = f.read()
text = text.replace("return 0", "return 1")
with open(path, 'w') as f:
    f.write(text)
"""


def evidence(session: Session) -> Evidence:
    return extract(session.build())


def edits(found: Evidence) -> list[tuple[str, str, str]]:
    """(path, operation, role or "scratch") of every edit."""
    return [
        (e.path, e.operation, "scratch" if found.edits[e.id].scratch else e.role)
        for e in found.events
        if isinstance(e, EditEvent)
    ]


def test_running_a_script_of_ones_own_makes_the_edits_it_holds() -> None:
    session = Session("Fix a").shell(f"cat > apply_fix.py <<'EOF'\n{FIX}EOF").shell("python apply_fix.py")
    assert edits(evidence(session)) == [("apply_fix.py", "create", "scratch"), ("src/a.py", "modify", "production")]


def test_a_script_outside_the_project_edits_it_too() -> None:
    text = FIX.replace("'src/a.py'", f"'{ROOT}/src/a.py'")
    session = Session("Fix a").shell(f"cd {ROOT} && cat > /tmp/fix.py <<'EOF'\n{text}EOF")
    session.shell(f"cd {ROOT} && python /tmp/fix.py")
    assert ("src/a.py", "modify", "production") in edits(evidence(session))


def test_a_script_repaired_by_sed_is_run_as_repaired() -> None:
    session = Session("Fix a").shell(f"cat > apply_fix.py <<'EOF'\n{FIX}EOF")
    session.shell("sed -i 's#src/a.py#src/b.py#' apply_fix.py").shell("python apply_fix.py")
    assert edits(evidence(session))[-1] == ("src/b.py", "modify", "production")


@pytest.mark.parametrize("exit_status", [1, None])
def test_a_script_that_crashes_edits_nothing(exit_status: int | None) -> None:
    crash = 'Traceback (most recent call last):\n  File "apply_fix.py", line 3\nOSError: no such file\n'
    session = Session("Fix a").shell(f"cat > apply_fix.py <<'EOF'\n{FIX}EOF")
    session.shell("python apply_fix.py", crash, exit_status=exit_status)
    assert [path for path, _, _ in edits(evidence(session))] == ["apply_fix.py"]


CHECKED = """path = 'src/a.py'
text = open(path).read()
old = "return 0"
if old in text:
    with open(path, 'w') as f:
        f.write(text.replace(old, "return 1"))
else:
    print(f"could not find the line in {path}")
"""


def test_a_branch_that_its_output_shows_was_not_taken_edits_nothing() -> None:
    def made(output: str) -> list[str]:
        session = Session("Fix a").shell(f"python - <<'EOF'\n{CHECKED}EOF", output)
        return [path for path, *_ in edits(evidence(session))]

    assert made("could not find the line in src/a.py\n") == []
    assert made("") == ["src/a.py"]


def test_what_a_script_wrote_before_it_crashed_is_an_edit() -> None:
    code = "open('a.py', 'w').write('x = 1')\nassert 'y' in open('b.py').read()\nopen('b.py', 'w').write('')\n"
    crash = 'Traceback (most recent call last):\n  File "<stdin>", line 2, in <module>\nAssertionError\n'
    for exit_status in (1, None):
        session = Session("Fix a").shell(f"python - <<'EOF'\n{code}EOF", crash, exit_status=exit_status)
        assert [path for path, *_ in edits(evidence(session))] == ["a.py"]


@pytest.mark.parametrize(
    ("path", "scratch"),
    rows({
        True: ["reproduce_issue.py", "repro.py", "debug_parse.py", ".bench_scratch/run.py", "src/a.py.bak", "fix.patch",
             "tmp/x.py"],
        False: ["src/debug_toolbar.py", "src/template.py", "temperature.py", "src/reproduction.py", "patches/a.patch"],
    }),
)  # fmt: skip
def test_files_made_to_try_something_out_are_scratch(path: str, scratch: bool) -> None:
    assert (edits(evidence(Session("Fix a").write(path, "print(1)\n")))[0][2] == "scratch") is scratch


CLEARS = "import shutil\nfrom shop import store\nstore('out.db')\nshutil.rmtree('out.db')\n"
MODELS = ("trial/models.py", "class A: pass\n")


@pytest.mark.parametrize(
    ("session", "wanted"),
    [
        # What a program clears away after itself is no edit of the project.
        (Session("Fix a").write("try_it.py", CLEARS).shell("python try_it.py").shell("rm -rf try_it.py out.db"),
         ["try_it.py create scratch", "try_it.py delete scratch", "out.db delete scratch"]),
        # What is made and removed again is scratch, with its directory and the directories in it.
        (Session("Fix a").write("trial/app.py", "x = 1\n").shell("rm -rf trial/made").shell("rm -rf trial"),
         ["trial/app.py create scratch", "trial/made delete scratch", "trial delete scratch"]),
        (Session("Fix a").write(*MODELS).write("src/a.py", "x = 1\n", before="x = 0\n").shell("rm -r trial"),
         ["trial/models.py create scratch", "src/a.py modify production", "trial delete scratch"]),
        # A file that was there before is never scratch.
        (Session("Fix a").read("debug_parse.py", "x = 1\n").edit("debug_parse.py", "x = 1", "x = 2"),
         ["debug_parse.py modify production"]),
        # A fragment does not overrule the role that its whole text gave.
        (Session("Fix a").write("check_a.py", "def test_a():\n    assert a() == 1\n")
         .shell("cat >> check_a.py <<'EOF'\nprint(1)\nEOF"), ["check_a.py create test", "check_a.py modify test"]),
        # To write a known file as a whole is to modify it.
        (Session("Fix a").read("a.txt", "old").shell("echo new > a.txt").shell("echo x > b.txt"),
         ["a.txt modify document", "b.txt create document"]),
    ],
)  # fmt: skip
def test_edits_and_what_is_scratch(session: Session, wanted: list[str]) -> None:
    assert [" ".join(e) for e in edits(evidence(session))] == wanted


def committed(session: Session) -> list[list[str]]:
    return [e.files for e in evidence(session).events if isinstance(e, CommitEvent)]


def two_files() -> Session:
    return Session("Fix a, commit").write("src/a.py", "x = 1\n", before="").write("src/b.py", "y = 1\n", before="")


SET_X = "[main 1a2b3c4] Set x\n 1 file changed, 1 insertion(+)\n"
BOTH = ["src/a.py", "src/b.py"]


@pytest.mark.parametrize(
    ("session", "files"),
    [
        # A path that was reset, files that were restored, and one that was made and removed are in no commit.
        (two_files().shell("git add -A").shell("git reset -q src/b.py").commit("Set x", add="true"), [["src/a.py"]]),
        (two_files().shell("git checkout -- src/b.py").commit("Set x"), [["src/a.py"]]),
        (two_files().write("notes.txt", "x").shell("rm notes.txt").commit("Set x and y"), [BOTH]),
        # A soft reset stages what was committed; a commit with all leaves new files out.
        (two_files().commit("Set x").shell("git reset --soft HEAD~1").commit("Set both", add="true"), [BOTH, BOTH]),
        (Session("Fix a").write("src/a.py", "x = 1\n", before="x").write("src/new.py", "z = 1\n")
         .shell("git commit -am 'Set x'", SET_X), [["src/a.py"]]),
    ],
)  # fmt: skip
def test_the_files_of_a_commit(session: Session, files: list[list[str]]) -> None:
    assert committed(session) == files


def test_a_merge_is_not_judged_by_its_size_and_words() -> None:
    session = two_files().write("docs/c.md", "z", before="")
    found = evidence(session.commit("Merge remote-tracking branch 'origin/main' into " + "a-very-long-name-" * 8))
    (facts,) = found.commits.values()
    assert (facts.message_problems, facts.imperative) == ([], True)


def test_the_failure_of_the_second_check_is_not_the_firsts() -> None:
    output = (
        "[imports] $ goimports -l .\n[lint] $ golangci-lint run\na.go:1:2: unused (unused)\n1 issues:\n"
        "[lint] ERROR failed\n"
    )
    found = evidence(Session("Fix a").shell("mise run imports && mise run lint 2>&1", output, exit_status=1))
    wanted = [("imports", "passed"), ("lint", "failed")]
    assert [(e.command.split()[2], e.outcome) for e in found.events if isinstance(e, LintEvent)] == wanted


def test_a_formatter_that_rewrites_is_no_check() -> None:
    output = "[fmt] $ gofmt -w .\n[lint] $ golangci-lint run\n0 issues.\n"
    found = evidence(Session("Fix a").shell("mise run fmt && mise run lint 2>&1", output, exit_status=0))
    assert [(e.command.split()[2], e.outcome) for e in found.events if isinstance(e, LintEvent)] == [("lint", "passed")]
    assert [e.command for e in found.events if isinstance(e, RunEvent)] == ["mise run fmt"]


def test_a_lint_beside_tests_is_no_second_test_run() -> None:
    output = "[test] $ go test ./...\nok  \texample.com/a\t0.1s\n[lint] $ golangci-lint run ./...\n0 issues.\n"
    found = evidence(Session("Fix a").shell("mise run test && mise run lint", output))
    assert [e.outcome for e in found.events if isinstance(e, Run)] == ["passed"]
    assert [e.outcome for e in found.events if isinstance(e, LintEvent)] == ["passed"]


def test_what_stands_behind_a_failed_build_never_ran() -> None:
    output = "TestA.java:3: error: ';' expected\n        int x\n             ^\n1 error\n"
    found = evidence(Session("Fix a").shell("javac TestA.java && java TestA", output, exit_status=1))
    assert [e.outcome for e in found.events if isinstance(e, BuildEvent)] == ["failed"]
    assert not [e for e in found.events if isinstance(e, Run)]


STEPS = "\n1. Add a guard to load() in src/a.py\n2. Run the tests in tests/test_a.py"


def test_what_closes_a_turn_reports_and_plans_nothing() -> None:
    session = Session("Fix a").edit("src/a.py", "0", "1").say("Here is what I did, the steps:" + STEPS).user("Thanks")
    assert not [e for e in evidence(session).events if isinstance(e, PlanEvent)]


def test_a_plan_put_to_the_user_closes_a_turn() -> None:
    session = Session("Fix a").say("My plan:" + STEPS + "\n\nShall I go on?").user("Yes").edit("src/a.py", "0", "1")
    assert [len(e.items) for e in evidence(session).events if isinstance(e, PlanEvent)] == [2]


def test_commands_of_one_call_that_change_a_file_in_turn_make_one_edit() -> None:
    line = "sed -i 's/a/b/' src/x.py\nsed -i 's/c/d/' src/x.py\ngit commit -qam 'Rename both'"
    session = Session("Rename").shell(line).shell("git commit --amend --no-edit", "[main 1a2b3c4] Rename both\n")
    found = evidence(session)
    assert edits(found) == [("src/x.py", "modify", "production")]
    (edit,) = [e for e in found.events if isinstance(e, EditEvent)]
    assert found.edits[edit.id].change.hunks == [("a", "b"), ("c", "d")]
    apart = "sed -i 's/a/b/' src/x.py; pytest -q; sed -i 's/c/d/' src/x.py"
    assert len(edits(evidence(Session("Rename").shell(apart, "1 passed in 0.1s\n")))) == 2


def test_the_files_that_a_command_could_not_find_are_those_it_left_alone() -> None:
    missing = "rm: cannot remove 'src/new.py': No such file or directory\n"
    session = Session("Fix a").write("try_it.py", "x = 1\n")
    session.shell("rm try_it.py src/new.py", missing, exit_status=1)
    session.shell("sed -i 's/a/b/' src/a.py src/b.py; true", "sed: can't read src/b.py: No such file or directory\n")
    assert edits(evidence(session)) == [
        ("try_it.py", "create", "scratch"),
        ("try_it.py", "delete", "scratch"),
        ("src/a.py", "modify", "production"),
    ]
    unmatched = Session("Fix a").shell("git rm -r src/a.py src/b 2>/dev/null || true", "rm 'src/b/c.py'\n")
    assert edits(evidence(unmatched)) == [("src/b", "delete", "production")]
    refused = Session("Fix a").shell("rm src/a.py", "rm: missing operand\n", exit_status=1)
    assert edits(evidence(refused)) == []


def remaining(session: Session) -> set[str]:
    """The files that differ at the end from the start."""
    return {e.new_path or e.path for e in open_session(session.build()).edits}


def test_a_file_made_to_take_the_place_of_another_is_gone() -> None:
    session = Session("Fix a").write("src/a.py.new", "x = 1\n").shell("mv src/a.py.new src/a.py")
    assert remaining(session) == {"src/a.py"}


def test_what_a_script_changes_after_a_checkout_in_the_same_call_is_not_put_back() -> None:
    code = "lines = open('src/a.py').readlines()\nlines[3] = ''\nopen('src/a.py', 'w').writelines(lines)\n"
    session = Session("Fix a").write("/tmp/fix.py", code)
    assert remaining(session.shell("git checkout src/a.py && python /tmp/fix.py")) == {"src/a.py"}
    assert remaining(session.shell("git checkout src/a.py")) == set()
