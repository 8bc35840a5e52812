import pytest

from spoolkeep import SpoolError, Writer, prune, read_segment, read_spool
from spoolkeep.segments import segments


def test_records_are_read_in_order(tmp_path):
    with Writer(tmp_path) as writer:
        for number in range(5):
            writer.append({"number": str(number)})
    assert [record["number"] for record in read_spool(tmp_path)] == list("01234")


def test_a_full_segment_is_followed_by_another(tmp_path):
    with Writer(tmp_path, limit=40) as writer:
        for number in range(20):
            writer.append({f"key{number}": "some value"})
    assert len(segments(tmp_path)) > 3
    assert all(path.stat().st_size < 80 for path in segments(tmp_path))


def test_reopening_starts_a_segment(tmp_path):
    for number in range(3):
        with Writer(tmp_path) as writer:
            writer.append({"number": str(number)})
    assert [path.name for path in segments(tmp_path)] == ["00000001.seg", "00000002.seg", "00000003.seg"]
    assert len(list(read_spool(tmp_path))) == 3


def test_old_segments_are_pruned(tmp_path):
    for _ in range(4):
        Writer(tmp_path).close()
    assert [path.name for path in prune(tmp_path, keep=2)] == ["00000001.seg", "00000002.seg"]
    assert len(segments(tmp_path)) == 2
    with pytest.raises(SpoolError):
        prune(tmp_path, keep=0)


def test_other_files_are_no_segments(tmp_path):
    (tmp_path / "notes.txt").write_text("x")
    path = tmp_path / "00000001.seg"
    path.write_bytes(b"nonsense")
    with pytest.raises(SpoolError, match="not a segment"):
        list(read_segment(path))


def test_a_closed_spool_takes_no_records(tmp_path):
    writer = Writer(tmp_path)
    writer.close()
    with pytest.raises(SpoolError, match="closed"):
        writer.append({"a": "1"})


def test_empty_records_and_tiny_limits_are_refused(tmp_path):
    with Writer(tmp_path) as writer, pytest.raises(SpoolError, match="at least one field"):
        writer.append({})
    with pytest.raises(SpoolError, match="no room"):
        Writer(tmp_path, limit=5)
