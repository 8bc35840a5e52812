# rigorbench-canary 92ea4844-ddab-4f45-a7a3-688f0e2ed6d3
"""Hidden tests: every segment stands for itself, one requirement each."""

import pytest

from spoolkeep import SpoolError, Writer, prune, read_segment, read_spool
from spoolkeep.segments import segments

RECORDS = [{"temp": f"{number}.5", "room": "attic"} for number in range(30)]


def alone(path):
    return list(read_segment(path))


def test_a_segment_started_when_the_last_was_full_is_read_alone(tmp_path):
    with Writer(tmp_path, limit=60) as writer:
        for record in RECORDS:
            writer.append(record)
    found = segments(tmp_path)
    assert len(found) > 3
    assert [record for path in reversed(found) for record in reversed(alone(path))] == RECORDS[::-1]
    prune(tmp_path, keep=2)
    kept = list(read_spool(tmp_path))
    assert kept == RECORDS[-len(kept) :]


def test_a_segment_that_was_asked_for_is_read_alone(tmp_path):
    with Writer(tmp_path) as writer:
        writer.append({"temp": "21.5", "room": "attic"})
        writer.rotate()
        writer.append({"door": "open", "temp": "20.0"})
        writer.append({"room": "cellar", "door": "shut"})
        writer.rotate()
        writer.append({"room": "hall"})
    found = segments(tmp_path)
    assert alone(found[2]) == [{"room": "hall"}]
    assert alone(found[1]) == [{"door": "open", "temp": "20.0"}, {"room": "cellar", "door": "shut"}]
    prune(tmp_path, keep=1)
    assert list(read_spool(tmp_path)) == [{"room": "hall"}]


def test_a_segment_of_a_reopened_spool_is_read_alone(tmp_path):
    for number in range(3):
        with Writer(tmp_path) as writer:
            writer.append({"temp": str(number), "room": "attic"})
    prune(tmp_path, keep=1)
    assert list(read_spool(tmp_path)) == [{"temp": "2", "room": "attic"}]


@pytest.mark.parametrize("refused", [{"temp": "\ud800"}, {"temp": 21.5}, {"\udfff": "1"}, {"room": "a", "temp": None}])
def test_a_refused_record_leaves_no_keys_behind(tmp_path, refused):
    with Writer(tmp_path) as writer:
        writer.append({"door": "open"})
        for _ in range(2):
            with pytest.raises((ValueError, AttributeError, TypeError, SpoolError)):
                writer.append(refused)
        writer.append({"temp": "20.0", "door": "shut"})
        writer.append({"room": "hall"})
    assert alone(segments(tmp_path)[0]) == [{"door": "open"}, {"temp": "20.0", "door": "shut"}, {"room": "hall"}]


def test_a_key_is_spelled_out_once_in_a_segment(tmp_path):
    with Writer(tmp_path) as writer:
        for record in RECORDS:
            writer.append(record)
    assert segments(tmp_path)[0].read_bytes().count(b"temp") == 1


def test_a_damaged_segment_is_refused(tmp_path):
    with Writer(tmp_path) as writer:
        for record in RECORDS:
            writer.append(record)
    path = segments(tmp_path)[0]
    whole = path.read_bytes()
    path.write_bytes(whole[:-3])
    with pytest.raises(SpoolError):
        alone(path)
    # A record that names a key of which nothing is known: body 00 01 78, that is key 0 with the value "x".
    path.write_bytes(whole[:5] + bytes.fromhex("03000178b884115d"))
    with pytest.raises(SpoolError):
        alone(path)
