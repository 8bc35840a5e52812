"""What went wrong with the spools of the collector."""

import pytest

from spoolkeep import Writer, prune, read_spool
from spoolkeep.segments import segments

RECORDS = [{"temp": f"{number}.5", "room": "attic"} for number in range(12)]


def test_a_spool_that_is_open_for_days_is_read(tmp_path):
    with Writer(tmp_path, limit=60) as writer:
        for record in RECORDS:
            writer.append(record)
    assert len(segments(tmp_path)) > 2
    assert list(read_spool(tmp_path)) == RECORDS
    prune(tmp_path, keep=1)
    assert next(read_spool(tmp_path)) in RECORDS[1:]


def test_a_value_that_is_no_text_does_no_harm(tmp_path):
    """A sensor that is broken sends bytes that are no text; its record is refused, and the next one counts."""
    with Writer(tmp_path) as writer:
        with pytest.raises(ValueError, match="surrogates"):
            writer.append({"room": "attic", "temp": "\udcff"})
        writer.append({"temp": "21.5"})
        writer.append({"room": "attic"})
    assert list(read_spool(tmp_path)) == [{"temp": "21.5"}, {"room": "attic"}]


def test_a_spool_of_every_morning_is_read(tmp_path):
    for name in ("temp", "room", "door"):
        with Writer(tmp_path) as writer:
            writer.append({name: "1"})
            writer.append({name: "2"})
    assert list(read_spool(tmp_path)) == [{name: value} for name in ("temp", "room", "door") for value in "12"]


def test_keys_are_short_in_a_long_segment(tmp_path):
    with Writer(tmp_path) as writer:
        for record in RECORDS:
            writer.append(record)
    assert segments(tmp_path)[0].read_bytes().count(b"temp") == 1
