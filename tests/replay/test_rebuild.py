"""States rebuilt from logged edits, and the reasons why some cannot be."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rigorbench.evidence.walk.extract import extract
from rigorbench.replay.model import InexactState, Snapshots
from rigorbench.replay.rebuild import rebuild
from rigorbench.replay.store import Clone, Store, StoreError
from rigorbench.replay.worktree import WorkTree
from rigorbench.trajectory.logfile import LogFile
from rigorbench.trajectory.model import FileChange, Trajectory

from .conftest import CWD, START, Session, git, write

MakeRepo = Callable[[dict[str, str]], Path]
FILES = {"pkg/__init__.py": "", "pkg/a.py": "x = 1\ny = 2\n", "README.md": "hi\n"}


def states(session: Session | Trajectory, repo: Path, tmp_path: Path) -> tuple[Snapshots, list[dict[str, str]]]:
    """The snapshots and the files of each."""
    trajectory = session.trajectory if isinstance(session, Session) else session
    directory = tmp_path / f"store{len(list(tmp_path.iterdir()))}"
    directory.mkdir()
    clone = Clone(repo)
    with Store(clone, directory) as store:
        found = rebuild(trajectory, extract(trajectory).events, clone, store)
        assert isinstance(found, Snapshots), found
        texts = [
            {path: store.blob(entry.sha).decode() for path, entry in store.files(state.tree).items()}
            for state in found.states
        ]
    return found, texts


def fingerprint(directory: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(directory.rglob("*")):
        digest.update(str(path.relative_to(directory)).encode())
        if path.is_file():
            digest.update(path.read_bytes())
            digest.update(str(path.stat().st_mtime_ns).encode())
    return digest.hexdigest()


def test_edits_up_to_the_next_other_action_are_one_burst(make_repo: MakeRepo, tmp_path: Path) -> None:
    repo = make_repo(FILES)
    before = fingerprint(repo)
    session = Session().edit(f"{CWD}/pkg/a.py", "x = 1", "x = 2").write("pkg/b.py", "b\n").read("pkg/a.py")
    session.edit("pkg/a.py", "y = 2", "y = 3").edit("pkg/a.py", "x = 2", "x = 9", error=True).run("pytest")
    found, texts = states(session, repo, tmp_path)
    assert found.inexact is None
    assert [(len(s.edits), s.exact) for s in found.states] == [(2, True), (1, True)]
    assert texts[0] == {**FILES, "pkg/a.py": "x = 2\ny = 2\n", "pkg/b.py": "b\n"}
    assert texts[1]["pkg/a.py"] == "x = 2\ny = 3\n"
    assert fingerprint(repo) == before, "the clone was written to"


def test_an_edit_taken_back_gives_the_start_tree_again(make_repo: MakeRepo, tmp_path: Path) -> None:
    session = Session().edit("pkg/a.py", "x = 1", "x = 2").read("a").edit("pkg/a.py", "x = 2", "x = 1")
    found, _ = states(session, make_repo(FILES), tmp_path)
    assert [s.tree == found.start_tree for s in found.states] == [False, True]
    assert found.trees() == [found.start_tree, found.states[0].tree]


def test_deletions_renames_and_new_directories(make_repo: MakeRepo, tmp_path: Path) -> None:
    session = Session().delete("README.md").change(FileChange("pkg/a.py", "rename", new_path="lib/c.py"), "Move")
    session.write("pkg/deep/er.py", "z\n")
    _, texts = states(session, make_repo(FILES), tmp_path)
    assert texts[-1] == {"pkg/__init__.py": "", "lib/c.py": "x = 1\ny = 2\n", "pkg/deep/er.py": "z\n"}


def test_a_directory_may_take_the_place_of_a_file(make_repo: MakeRepo, tmp_path: Path) -> None:
    session = Session().delete("README.md").write("README.md/part.md", "p\n")
    _, texts = states(session, make_repo(FILES), tmp_path)
    assert texts[-1]["README.md/part.md"] == "p\n"
    assert "README.md" not in texts[-1]


def test_an_edit_that_does_not_apply_makes_the_rest_inexact(make_repo: MakeRepo, tmp_path: Path) -> None:
    session = Session().edit("pkg/a.py", "x = 1", "x = 2").read("a").edit("pkg/a.py", "z = 1", "z = 2").read("a")
    session.write("pkg/b.py", "b\n")
    found, _ = states(session, make_repo(FILES), tmp_path)
    assert [s.exact for s in found.states] == [True, False, False]
    assert found.inexact is not None
    assert re.search(r"^step 2: .*old text", found.inexact)


@pytest.mark.parametrize("seen", ["before", "after"])
def test_whole_files_in_the_log_bring_a_file_back(make_repo: MakeRepo, tmp_path: Path, seen: str) -> None:
    session = Session().run("black pkg/a.py", "reformatted")
    if seen == "before":
        session.change(FileChange("pkg/a.py", "modify", hunks=[("p", "q")], before="p = 1\n"))
    else:
        session.write("pkg/a.py", "q = 1\n")
    found, texts = states(session, make_repo(FILES), tmp_path)
    assert found.inexact is None
    assert texts[-1]["pkg/a.py"] == "q = 1\n"


@pytest.mark.parametrize(
    ("command", "word"),
    [
        ("black pkg/a.py", "black"),
        ("ruff format .", "ruff"),
        ("sed -i 'y/x/z/' pkg/a.py", "sed"),
        ("git merge feature", "git merge"),
        ("git checkout feature", "another branch"),
        ("git pull", "git pull"),
        ("python -c \"import pathlib; pathlib.Path('pkg/a.py').write_text(make())\"", "pkg/a.py"),
        ("python gen.py", "gen.py"),
        ("cargo fmt", "cargo fmt"),
    ],
)
def test_commands_whose_effect_the_log_does_not_show(
    make_repo: MakeRepo, tmp_path: Path, command: str, word: str
) -> None:
    repo = make_repo({**FILES, "gen.py": "open(name(), 'w').write(text())\n"})
    session = Session().run(command, "done").write("pkg/b.py", "b\n")
    found, _ = states(session, repo, tmp_path)
    assert found.inexact is not None
    assert word in found.inexact
    assert "step 0" in found.inexact


@pytest.mark.parametrize(
    "command",
    [
        "black --check .",
        "ruff check .",
        "python -m pytest -q > out.txt 2>&1",
        "python -c 'print(1)'",
        "git status && git diff",
        "cat README.md | sed 's/a/b/'",
        "git checkout -b work",
        "npm install",
        "python tool.py",
        "git stash list",
    ],
)
def test_commands_that_leave_the_sources_alone(make_repo: MakeRepo, tmp_path: Path, command: str) -> None:
    repo = make_repo({**FILES, "tool.py": "print('nothing is written')\n"})
    found, texts = states(Session().run(command).write("pkg/b.py", "b\n"), repo, tmp_path)
    assert found.inexact is None
    assert texts[-1]["pkg/a.py"] == FILES["pkg/a.py"]


def test_a_failed_command_changes_nothing(make_repo: MakeRepo, tmp_path: Path) -> None:
    session = Session().run("git merge feature", "fatal: not possible", 128).write("pkg/b.py", "b\n")
    found, _ = states(session, make_repo(FILES), tmp_path)
    assert found.inexact is None


def test_literal_shell_edits_are_exact(make_repo: MakeRepo, tmp_path: Path) -> None:
    session = Session().run("cat > pkg/b.py <<'EOF'\nb = 1\nEOF").run("echo 'c = 1' >> pkg/b.py")
    session.run("sed -i 's/x = 1/x = 5/' pkg/a.py && rm README.md").run("mv pkg/b.py pkg/d.py").run("cp pkg/d.py e.py")
    found, texts = states(session, make_repo(FILES), tmp_path)
    assert found.inexact is None
    assert texts[-1] == {
        "pkg/__init__.py": "",
        "pkg/a.py": "x = 5\ny = 2\n",
        "pkg/d.py": "b = 1\nc = 1\n",
        "e.py": "b = 1\nc = 1\n",
    }


# Edits ("path: old => new", "path: + content") and commands; carried out for real beside the rebuilt states.
_WORK = {
    "index and head": [
        "pkg/a.py: x = 1 => x = 2",
        "git add pkg/a.py",
        "pkg/a.py: x = 2 => x = 3",
        "git checkout -- pkg/a.py",
        "git restore --source=HEAD pkg/a.py",
        "git checkout HEAD -- pkg/a.py",
    ],
    "commits": [
        "pkg/a.py: x = 1 => x = 4",
        "git commit -qam four",
        "pkg/a.py: x = 4 => x = 5",
        "git reset --hard",
        "pkg/a.py: y = 2 => y = 7",
        "git add -A && git commit -qm seven",
        "pkg/a.py: y = 7 => y = 8",
        "git checkout .",
    ],
    "partial commit": [
        "pkg/a.py: x = 1 => x = 4",
        "pkg/b.py: + b",
        "git add pkg/b.py && git commit -qm b",
        "pkg/b.py: b => c",
        "git restore .",
        "git reset -q --hard HEAD",
    ],
    "stash": [
        "pkg/a.py: y = 2 => y = 6",
        "pkg/n.py: + new",
        "git stash -q",
        "pkg/n.py: new => newer",
        "git stash pop -q",
        "pkg/a.py: y = 6 => y = 9",
    ],
    "clean": [
        "junk.py: + j",
        "pkg/junk.py: + j",
        "scratch/deep.py: + j",
        "pkg/kept.py: + k",
        "git add pkg/kept.py",
        "git clean -fq",
        "scratch/more.py: + m",
        "git clean -fdq",
    ],
    "unstage": [
        "pkg/a.py: x = 1 => x = 2",
        "git add .",
        "git reset -q",
        "pkg/a.py: x = 2 => x = 3",
        "git commit -qm nothing || true",
        "git checkout pkg/a.py",
        "pkg/a.py: x = 1 => x = 4",
        "git add pkg && git restore --staged pkg/a.py",
        "git checkout -- pkg/a.py",
    ],
    "git mv and rm": [
        "git mv pkg/a.py pkg/z.py",
        "git rm -q README.md",
        "pkg/z.py: x = 1 => x = 2",
        "git checkout -- pkg",
    ],
    "files": [
        "mkdir -p lib && cp pkg/a.py lib/ && mv README.md lib/READ.md",
        "cp -r pkg copy && rm pkg/a.py",
        "mv copy moved",
        "touch moved/empty.py && rm -rf lib",
        "cd moved && mv a.py ../top.py",
        "mkdir -p into && mv -t into top.py",
    ],
    "sed": [
        "sed -i 's/x/z/; 2d' pkg/a.py",
        "sed -i -e '$a w = 3' -e 's/[0-9]/<&>/g' pkg/a.py README.md",
        "cd pkg && sed -i.bak '1i first' a.py && rm a.py.bak",
        r"sed -i '1a one\ntwo' pkg/a.py && sed -i '/[/]/d;s|o\|n|&|' pkg/a.py",
    ],
    "writing": [
        "cat > pkg/c.py <<'EOF'\nc = 1\nEOF",
        "echo 'd = 1' >> pkg/c.py && printf 'e\\n' | tee -a pkg/c.py",
        "python3 - <<'EOF'\nfrom pathlib import Path\np = Path('pkg/c.py')\n"
        "p.write_text(p.read_text().replace('c = 1', 'c = 2'))\nEOF",
    ],
}


@pytest.mark.parametrize("name", _WORK)
def test_the_rebuilt_states_are_those_of_a_real_work_tree(make_repo: MakeRepo, tmp_path: Path, name: str) -> None:
    repo = make_repo(FILES)
    real = tmp_path / "real"
    git(tmp_path, "clone", "-q", str(repo), str(real))
    git(real, "config", "user.name", "T")
    git(real, "config", "user.email", "t@example.com")
    session = Session()
    expected: list[dict[str, str]] = []
    for line in _WORK[name]:
        edit = re.fullmatch(r"([\w./]+): (?:\+ (.*)|(.*) => (.*))", line)
        if edit is None:
            done = subprocess.run(["bash", "-c", line], cwd=real, capture_output=True, text=True, check=True)
            session.run(line, done.stdout)
        elif edit[2] is not None:
            write(real, {edit[1]: edit[2] + "\n"})
            session.write(edit[1], edit[2] + "\n")
        else:
            text = (real / edit[1]).read_text()
            assert edit[3] in text
            write(real, {edit[1]: text.replace(edit[3], edit[4])})
            session.edit(edit[1], edit[3], edit[4])
        session.read("README.md")
        files = {
            str(p.relative_to(real)): p.read_text() for p in real.rglob("*") if p.is_file() and ".git" not in p.parts
        }
        expected.append(files)
    found, texts = states(session, repo, tmp_path)
    assert found.inexact is None
    # A state per step that made an edit event; the others left the files alone.
    steps = {event.id: event.step for event in extract(session.trajectory).events}
    by_step = {steps[state.edits[-1]]: text for state, text in zip(found.states, texts, strict=True)}
    current = FILES
    for number, files in enumerate(expected):
        current = by_step.get(2 * number, current)
        assert current == files, _WORK[name][number]


def test_a_commit_that_the_clone_has_makes_everything_certain_again(make_repo: MakeRepo, tmp_path: Path) -> None:
    repo = make_repo(FILES)
    write(repo, {"pkg/a.py": "x=1\n"})
    git(repo, "commit", "-qam", "formatted", at=START + 60)
    sha = git(repo, "rev-parse", "--short", "HEAD")
    session = Session().run("ruff format . && git commit -am formatted", f"[main {sha}] formatted")
    session.edit("pkg/a.py", "x=1", "x=2")
    found, texts = states(session, repo, tmp_path)
    assert found.states[-1].exact
    assert texts[-1]["pkg/a.py"] == "x=2\n"


def test_the_start_is_the_named_commit_else_the_last_one_before_the_session(
    make_repo: MakeRepo, tmp_path: Path
) -> None:
    repo = make_repo(FILES)
    first = git(repo, "rev-parse", "HEAD")
    write(repo, {"pkg/a.py": "later\n"})
    git(repo, "commit", "-qam", "after the session", at=START + 3600)
    session = Session().write("n.py", "n\n")
    by_time, _ = states(session, repo, tmp_path)
    assert by_time.start_commit == first
    session.trajectory.start_commit = first[:9]
    named, _ = states(session, repo, tmp_path)
    assert named.start_commit == first
    session.trajectory.start_commit = session.trajectory.started_at = None
    current, _ = states(session, repo, tmp_path)
    assert current.start_commit == git(repo, "rev-parse", "HEAD")


def test_no_usable_start_commit_is_said(make_repo: MakeRepo, tmp_path: Path) -> None:
    repo = make_repo(FILES)
    session = Session().write("n.py", "n\n")
    clone = Clone(repo)
    with Store(clone, tmp_path) as store:
        session.trajectory.start_commit = "0123456789abcdef0123456789abcdef01234567"
        found = rebuild(session.trajectory, session.events, clone, store)
        assert isinstance(found, InexactState)
        assert "0123456789ab" in found.reason
        session.trajectory.start_commit, session.trajectory.started_at = None, START - 10_000
        found = rebuild(session.trajectory, session.events, clone, store)
        assert isinstance(found, InexactState)
        assert "before the session" in found.reason


@pytest.mark.parametrize(
    ("cwd", "path"),
    [("/home/dev/repo/pkg", "a.py"), ("/home/dev/repo/pkg", "/home/dev/repo/pkg/a.py"), (None, "/testbed/pkg/a.py")],
)
def test_the_session_may_have_worked_in_a_directory_of_the_repository(
    make_repo: MakeRepo, tmp_path: Path, cwd: str | None, path: str
) -> None:
    session = Session(cwd).edit(path, "x = 1", "x = 2")
    found, texts = states(session, make_repo(FILES), tmp_path)
    assert found.inexact is None
    assert texts[-1]["pkg/a.py"] == "x = 2\ny = 2\n"


def test_files_outside_the_repository_are_no_part_of_it(make_repo: MakeRepo, tmp_path: Path) -> None:
    session = Session().write("/tmp/scratch.py", "s\n").write("pkg/b.py", "b\n")
    found, texts = states(session, make_repo(FILES), tmp_path)
    assert len(found.states) == 1
    assert set(texts[-1]) == {*FILES, "pkg/b.py"}


def test_no_git_directory_no_clone(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="not a git work tree"):
        Clone(tmp_path)
    with pytest.raises(StoreError, match="no such directory"):
        Clone(tmp_path / "gone")


def test_the_work_tree_follows_the_trees_and_is_cleaned(make_repo: MakeRepo, tmp_path: Path) -> None:
    session = Session().edit("pkg/a.py", "x = 1", "x = 7").write("new/n.py", "n\n").read("a").delete("new/n.py")
    repo = make_repo(FILES)
    clone = Clone(repo)
    (tmp_path / "w").mkdir()
    with Store(clone, tmp_path / "w") as store:
        found = rebuild(session.trajectory, session.events, clone, store)
        assert isinstance(found, Snapshots)
        work = WorkTree(store, tmp_path / "w" / "work")
        work.switch(found.states[0].tree)
        assert (work.path / "new/n.py").read_text() == "n\n"
        first_time = (work.path / "pkg/a.py").stat().st_mtime_ns
        # What a test run leaves behind or damages.
        (work.path / "left.txt").write_text("x")
        (work.path / "pkg/__pycache__").mkdir()
        (work.path / "README.md").write_text("damaged")
        work.switch(found.states[1].tree)
        assert sorted(p.name for p in work.path.iterdir()) == ["README.md", "pkg"]
        assert (work.path / "README.md").read_text() == "hi\n"
        assert (work.path / "pkg/a.py").stat().st_mtime_ns == first_time
        work.write("pkg/a.py", b"mutant")
        work.switch(found.start_tree)
        assert (work.path / "pkg/a.py").read_text() == FILES["pkg/a.py"]


def test_no_two_contents_of_a_file_have_the_same_time(make_repo: MakeRepo, tmp_path: Path) -> None:
    """Python takes compiled code for current when time (in whole seconds) and size are the same."""
    session = Session().edit("pkg/a.py", "x = 1", "x = 7").run("pytest").write("n.md", "n\n").run("pytest")
    session.edit("pkg/a.py", "x = 7", "x = 8").run("pytest")
    clone = Clone(make_repo(FILES))
    (tmp_path / "w").mkdir()
    seen: dict[tuple[int, str], None] = {}
    with Store(clone, tmp_path / "w") as store:
        found = rebuild(session.trajectory, session.events, clone, store)
        assert isinstance(found, Snapshots)
        work = WorkTree(store, tmp_path / "w" / "work")
        trees = [found.start_tree, *(s.tree for s in found.states)]
        for tree in (*trees, *trees, *reversed(trees)):
            for _ in range(2):  # as for a build and a test run
                work.switch(tree)
                file = work.path / "pkg/a.py"
                seen[int(file.stat().st_mtime), file.read_text()] = None
            work.write("pkg/a.py", b"x = 5\ny = 2\n")  # a mutant of the same size
            seen[int(file.stat().st_mtime), file.read_text()] = None
    times = [time for time, _ in seen]
    assert len(times) == len(set(times))


def test_aider_changes_the_first_whole_lines_that_are_the_old_ones(make_repo: MakeRepo, tmp_path: Path) -> None:
    session = Session().edit("pkg/a.py", "y = 2\n", "z = 3\n").edit("pkg/a.py", "", "end = 1\n")
    session.trajectory.format = "aider"
    repo = make_repo({**FILES, "pkg/a.py": "yy = 2\n\ny = 2\ny = 2"})
    found, texts = states(session, repo, tmp_path)
    assert found.inexact is None
    assert texts[-1]["pkg/a.py"] == "yy = 2\n\nz = 3\ny = 2\nend = 1\n"


# The real command-line agents, driven by a scripted model on one small repository (see the corpus's own README).
_AGENTS = ["claude", "codex", "gemini", "copilot", "opencode", "qwen", "pi", "openhands", "mini", "auggie", "aider"]


def _files_and_lines(diff: str) -> list[str]:
    """The changes with the hashes of the files before and after, whatever their length and the width of the context."""
    lines = [re.sub(r"^index (\w{7})\w*\.\.(\w{7})\w*", r"index \1..\2", line) for line in diff.splitlines()]
    return [line for line in lines if line.startswith(("+", "-", "index "))]


@pytest.mark.parametrize("scenario", ["disciplined", "reckless"])
@pytest.mark.parametrize("agent", _AGENTS)
def test_real_sessions_end_in_the_tree_that_their_agent_left(
    shared_data: Path, tmp_path: Path, agent: str, scenario: str
) -> None:
    from rigorbench.trajectory.registry import discover, read_log

    script = shared_data.parent / "tools" / "fakemodel" / "make_task.sh"
    source = shared_data / "cli" / agent / scenario
    if not script.is_file():
        pytest.skip("the script that makes the sessions' repository is not here")
    date = re.findall(r"^date (.*)$", (source / "git-log.txt").read_text(), re.MULTILINE)[-1]
    start = re.findall(r"^commit (.*)$", (source / "git-log.txt").read_text(), re.MULTILINE)[-1]
    repo = tmp_path / "repo"
    env = {**os.environ, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    subprocess.run(["bash", str(script), str(repo)], check=True, env=env, capture_output=True)
    assert git(repo, "rev-parse", "HEAD") == start
    log = next(log for log in discover([str(source / "session")]))
    assert isinstance(log, LogFile)
    trajectory = read_log(log)[0]
    clone = Clone(repo)
    with Store(clone, tmp_path) as store:
        found = rebuild(trajectory, extract(trajectory).events, clone, store)
        assert isinstance(found, Snapshots), found
        assert found.inexact is None
        assert found.start_commit == start
        # Aider makes all edits of an answer at once.
        assert len(found.states) == (3 if (agent, scenario) == ("aider", "disciplined") else 4)
        diff = store.git("diff", found.start_tree, found.final_tree).decode()
    assert _files_and_lines(diff) == _files_and_lines((source / "git-final.diff").read_text())
