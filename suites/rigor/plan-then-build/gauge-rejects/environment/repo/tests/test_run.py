import json

import pytest

from gaugeline import GaugeError, Pipeline


def test_a_run(place):
    report = place.run()
    assert place.output() == [
        {"station": "MOL-03", "time": "2024-03-01T05:00:00Z", "level": 2.5},
        {"station": "MOL-03", "time": "2024-03-01T06:00:00Z", "level": 2.6},
        {"station": "ELB-1", "time": "2024-03-01T06:00:00Z", "level": 3.048},
        {"station": "MOL-03", "time": "2024-03-01T09:00:00Z", "level": 2.75, "flags": ["gap"]},
    ]
    assert (report.finished, report.lines, report.written, report.rejected) == (True, 6, 4, 2)


def test_the_report_as_text(place):
    lines = place.run().as_text().splitlines()
    words = [line.split() for line in lines]
    assert words[1] == ["parse", "6", "5", "1"]
    assert ["units", "5", "5", "0"] in words
    assert lines[-1] == "finished after 6 lines: 4 written, 2 rejected"


def test_the_report_as_json(place):
    report = place.run().as_json()
    assert report["stages"][2]["name"] == "range"
    assert (report["stages"][2]["in"], report["stages"][2]["out"], report["stages"][2]["rejected"]) == (5, 4, 1)


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5])
def test_a_resumed_run_gives_the_same(place, limit):
    whole = place.run().as_json()
    expected = place.target.read_bytes()
    assert not place.kept(limit=limit).finished
    assert place.checkpoint.is_file()
    assert place.kept(resume=True).as_json() == whole
    assert place.target.read_bytes() == expected
    assert not place.checkpoint.exists()


def test_what_was_written_after_the_checkpoint_is_cut_off(place):
    place.run()
    expected = place.target.read_bytes()
    place.kept(limit=3)
    early = place.checkpoint.read_bytes()
    place.kept(limit=2, resume=True)
    place.checkpoint.write_bytes(early)
    place.kept(resume=True)
    assert place.target.read_bytes() == expected


def test_a_checkpoint_every_few_lines(place):
    place.kept(limit=5, every=2)
    assert json.loads(place.checkpoint.read_text())["lines"] == 5


def test_checkpoints_that_are_refused(place):
    place.kept(limit=2)
    with pytest.raises(GaugeError, match="another pipeline"):
        place.run([{"name": "units"}], checkpoint=place.checkpoint, resume=True)
    place.target.write_bytes(b"")
    with pytest.raises(GaugeError, match="shorter"):
        place.kept(resume=True)
    place.checkpoint.write_text('{"version": 0}')
    with pytest.raises(GaugeError, match="version 0"):
        place.kept(resume=True)


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ([{"name": "wash"}], "no such stage: wash"),
        ([{"name": "units"}, {"name": "units"}], "twice"),
        ([{"name": "range", "top": 1}], "no such option: top"),
        ([{"name": "range", "low": "x"}], "a number is needed"),
    ],
)
def test_bad_pipelines(tables, message):
    with pytest.raises(GaugeError, match=message):
        Pipeline(tables)
