import pytest

from gaugeline import Reject
from gaugeline.schema import format_line, parse_line


def test_times_are_written_in_utc_and_defaults_left_out():
    reading = parse_line(b'{"level": 2, "station": "MOL-03", "time": "2024-03-01T06:00:00+01:00", "unit": "m"}')
    assert format_line(reading) == b'{"station": "MOL-03", "time": "2024-03-01T05:00:00Z", "level": 2.0}\n'


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "json"),
        (b"[]", "json"),
        (b"\xff", "json"),
        (b'{"station": "A", "time": "2024-03-01T06:00:00Z"}', "missing"),
        (b'{"station": "A", "time": "2024-03-01T06:00:00Z", "level": 1, "x": 1}', "unknown"),
        (b'{"station": "a", "time": "2024-03-01T06:00:00Z", "level": 1}', "value"),
        (b'{"station": "A", "time": "2024-03-01T06:00:00", "level": 1}', "value"),
        (b'{"station": "A", "time": "2024-03-01T06:00:00Z", "level": true}', "value"),
        (b'{"station": "A", "time": "2024-03-01T06:00:00Z", "level": 1, "unit": "km"}', "value"),
    ],
)
def test_what_is_rejected(line, reason):
    with pytest.raises(Reject) as caught:
        parse_line(line)
    assert caught.value.reason == reason
