"""Ways to blind the recorder: later work is on record whatever is in the repository; what is not read is a gap."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rigorbench.base import journal
from rigorbench.sandbox.box.box import Box
from rigorbench.sandbox.kit import trees
from rigorbench.sandbox.record.events import IN, Events
from rigorbench.sandbox.record.gitwatch import GitWatch
from rigorbench.sandbox.record.scan import Scanner
from rigorbench.sandbox.record.worktree import RecordedTree
from rigorbench.session.registry import read_path
from sources import text_file

from .conftest import Journal

pytestmark = pytest.mark.bwrap

Recorder = Callable[..., Journal]

NESTED = """
import os, sys
where, count, name = sys.argv[1], int(sys.argv[2]), sys.argv[3]
os.makedirs(where, exist_ok=True)
os.chdir(where)
for _ in range(count):
    os.mkdir(name)
    os.chdir(name)
open("end", "w").write("deep\\n")
"""
COMMIT = text_file("capture_blinding.commit.txt")
DEEP_COMMIT = """
import subprocess
def git(*words, data=b""):
    return subprocess.run(["git", *words], input=data, capture_output=True, check=True).stdout.strip()
tree = git("mktree", data=b"100644 blob " + git("hash-object", "-w", "--stdin", data=b"deep") + b"\\tf\\n")
for _ in range(1200):
    tree = git("mktree", data=b"040000 tree " + tree + b"\\ta\\n")
commit = git("commit-tree", "-m", "deep", "-p", "HEAD", tree.decode())
git("update-ref", "refs/heads/deep", commit.decode())
"""
NODES = text_file("capture_blinding.nodes.txt")
NAMES = r"""
import os
os.chdir(b"pkg")
for name in (b"\xff\xfe", b"a\nb", b"\xed\xa0\x80", b"tab\t", b"'\"", b"x" * 255, b"-rf", "é".encode("latin-1")):
    open(name, "w").write("x")
    os.makedirs(b"d" + name[:200])
    open(b"d" + name[:200] + b"/f", "w").write("y")
os.chdir(b"..")
open(b".git/refs/heads/\xff", "w").write(open(".git/refs/heads/main").read())
"""
STORM = text_file("capture_blinding.storm.txt")
MANY_REFS = """
import os
head = open(".git/refs/heads/main").read()
os.makedirs(".git/refs/aaa/bbb")
for n in range(7000):
    open(f".git/refs/aaa/bbb/{n}", "w").write(head)
with open(".git/packed-refs", "a") as file:
    for n in range(50000):
        file.write(f"{n:040x} refs/heads/packed{n}\\n")
"""
CLOCKS = """
import os
for name, when in (("past", -1), ("far", 2**33), ("epoch", 0), ("past2", -2**31)):
    open(f"pkg/{name}", "w").write(name)
    os.utime(f"pkg/{name}", (when, when))
    os.utime(".git/refs", (when, when))
    os.utime(".git/objects", (when, when))
    for entry in os.scandir(".git/objects"):
        os.utime(entry.path, (when, when))
"""
LARGE = """
import os
for place in (".git/config.big", ".git/refs/heads/big", ".git/objects/aa", "pkg/sparse"):
    with open(place, "wb") as file:
        file.truncate(3 << 30)
"""

# name: (program, arguments, whether something is not read, which is then a gap)
ATTACKS: dict[str, tuple[str, tuple[str, ...], bool]] = {
    "1,300 directories in .git/refs": (NESTED, (".git/refs/heads", "1300", "a"), True),
    "1,300 directories of long names in .git/refs": (NESTED, (".git/refs", "1300", "a" * 200), True),
    "3,000 directories in the work tree": (NESTED, ("pkg", "3000", "a"), True),
    "1,300 directories in .git/objects": (NESTED, (".git/objects/pack", "1300", "ab"), False),
    "1,300 directories in .git/hooks": (NESTED, (".git/hooks", "1300", "a"), False),
    "a committer's time of 5,000 digits": (COMMIT, ("b'9' * 5000",), False),
    "a committer's time that is none": (COMMIT, ("b'-1e99'",), False),
    "a commit of 1,200 directories": (DEEP_COMMIT, (), False),
    "FIFOs, sockets and devices": (NODES, (), True),
    "names that are no text": (NAMES, (), False),
    "a storm of renames": (STORM, (), False),
    "57,000 references, most to nothing": (MANY_REFS, (), True),
    "clocks of other times": (CLOCKS, (), False),
    "files of 3 GiB": (LARGE, (), True),
    "20,000 files": ("import os\nfor n in range(20000): open(f'pkg/{n}', 'w').write(str(n))\n", (), False),
    "unreadable files": (
        "import os\nfor p in ('pkg/core.py', '.git/refs/tags', '.git/hooks', '.git/config'): os.chmod(p, 0)\n",
        (),
        False,
    ),
    "index.lock kept": ("open('.git/index.lock', 'w')\nopen('.git/refs/heads/main.lock', 'w')\n", (), False),
    "references to nothing": ("open('.git/refs/heads/x', 'w').write('deadbeef' * 5)\n", (), True),
    "a head of junk": ("open('.git/ORIG_HEAD', 'wb').write(bytes(range(256)) * 999)\n", (), False),
}
# A commit that does without an index, which some attacks have locked.
AFTERWARDS = """
set -e
chmod 600 .git/config 2>/dev/null || true
rm -f .git/packed-refs
echo later > later.txt
blob=$(git hash-object -w later.txt)
tree=$(printf '100644 blob %s\\tlater.txt\\n' "$blob" | git mktree)
git commit-tree -m 'the work goes on' "$tree" > .git/refs/heads/later
cat .git/refs/heads/later
"""


@pytest.fixture(autouse=True)
def _removed(tmp_path: Path) -> Iterator[None]:
    """What pytest itself could not remove, since its own walk is recursive."""
    yield
    trees.remove(tmp_path / "box")


@pytest.mark.parametrize("attack", ATTACKS)
def test_later_work_is_on_record(record: Recorder, tmp_path: Path, attack: str) -> None:
    program, arguments, unread = ATTACKS[attack]
    commits: list[str] = []

    async def work(box: Box) -> None:
        await box.exec(["python3", "-c", textwrap.dedent(program), *arguments])
        await box.snapshot("model")
        done = await box.exec(["bash", "-c", AFTERWARDS])
        assert done.status == 0, done.stderr
        commits.append(done.stdout.decode().strip())

    found = record(work, sound=program is not COMMIT)  # what is odd in a commit is kept as it is
    end = found.records[-1]
    assert isinstance(end, journal.End)
    assert end.final_tree is not None
    assert found.file(end.final_tree, "later.txt") == "later"
    assert commits[0] in [note["sha"] for note in found.notes("commit")]
    gaps = [gap.reason for gap in found.of(journal.Gap)]
    assert not unread or gaps, "what was not read is told"
    assert not any("Error" in reason for reason in gaps), gaps
    trajectory = read_path(found.run)[0]
    assert [gap.partition(": ")[2] for gap in trajectory.recording.gaps] == gaps


def test_a_journal_without_its_end_is_a_gap(record: Recorder) -> None:
    async def work(box: Box) -> None:
        await box.exec(["true"])

    found = record(work)
    file = found.run / journal.JOURNAL
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:-1]))
    recording = read_path(found.run)[0].recording
    assert recording.gaps == ["recorder: the journal has no end: what happened after its last record is not known"]


@pytest.mark.parametrize(("observer", "what"), [(GitWatch, "git"), (Scanner, "trees")])
def test_a_defect_of_an_observer_is_a_gap_and_the_next_look_is_whole(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, observer: type, what: str
) -> None:
    records: list[journal.JournalRecord] = []
    tree = RecordedTree(repository, tmp_path / "store", records.append)
    tree.look("start", None)
    with monkeypatch.context() as broken:
        broken.setattr(observer, "look", lambda *_, **__: [][1])
        (repository / "pkg" / "new.py").write_text("x = 1\n")
        tree.look("background", None)
    (repository / "pkg" / "newer.py").write_text("y = 1\n")
    last = tree.look("end", None, everything=True)
    tree.close()
    (gap,) = [record for record in records if isinstance(record, journal.Gap)]
    assert (gap.what, gap.reason.endswith("IndexError")) == (what, True)
    trees = [record for record in records if isinstance(record, journal.TreeRecord)]
    assert trees[-1].tree == last
    assert "pkg/newer.py" in trees[-1].paths


def test_a_handler_that_fails_is_told_of_and_its_file_dropped() -> None:
    failures: list[Exception] = []
    events = Events(failures.append)
    read, write = os.pipe()
    events.watch(read, IN, lambda mask: [][1])
    os.write(write, b"x")
    assert events.run() == 1
    assert [type(error) for error in failures] == [IndexError]
    assert events.run() == 0
    events.close()
    os.close(read)
    os.close(write)


def test_the_lock_of_a_reference_is_no_branch(record: Recorder) -> None:
    """It is there for a moment with each commit; taken for a branch that is gone, it made each of them a rewriting."""

    async def work(box: Box) -> None:
        await box.exec(["touch", ".git/refs/heads/main.lock"])
        await box.snapshot("model")
        await box.exec(["bash", "-c", "rm .git/refs/heads/main.lock; git commit -q --allow-empty -m next"])

    moves = [note for note in record(work).notes("git") if note["refs"]]
    assert [list(note["refs"]) for note in moves] == [["refs/heads/main"]]
    assert not any(note["rewritten"] or note["lost"] for note in moves)
