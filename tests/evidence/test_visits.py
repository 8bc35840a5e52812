"""On which tree a command ran: a stash, another revision and a copy are visits, and moved files are where they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from builders import Session
from builders_capture import Capture
from rigorbench.api import extract, read
from rigorbench.evidence.events import CommitEvent, EditEvent, EpisodeEvent, ReproductionEvent
from rigorbench.evidence.events import TestRunEvent as RanTests
from rigorbench.evidence.facts import Evidence
from rigorbench.review.failures import open_failure
from rigorbench.review.session import Session as Scored

RED = ["tests/test_bill.py::test_tax"]
NOTHING = "No local changes to save\n"
NONE_LEFT = "No stash entries found.\n"
SAVED = "Saved working directory and index state WIP on main: 1a2b3c4 Add bills\n"
DROPPED = "Dropped refs/stash@{0} (5e6f7a8b9c)\n"
BRANCH = "Switched to branch 'main'\n"


def repaired(request: str = "Add the tax to the bill") -> Session:
    return Session(request).edit("src/bill.py", "return net", "return net + tax").pytest(4)


def trees(session: Session) -> list[str]:
    """The tree of each run of tests: the agent's own, the start tree, another, or not the agent's (no facts)."""
    found = extract(session.build())
    names = []
    for event in found.events:
        if isinstance(event, RanTests | ReproductionEvent):
            facts = found.checks.get(event.id)
            there = "other" if facts is None or facts.mixed else "start"
            names.append(there if event.id in found.elsewhere else "own")
    return names


@pytest.mark.parametrize(
    ("session", "tree"),
    [
        # A stash is a visit once it is back.
        (repaired().shell("git stash").pytest(3, RED).shell("git stash pop"), "start"),
        (repaired().shell("git stash", SAVED).pytest(3, RED).shell("git stash pop", DROPPED), "start"),
        (repaired().shell("git stash push -m x").pytest(3, RED).shell("git stash apply"), "start"),
        (repaired().shell("git stash -u").pytest(3, RED).shell("git stash pop --index"), "start"),
        (repaired().shell("git stash", NOTHING).pytest(3, RED).shell("git stash pop", NONE_LEFT, exit_status=1), "own"),
        (repaired().pytest(3, RED, command="git stash -q; pytest -q; git stash pop -q", exit_status=0), "start"),
        (repaired().commit("Add the tax").pytest(3, RED, command="git stash -q; pytest -q; git stash pop -q",
         exit_status=0), "own"),
        (repaired().shell("git stash", "", exit_status=128).pytest(3, RED).shell("git stash pop", exit_status=1),
         "own"),
        (repaired().shell("git stash").pytest(3, RED).shell("git stash drop"), "own"),
        (repaired().shell("git stash").pytest(3, RED), "own"),
        (repaired().shell("git stash -q -- src").pytest(3, RED).shell("git stash pop"), "other"),
        (repaired().shell("git stash push src/bill.py").pytest(3, RED).shell("git stash pop"), "other"),
        (repaired().shell("git stash -k").pytest(3, RED).shell("git stash pop"), "other"),
        (repaired().commit("Tax").edit("src/a.py", "1", "2").shell("git stash").pytest(3, RED).shell("git stash pop"),
         "other"),
        (repaired().shell("git stash").edit("src/a.py", "1", "2").pytest(3, RED).shell("git stash pop"), "other"),
        (repaired().shell("cd /tmp/else && git stash").pytest(3, RED).shell("cd /tmp/else && git stash pop"), "own"),
        # So is another revision once the agent is back.
        (repaired().shell("git checkout -q HEAD~1").pytest(3, RED).shell("git checkout -q -"), "other"),
        (repaired().shell("git checkout v1.2").pytest(3, RED).shell("git checkout main", BRANCH), "other"),
        (repaired().shell("git switch --detach a1b2c3d").pytest(3, RED).shell("git switch -"), "other"),
        (repaired().shell("git checkout v1").shell("git checkout HEAD~4").pytest(3, RED).shell("git switch main"),
         "other"),
        (repaired().shell("git checkout -b tax").pytest(3, RED).shell("git checkout main", BRANCH), "own"),
        (repaired().shell("git checkout tax").pytest(3, RED), "own"),
        (Session("Add the tax").shell("git checkout tax").edit("src/bill.py", "net", "sum").pytest(3, RED)
         .shell("git checkout main", BRANCH), "own"),
        (repaired().shell("git checkout src/bill.py").pytest(3, RED).shell("git checkout -- docs"), "own"),
        # Copies of the project have trees of their own.
        (repaired().shell("git worktree add /tmp/w HEAD").pytest(3, RED, command="cd /tmp/w && pytest -q"), "start"),
        (repaired().pytest(3, RED, command="git clone -q . /tmp/w && cd /tmp/w && pytest -q"), "start"),
        (repaired().commit("Tax").pytest(4, command="git clone -q . /tmp/w && cd /tmp/w && pytest -q"), "own"),
        (repaired().commit("Tax").pytest(3, RED, command="git clone -q . /tmp/w && cd /tmp/w && "
         "for c in $(git rev-list HEAD); do git checkout -q $c; pytest -q; done"), "other"),
        (repaired().pytest(4, command="cp -r . /tmp/w && cd /tmp/w && pytest -q"), "own"),
        (repaired().pytest(3, RED, command="cp -r . /tmp/w && cd /tmp/w && git checkout -q . && pytest -q"), "start"),
        (repaired().pytest(3, RED, command='d=$(mktemp -d) && cp -r . "$d" && cd "$d" && git checkout . && pytest'),
         "start"),
        (repaired().shell("cp -a . /tmp/w").edit("src/bill.py", "net + tax", "net")
         .pytest(3, RED, command="cd /tmp/w && pytest"), "other"),
        (repaired().shell("git worktree add /tmp/w HEAD").edit("/tmp/w/src/bill.py", "net", "sum")
         .pytest(3, RED, command="cd /tmp/w && pytest -q"), "own"),
    ],
)  # fmt: skip
def test_on_which_tree_a_run_was(session: Session, tree: str) -> None:
    assert trees(session)[-1] == tree


def exchanged(session: Session) -> bool:
    return bool(extract(session.build()).exchanges)


def test_a_look_at_another_revision_leaves_the_files_as_they_were_tested() -> None:
    assert exchanged(repaired().shell("git checkout v1"))
    assert not exchanged(repaired().shell("git checkout v1").shell("git checkout -"))
    assert exchanged(repaired().shell("git checkout v1 -- src/bill.py"))


def test_whether_a_revision_that_was_kept_changed_files_is_not_known() -> None:
    def unknown(session: Session) -> bool:
        return any("edit" in u.may for u in extract(session.build()).unplaced)

    assert unknown(Session("Look at v1").shell("git checkout v1"))
    assert unknown(Session("Take main in").shell("git merge main"))
    assert not unknown(Session("Look at v1").shell("git checkout v1").shell("git checkout -"))


@pytest.mark.parametrize(
    "aside",
    [
        lambda s: s.shell("git stash").pytest(3, RED).shell("git stash pop"),
        lambda s: s.shell("git stash -q -- src").pytest(3, RED).shell("git stash pop -q"),
        lambda s: s.shell("git checkout -q HEAD~2").pytest(3, RED).shell("git checkout -q -"),
        lambda s: s.shell("git worktree add /tmp/w HEAD").pytest(3, RED, command="cd /tmp/w && pytest -q"),
    ],
)
def test_a_red_check_of_old_code_is_no_failure_of_the_agents(aside) -> None:
    found = extract(aside(repaired()).say("The tax is added.").build())
    assert not [e for e in found.events if isinstance(e, EpisodeEvent) and e.counts]


@pytest.mark.parametrize("back", ["git checkout src/bill.py", "git restore src/bill.py", "git checkout -- src/bill.py"])
def test_what_fails_on_a_change_that_its_own_call_takes_back_is_no_failure_of_the_work(back: str) -> None:
    """A test is tried: it has to fail without what it tests."""
    line = f"sed -i 's/net + tax/net/' src/bill.py && pytest -q; {back}"
    tried = repaired().commit("Add the tax").pytest(3, RED, command=line, exit_status=0)
    assert trees(tried) == ["own", "other"]
    assert not [e for e in extract(tried.build()).events if isinstance(e, EpisodeEvent)]
    assert open_failure(Scored(extract(tried.build()))), "it may be one of the work as well"
    for other in (line.partition(";")[0], line.replace(back, "git checkout README.md")):
        kept = repaired().commit("Add the tax").pytest(3, RED, command=other, exit_status=1)
        assert trees(kept) == ["own", "own"]


def test_a_reproduction_on_stashed_code_ran_elsewhere() -> None:
    session = repaired().write("/tmp/show.py", "from src.bill import bill\nassert bill(1) == 2\n")
    session.shell("git stash").shell("python /tmp/show.py", "AssertionError\n", exit_status=1).shell("git stash pop")
    assert trees(session)[-1] == "other" or trees(session)[-1] == "start"


def left(session: Session) -> list[str]:
    return [e.path for e in Scored(extract(session.build())).edits]


@pytest.mark.parametrize(
    "session",
    [
        Session("Tidy up").shell("git mv src/a.py src/b.py").shell("git mv src/b.py src/a.py"),
        Session("Tidy up").shell("mv tests/test_a.py /tmp/").shell("mv /tmp/test_a.py tests/test_a.py"),
        Session("Tidy up").shell("mv src/a.py src/a.off && pytest -q; mv src/a.off src/a.py", "2 passed in 0.1s\n"),
        Session("Tidy up").shell("rm src/a.py").shell("git checkout -- src/a.py"),
        Session("Tidy up").shell("rm -r src").shell("git restore src"),
        Session("Tidy up").shell("git checkout HEAD~3 -- src/a.py").shell("git checkout HEAD -- src/a.py"),
        Session("Tidy up").shell("git checkout HEAD~3").shell("git checkout -"),
        Session("Tidy up").edit("src/a.py", "1", "2").shell("git stash").shell("git stash drop"),
        Session("Tidy up").edit("src/a.py", "1", "2").shell("git stash"),
        Session("Tidy up").edit("src/a.py", "1", "2").shell("git reset --hard -q"),
        Session("Tidy up").shell("git rm --cached src/a.py"),
    ],
)
def test_a_file_is_where_it_is_at_the_end(session: Session) -> None:
    assert left(session) == []


@pytest.mark.parametrize(
    "session",
    [
        Session("Tidy up").edit("src/a.py", "1", "2").shell("git stash").shell("git stash pop"),
        Session("Tidy up").edit("src/a.py", "1", "2").shell("git stash", NOTHING, exit_status=0),
        Session("Tidy up").edit("src/a.py", "1", "2").shell("git stash -q -- src/b.py"),
        Session("Tidy up").edit("src/a.py", "1", "2").shell("git clean -fd"),
        Session("Tidy up").shell("git checkout HEAD~3 -- src/a.py"),
    ],
)
def test_and_what_is_left_is_left(session: Session) -> None:
    assert set(left(session)) == {"src/a.py"}


# -- commits


def commits(session: Session) -> list[tuple[str, list[str]]]:
    """The commits that are left, each with what is wrong with it."""
    found = extract(session.build())
    events = [e for e in found.events if isinstance(e, CommitEvent) and not e.amended]
    return [(e.message, [*found.commits[e.id].message_problems, *found.commits[e.id].hygiene_problems]) for e in events]


def two() -> Session:
    return repaired().commit("Add the tax").edit("src/bill.py", "a", "b").commit("Rename a")


@pytest.mark.parametrize(
    ("session", "left"),
    [
        (two().shell("git reset --hard HEAD~1"), ["Add the tax"]),
        (two().shell("git reset -q HEAD~2"), []),
        (two().shell("git reset --soft 1a2b3c4").commit("Add the tax at once", add="true"), ["Add the tax at once"]),
        (two().shell("git reset HEAD src/bill.py"), ["Add the tax", "Rename a"]),
        (two().shell("git commit --amend -qm 'Call it b'").shell("git reset --hard HEAD~1"), ["Add the tax"]),
    ],
)
def test_a_commit_that_was_reset_away_is_not_left(session: Session, left: list[str]) -> None:
    assert [message for message, _ in commits(session)] == left


@pytest.mark.parametrize(
    ("output", "faults"),
    [
        ("[main 1a2b3c4] Drop it\n 1 file changed, 9 deletions(-)\n delete mode 100644 fix.patch\n", 0),
        ("[main 1a2b3c4] Drop it\n 1 file changed, 9 insertions(+)\n create mode 100644 fix.patch\n", 1),
        ("[main 1a2b3c4] Drop it\n 1 file changed, 2 insertions(+)\n", 0),
    ],
)
def test_only_what_a_commit_certainly_has_is_held_against_it(output: str, faults: int) -> None:
    session = repaired().write("fix.patch", "x\n").shell("git add -A && git commit -m 'Drop it'", output)
    assert len(commits(session)[0][1]) == faults


@pytest.mark.parametrize(
    "line",
    [
        'T=$(mktemp -d); cd $T; git init -q; git commit -qm "First"',
        'cd "$(mktemp -d)" && git init && git commit -m "First"',
        'git clone -q . "$D" && cd "$D" && git commit -am "First"',
        'git init sub/demo && cd sub/demo && git commit -m "First"',
        'cd sub && git init -q demo && git -C demo commit -m "First"',
        'git clone https://example.org/a/demo.git && cd demo && git commit -am "First"',
        'git --git-dir=/tmp/r/.git commit -m "First"',
        'GIT_DIR=/tmp/r/.git git commit -m "First"',
    ],
)
def test_a_commit_in_a_scratch_repository_is_none(line: str) -> None:
    assert commits(repaired().shell(line, "[main 1a2b3c4] First\n 1 file changed, 1 insertion(+)\n")) == []


def test_a_repository_that_has_all_of_the_work_is_the_project() -> None:
    session = Session().shell("git init demo").write("demo/a.py", "x = 1\n")
    session.shell("cd demo && git commit -am First", "[main 1a2b3c4] First\n 1 file changed, 1 insertion(+)\n")
    assert [message for message, _ in commits(session)] == ["First"]


@pytest.mark.parametrize("place", ["$(git rev-parse --show-toplevel)", "$ROOT", "src", "."])
def test_and_one_in_the_project_is_one(place: str) -> None:
    line = f'cd {place} && git commit -am "Add the tax"'
    found = commits(repaired().shell(line, "[main 1a2b3c4] Add the tax\n 1 file changed, 1 insertion(+)\n"))
    assert [message for message, _ in found] == ["Add the tax"]


@pytest.mark.parametrize("subject", ["fixup! Add the tax", 'Revert "wip"'])
def test_a_message_that_git_writes_is_not_judged(subject: str) -> None:
    assert commits(repaired().commit(subject)) == [(subject, [])]


# -- recorded runs

OLD, NEW = "def bill(n):\n    return n\n", "def bill(n):\n    return n + 1\n"
TESTS = "def test_tax():\n    assert bill(1) == 2\n"
FILES = {"src/bill.py": OLD, "tests/test_bill.py": TESTS}
RED_OUTPUT = "F\nFAILED tests/test_bill.py::test_tax - assert 1 == 2\n1 failed in 0.01s\n"


@pytest.fixture
def capture(tmp_path: Path) -> Capture:
    return Capture(tmp_path / "run", FILES)


def evidence(run: Path) -> Evidence:
    return extract(read(run)[0])


def kept(capture: Capture, head: str, index: str, work: str, subject: str, *more: str) -> None:
    """The commits that a stash makes."""
    named = {"sha": index, "tree": capture.known, "parents": [head], "message": f"index on main: {subject}\n"}
    capture.record("note", name="commit", data=named)
    parents = [head, index, *more]
    capture.record(
        "note", name="commit", data={**named, "sha": work, "parents": parents, "message": f"On main: {subject}"}
    )


def test_the_commits_of_a_stash_are_none_of_the_agents(capture: Capture) -> None:
    capture.bash("./fix", edits={"src/bill.py": NEW})
    capture.bash("git stash push -u -m later", edits={"src/bill.py": OLD})
    kept(capture, "c" * 40, "a" * 40, "b" * 40, "later", "d" * 40)
    capture.record("note", name="commit", data={"sha": "d" * 40, "tree": capture.known, "parents": [], "message": "x"})
    capture.bash("git stash pop", edits={"src/bill.py": NEW})
    assert not [e for e in evidence(capture.done()).events if isinstance(e, CommitEvent)]


def test_a_merge_and_a_commit_of_such_a_name_are_commits(capture: Capture) -> None:
    capture.bash("./release.sh", edits={"src/bill.py": NEW})
    note = {"tree": capture.known, "parents": ["c" * 40], "message": "WIP on main: bills"}
    capture.record("note", name="commit", data={**note, "sha": "a" * 40})
    merge = {**note, "sha": "b" * 40, "parents": ["c" * 40, "a" * 40], "message": "Take the bills in"}
    capture.record("note", name="commit", data=merge)
    assert len([e for e in evidence(capture.done()).events if isinstance(e, CommitEvent)]) == 2


@pytest.mark.parametrize("command", ["git rebase main", "git merge --no-edit topic", "git cherry-pick 1a2b3c4"])
def test_commits_that_git_takes_over_are_not_the_agents_own(capture: Capture, command: str) -> None:
    capture.bash(command, edits={"src/bill.py": NEW})
    data = {"sha": "a" * 40, "tree": capture.known, "parents": ["c" * 40], "message": "stuff"}
    capture.record("note", name="commit", data=data)
    assert not [e for e in evidence(capture.done()).events if isinstance(e, CommitEvent)]


def test_old_code_between_the_halves_of_a_stash_is_no_failure(capture: Capture) -> None:
    capture.bash("./fix", edits={"src/bill.py": NEW})
    line = "git stash -q -- src; pytest -q; git stash pop -q"
    capture.during(line, RED_OUTPUT, {"src/bill.py": OLD}, {"src/bill.py": NEW})
    found = evidence(capture.done())
    assert [e.via for e in found.events if isinstance(e, EditEvent)] == ["shell", "git", "git"]
    assert not [e for e in found.events if isinstance(e, EpisodeEvent) and e.counts]
    assert [e.path for e in Scored(found).edits] == ["src/bill.py"]


def test_a_look_at_an_older_commit_deletes_nothing(capture: Capture) -> None:
    capture.bash("git checkout -q HEAD~1", edits={"tests/test_bill.py": None, "src/bill.py": "x = 1\n"})
    capture.bash("git checkout -q -", edits={"tests/test_bill.py": TESTS, "src/bill.py": OLD})
    found = evidence(capture.done())
    assert Scored(found).project_edits == []
    assert not found.tampering


# -- the order within one call


def order(session: Session) -> list[str]:
    events = extract(session.build()).events
    return ["run" if isinstance(e, RanTests) else "edit" for e in events if isinstance(e, RanTests | EditEvent)]


@pytest.mark.parametrize(
    ("line", "kinds"),
    [
        ("sed -i s/1/2/ src/a.py; pytest -q", ["edit", "run"]),
        ("pytest -q; sed -i s/1/2/ src/a.py", ["run", "edit"]),
        ("sed -i s/1/2/ src/a.py; pytest -q; sed -i s/2/3/ src/a.py", ["edit", "run", "edit"]),
    ],
)
def test_the_order_in_one_line_is_kept(line: str, kinds: list[str]) -> None:
    assert order(Session("Count to two").shell(line, "3 passed in 0.1s\n")) == kinds


def test_a_run_sent_to_a_file_stands_before_the_edit_that_follows_it_in_the_line() -> None:
    line = "pytest -q > /tmp/out.txt 2>&1; sed -i s/1/2/ src/a.py; cat /tmp/out.txt"
    assert order(Session("Count to two").shell(line, "3 passed in 0.1s\n")) == ["run", "edit"]
    unread = "pytest -q > /tmp/out.txt 2>&1; sed -i s/1/2/ src/a.py"
    assert order(Session("Count to two").shell(unread)) == ["run", "edit"]


def test_the_recorded_changes_of_one_file_go_to_the_commands_that_name_it_in_turn(capture: Capture) -> None:
    line = "sed -i s/n/m/ src/bill.py; pytest -q; git checkout src/bill.py"
    capture.during(line, RED_OUTPUT, {"src/bill.py": NEW}, {"src/bill.py": OLD})
    found = evidence(capture.done())
    kinds = [type(e).__name__ for e in found.events if isinstance(e, RanTests | EditEvent)]
    assert kinds == ["EditEvent", "TestRunEvent", "EditEvent"]
    assert Scored(found).edits == []


def test_what_a_script_of_the_agents_own_writes_comes_where_it_is_run(capture: Capture) -> None:
    script = "from pathlib import Path\nPath('src/bill.py').write_text('x = 1')\n"
    capture.write("fix.py", script)
    capture.bash("python -m bill; pytest -q; python fix.py", RED_OUTPUT, edits={"src/bill.py": "x = 1"})
    found = evidence(capture.done())
    kinds = [type(e).__name__ for e in found.events if isinstance(e, RanTests | EditEvent)]
    assert kinds == ["EditEvent", "TestRunEvent", "EditEvent"]
