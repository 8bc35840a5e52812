"""The store of votes: nothing is lost, nothing counts that should not, and the order of writing decides nothing."""

from __future__ import annotations

import itertools
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest
from panel_helpers import RUBRIC, case, panel_record, vote

from rigorbench.base.jsonl import Lines
from rigorbench.panel.model import Vote
from rigorbench.panel.votes import StoreError, VoteStore


def find(store: VoteStore, number: int = 0, **options: bool) -> list[Vote]:
    return store.find(case(number).digest, RUBRIC.digest, **options)


def test_a_vote_is_found_again_by_another_reader(tmp_path: Path) -> None:
    reader = VoteStore(tmp_path / "votes")
    assert reader.all() == []
    assert not (tmp_path / "votes").exists()
    given = vote(raw='{"answers": \u2026}', cost=0.25)
    VoteStore(tmp_path / "votes").add(given)
    assert find(reader, counting=False) == [given]
    assert reader.by_key(given.key) == given
    assert reader.answered(given.key) == given
    VoteStore(tmp_path / "votes").add(vote(1))
    assert len(reader.all()) == 2
    assert reader.damaged == []


def test_on_a_panel_without_seats_nobody_sits(tmp_path: Path) -> None:
    store = VoteStore(tmp_path)
    store.add(vote())
    assert len(find(store)) == 1
    store.write_panel(panel_record())
    assert find(store) == []


def test_what_is_there_and_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "votes.jsonl").mkdir()
    with pytest.raises(StoreError, match=r"votes\.jsonl: cannot be read") as raised:
        _ = VoteStore(tmp_path).damaged
    assert "\n" not in str(raised.value)
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"file/.*: cannot be read"):
        VoteStore(tmp_path / "file").all()


def test_votes_of_the_panel_in_the_order_of_its_seats(tmp_path: Path) -> None:
    store = VoteStore(tmp_path)
    for model in ("x/one", "x/two", "x/three"):
        store.add(vote(model=model))
    assert [v.model for v in find(store)] == ["x/one", "x/three", "x/two"]
    store.write_panel(panel_record("x/two", "x/three"))
    assert [v.model for v in find(store)] == ["x/two", "x/three"]
    store.write_panel(panel_record("x/three", "x/one", "x/two"))
    assert [v.model for v in find(store)] == ["x/three", "x/one", "x/two"]


def test_failed_votes_are_kept_and_never_found(tmp_path: Path) -> None:
    store = VoteStore(tmp_path)
    failed = vote(status="failed", answers=[], problem="HTTP 500")
    store.add(failed)
    assert find(store, counting=False) == []
    assert store.answered(failed.key) is None
    assert store.all() == [failed]
    store.add(vote())
    assert find(store, counting=False) == [vote()]
    assert store.all() == [vote()]


def test_of_two_votes_with_one_key_the_same_counts_in_any_order(tmp_path: Path) -> None:
    given = [vote(time=3.0), vote(yes=False, time=2.0), vote(time=2.0), vote(status="failed", answers=[], time=1.0)]
    kept = set()
    for n, order in enumerate(itertools.permutations(given)):
        store = VoteStore(tmp_path / str(n))
        for v in order:
            store.add(v)
        kept.add(msgspec.json.encode(store.all()))
        assert find(store, counting=False) == store.all()
    assert len(kept) == 1
    assert store.all()[0].time == 2.0


@pytest.mark.parametrize("torn_at", [1, 40, -2, -1])
def test_a_line_cut_off_by_a_kill_costs_that_vote_at_most(tmp_path: Path, torn_at: int) -> None:
    store = VoteStore(tmp_path)
    store.add(vote(0))
    store.add(vote(1))
    path = tmp_path / "votes.jsonl"
    first, second = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + second[:torn_at])
    reader = VoteStore(tmp_path)
    whole = torn_at == -1
    assert len(reader.all()) == 1 + whole
    assert bool(reader.damaged) is not whole
    if not whole:
        assert reader.damaged[0].startswith(f"{path}:2: cut off")
    # The next vote begins on a line of its own, for a reader that is open and for a new one.
    store.add(vote(2))
    for again in (reader, store, VoteStore(tmp_path)):
        assert [v.case for v in again.all()] == [case(n).digest for n in ((0, 1, 2) if whole else (0, 2))]
        assert len(again.damaged) == (not whole)


def test_lines_that_are_no_votes_are_named_and_the_others_count(tmp_path: Path) -> None:
    VoteStore(tmp_path).add(vote())
    with open(tmp_path / "votes.jsonl", "ab") as file:
        file.write(b'{"kind": "plan"}\n\n[]\n\xff\xfe\n' + b"[" * 5_000 + b"\n")
        file.write(msgspec.json.encode(vote(1, schema="rigor-vote/9")) + b"\n")
        file.write(msgspec.json.encode(vote(1, kind="poem")) + b"\n")
        file.write(msgspec.json.encode(vote(2)) + b"\n")
    (tmp_path / "panel.json").write_text("{")
    store = VoteStore(tmp_path)
    assert [v.case for v in store.all()] == [case(0).digest, case(2).digest]
    said = store.damaged
    assert [line.split(": ")[0].rpartition("/")[2] for line in said] == [
        *(
            "votes.jsonl:2",
            "votes.jsonl:4",
            "votes.jsonl:5",
            "votes.jsonl:6",
            "votes.jsonl",
            "votes.jsonl",
            "panel.json",
        )
    ]
    assert store.panel() is None


def test_a_store_that_was_replaced_is_read_afresh(tmp_path: Path) -> None:
    store = VoteStore(tmp_path)
    store.add(vote(0))
    store.add(vote(1))
    assert len(store.all()) == 2
    (tmp_path / "votes.jsonl").unlink()
    assert store.all() == []
    VoteStore(tmp_path).add(vote(2))
    assert [v.case for v in store.all()] == [case(2).digest]


def test_a_directory_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="votes cannot be written"):
        VoteStore(tmp_path / "file").add(vote())
    assert VoteStore(tmp_path / "absent").damaged == []


def test_a_writer_waits_for_another(tmp_path: Path) -> None:
    store, other = VoteStore(tmp_path), Lines(tmp_path / "votes.jsonl", Vote)
    writer = threading.Thread(target=store.add, args=(vote(),))
    with other.locked() as descriptor:
        writer.start()
        writer.join(0.2)
        assert writer.is_alive()
        other.write(descriptor, vote(1))
    writer.join(30)
    assert [v.case for v in store.all()] == [case(1).digest, case(0).digest]


def test_two_processes_add_at_once(tmp_path: Path) -> None:
    worker = (
        "import sys; from pathlib import Path; from panel_helpers import vote\n"
        "from rigorbench.panel.votes import VoteStore\n"
        "store, first = VoteStore(Path(sys.argv[1])), int(sys.argv[2])\n"
        "for n in range(first, first + 60): store.add(vote(n, raw='x' * 5000))\n"
    )
    here = str(Path(__file__).parent)
    workers = [
        subprocess.Popen([sys.executable, "-c", worker, str(tmp_path), str(first)], cwd=here) for first in (0, 60)
    ]
    assert [process.wait(60) for process in workers] == [0, 0]
    store = VoteStore(tmp_path)
    assert {v.case for v in store.all()} == {case(n).digest for n in range(120)}
    assert store.damaged == []
    assert len((tmp_path / "votes.jsonl").read_bytes().splitlines()) == 120
