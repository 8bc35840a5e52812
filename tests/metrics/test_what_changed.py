"""What is said of the change: by whichever agent, in further work trees, outside the project, in any language."""

from __future__ import annotations

import pytest

from builders import ROOT, Session
from rigorbench.api import extract
from rigorbench.bench.rigorscore.score import score_session
from rigorbench.evidence.events import CommitEvent, EditEvent
from rigorbench.review.result import SubMetric

OUTSIDE = "the log shows only changes of files outside the project (/tmp/count.py)"


def metrics(session: Session) -> dict[str, SubMetric]:
    score = score_session(session.build()).score
    return {n: s for p in score.pillars.values() for n, s in p.submetrics.items()} | score.extended


def test_work_in_a_further_work_tree_is_work_on_the_project() -> None:
    session = Session("Fix total.").spawn("helper", "Fix total in ../fix.")
    session.shell(f"cd {ROOT} && git worktree add ../fix -b fix-total", "Preparing worktree (new branch 'fix-total')\n")
    session.in_lane("helper").read("/home/dev/fix/src/a.py")
    session.edit("/home/dev/fix/src/a.py", "return 0", "return sum(items)")
    session.shell("cd /home/dev/fix && python -m pytest -q", "3 passed in 0.1s\n")
    session.shell(
        "cd /home/dev/fix && git commit -am 'Sum the items'",
        "[fix-total 1a2b3c4] Sum the items\n 1 file changed, 1 insertion(+), 1 deletion(-)\n",
    )
    trajectory = session.build()
    events = extract(trajectory).events
    assert [(e.path, e.role) for e in events if isinstance(e, EditEvent)] == [("src/a.py", "production")]
    assert [e.files for e in events if isinstance(e, CommitEvent)] == [["src/a.py"]]
    assert score_session(trajectory).score.extended["CGR"].value == 1.0


def test_a_work_tree_of_a_state_that_exists_is_no_place_of_work() -> None:
    session = Session("Fix total.").shell("git worktree add ../old HEAD~1", "Preparing worktree (detached HEAD)\n")
    session.edit("/home/dev/old/src/a.py", "return 0", "return 1").edit(f"{ROOT}/src/a.py", "return 0", "return 2")
    trajectory = session.build()
    trajectory.cwd = ROOT
    found = extract(trajectory)
    assert [found.edits[e.id].in_root for e in found.events if isinstance(e, EditEvent)] == [False, True]


def test_where_only_other_files_were_changed_that_is_said() -> None:
    found = metrics(
        Session("How many are there?").write("/tmp/count.py", "print(1)\n").shell("python /tmp/count.py", "1\n")
    )
    assert {found[name].reason for name in ("PAC", "DQ", "BH", "TS", "TCR", "dC", "TAD")} == {OUTSIDE}
    nothing = metrics(Session("How many are there?").read("src/a.py"))
    assert nothing["BH"].reason == "the log shows no edit in the project"


@pytest.mark.parametrize("path", ["src/player.gd", "src/page.css"])
def test_code_whose_functions_are_not_recognised_is_no_lack_of_code(path: str) -> None:
    found = metrics(Session("Add a jump.").write(path, "extends Node\n\nfunc jump():\n\treturn 1\n"))
    for name in ("TCR", "dC", "TAD"):
        assert found[name].status == "unscorable"
        assert found[name].reason == f"in the files that were changed no functions are recognised ({path})"


def test_a_change_of_comments_only_is_called_that() -> None:
    found = metrics(Session("Explain.").edit("src/a.py", "x = 1  # old\n", "x = 1  # new\n"))
    assert found["TCR"].reason == "only comments and blank space of the production code were changed (src/a.py)"


def test_tests_before_a_commit_are_not_denied_where_a_program_may_have_run_them() -> None:
    session = Session("Fix a.").edit("src/a.py", "return 0", "return 1")
    found = metrics(session.shell("tool verify-all", "ok\n").commit("Return one"))["verify_before_commit"]
    assert (found.value, found.status) == (None, "unscorable")


def test_a_claim_is_about_the_changes_before_it() -> None:
    session = Session("Fix a.").edit("src/a.py", "return 0", "return 1").pytest(3).say("All tests pass.")
    session.user("Now b.").edit("src/b.py", "return 0", "return 2")
    assert metrics(session)["verify_before_claim"].value == 1.0
