# rigorbench-canary 26af7af7-75b0-4011-a030-b55b686593ba
"""Hidden tests: repeated readings, rejects and their limit, one requirement each."""

import json
from pathlib import Path

import pytest

from gaugeline import GaugeError, Job, Pipeline, run
from gaugeline.cli import main


def reading(station="ODR-7", hour=0, level=1.0, day=10, **more):
    return {"station": station, "time": f"2023-11-{day:02}T{hour:02}:00:00Z", "level": level, **more}


class Place:
    def __init__(self, root):
        self.root, self.source, self.target = root, root / "in", root / "out"
        self.rejects, self.checkpoint = root / "rejects", root / "ckpt"

    def write(self, *lines):
        texts = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
        self.source.write_bytes(b"".join(text + b"\n" for text in texts))

    def run(self, stages, **options):
        return run(Job(self.source, self.target, Pipeline(stages), **options))

    def output(self):
        return [json.loads(line) for line in self.target.read_text().splitlines()]

    def levels(self, *lines, **options):
        """What is left of these readings behind ``dedupe``."""
        self.write(*lines)
        self.run([{"name": "dedupe", **options}])
        return [line["level"] for line in self.output()]

    def told(self):
        return [json.loads(line) for line in self.rejects.read_text().splitlines()]

    def command(self, capsys, stages, *words):
        pipeline = self.root / "p.toml"
        tables = []
        for stage in stages:
            name = stage["name"]
            tables.append(f'[[stage]]\nname = "{name}"\n')
            tables += [f"{key} = {value}\n" for key, value in stage.items() if key != "name"]
        pipeline.write_text("".join(tables))
        status = main(["run", str(self.source), str(self.target), "--pipeline", str(pipeline), *map(str, words)])
        return status, capsys.readouterr().out


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


# Every way to be rejected, over two stations, with an empty line between.
MIXED = [
    reading(hour=1, level=1.5),
    b"no json",
    b"",
    reading("ELB", hour=1, level=2.5),
    reading(hour=1, level=1.6),
    reading(hour=1, level=1.7, revision=2),
    reading(hour=1, level=1.8, revision=1),
    {"station": "ODR-7", "level": 1},
    reading(hour=2, level=77.0),
    reading("ELB", hour=1, level=2.5),
    reading(hour=9, level=1.9),
    reading(hour=2, level=1.4),
    b"\xff\xfe",
    reading(hour=9, level=1.1),
    reading("ELB", hour=5, level=2.1),
    reading(hour=4, level=1.2, revision=3),
]
STAGES = [{"name": "units"}, {"name": "dedupe", "hours": 5}, {"name": "range", "high": 12}, {"name": "gaps"}]
PLAIN = [STAGES[0], *STAGES[2:]]


def test_a_reading_has_a_revision(place):
    place.write(reading(revision=3, flags=["ice"]), reading(hour=1, revision=0), reading(hour=2))
    place.run([{"name": "units"}])
    first, second, third = place.output()
    assert list(first)[-2:] == ["flags", "revision"]
    assert first["revision"] == 3
    assert "revision" not in second
    assert "revision" not in third
    bad = (-1, 1.5, "2", True, None, [1])
    place.write(*(reading(hour=number, revision=value) for number, value in enumerate(bad)))
    report = place.run([{"name": "units"}])
    assert (report.rejected, report.written) == (len(bad), 0)


def test_what_came_before_is_rejected(place):
    same = {"station": "ODR-7", "time": "2023-11-10T02:00:00+02:00", "level": 4.0}
    assert place.levels(reading(level=1.0), reading(level=2.0), reading("ELB", level=3.0), same) == [1.0, 3.0]
    assert place.levels(reading(level=1.0), reading(hour=1, level=2.0), reading(level=3.0)) == [1.0, 2.0]


def test_corrections_go_on(place):
    numbers = [0, 2, 1, 2, 3, 0]
    found = place.levels(*(reading(level=1.0 + place, revision=number) for place, number in enumerate(numbers)))
    assert found == [1.0, 2.0, 5.0]
    # Of a reading that came late, too, as long as it is not too late.
    assert place.levels(reading(level=1.0), reading(hour=9), reading(level=2.0, revision=1)) == [1.0, 1.0, 2.0]


def test_what_is_late_is_rejected(place):
    lines = [reading(hour=10, level=1.0), reading(hour=4, level=2.0), reading(hour=3, level=3.0)]
    other = reading("ELB", hour=1, level=4.0)
    assert place.levels(*lines, other, hours=6) == [1.0, 2.0, 4.0]
    assert place.levels(*lines, other) == [1.0, 2.0, 3.0, 4.0]
    # Late is late, also for a correction, and what was late makes nothing else late.
    late = reading(hour=3, level=5.0, revision=9)
    assert place.levels(*lines[:2], late, late, reading(hour=4, level=6.0, revision=1), hours=6) == [1.0, 2.0, 6.0]
    day = [reading(day=12, level=1.0), reading(day=10, level=2.0), reading(day=9, hour=23, level=3.0)]
    assert place.levels(*day) == [1.0, 2.0]


def test_a_long_run_needs_no_more_state(place):
    place.write(*(reading(day=day, hour=hour) for day in range(1, 29) for hour in range(24)))
    place.run([{"name": "dedupe", "hours": 3}], checkpoint=place.checkpoint, limit=30)
    early = place.checkpoint.stat().st_size
    place.run([{"name": "dedupe", "hours": 3}], checkpoint=place.checkpoint, limit=660)
    assert place.checkpoint.stat().st_size < early + 1000


def test_the_report_tells_the_reasons(place):
    place.write(*MIXED)
    report = place.run(PLAIN).as_json()
    told = {stage["name"]: stage["reasons"] for stage in report["stages"]}
    assert told == {"parse": {"json": 2, "missing": 1}, "units": {}, "range": {"range": 1}, "gaps": {}}
    assert all(sum(stage["reasons"].values()) == stage["rejected"] for stage in report["stages"])
    assert (report["rejected"], report["written"], report["lines"]) == (4, 11, 16)


def test_the_text_tells_the_reasons(place):
    # In the order of their coming, `missing` is before `json` here.
    place.write(MIXED[7], *MIXED)
    lines = place.run(PLAIN).as_text().splitlines()
    assert [line.split()[0] for line in lines[1:-1]] == [
        *("parse", "json", "missing", "units", "range", "range", "gaps")
    ]
    for number, words in ((2, ["json", "2"]), (3, ["missing", "2"]), (6, ["range", "1"])):
        assert lines[number].split() == words
        assert lines[number][0].isspace()
    assert lines[-1] == "finished after 17 lines: 11 written, 5 rejected"


def test_the_rejects_are_written(place, capsys):
    place.write(*MIXED)
    place.rejects.write_text("of an earlier run\n")
    status, _ = place.command(capsys, PLAIN, "--rejects", place.rejects)
    assert status == 0
    assert all(set(line) == {"line", "stage", "reason", "text"} for line in place.told())
    assert [(line["line"], line["stage"], line["reason"]) for line in place.told()] == [
        (2, "parse", "json"),
        (8, "parse", "missing"),
        (9, "range", "range"),
        (13, "parse", "json"),
    ]
    texts = [line["text"] for line in place.told()]
    assert texts == ["no json", json.dumps(MIXED[7]), json.dumps(MIXED[8]), "\ufffd\ufffd"]
    # Nothing rejected: the file is there, and empty.
    place.write(reading())
    place.run(PLAIN, rejects=place.rejects)
    assert place.rejects.read_bytes() == b""


def test_too_many_rejects_end_the_run(place, capsys):
    place.write(*MIXED)
    words = ("--checkpoint", place.checkpoint)
    status, text = place.command(capsys, PLAIN, *words, "--max-rejects", 1)
    assert status == 3
    assert text.splitlines()[-1] == "stopped after 8 lines: 5 written, 2 rejected"
    assert place.checkpoint.is_file()
    status, text = place.command(capsys, PLAIN, *words, "--resume", "--max-rejects", 2)
    assert (status, text.splitlines()[-1]) == (3, "stopped after 9 lines: 5 written, 3 rejected")
    status, text = place.command(capsys, PLAIN, *words, "--resume")
    assert (status, text.splitlines()[-1]) == (0, "finished after 16 lines: 11 written, 4 rejected")
    assert place.command(capsys, PLAIN, "--max-rejects", 4)[0] == 0


def test_no_reject_at_all(place, capsys):
    place.write(reading(), b"", b"no json", reading(hour=3))
    status, text = place.command(capsys, PLAIN, "--max-rejects", 0)
    assert (status, text.splitlines()[-1]) == (3, "stopped after 3 lines: 1 written, 1 rejected")
    place.write(reading(), reading(hour=3))
    assert place.command(capsys, PLAIN, "--max-rejects", 0)[0] == 0


def whole(place):
    """Output, rejects and report of a run that nothing stops."""
    place.write(*MIXED)
    report = place.run(STAGES, rejects=place.rejects)
    return place.target.read_bytes(), place.rejects.read_bytes(), report.as_json(), report.as_text()


def test_a_resumed_run_gives_the_same(place):
    expected = whole(place)
    kept = {"checkpoint": place.checkpoint, "rejects": place.rejects}
    for limit in range(1, len(MIXED)):
        place.run(STAGES, limit=limit, **kept)
        report = place.run(STAGES, resume=True, **kept)
        found = place.target.read_bytes(), place.rejects.read_bytes(), report.as_json(), report.as_text()
        assert found == expected, limit
    # Line by line, so that everything goes through a checkpoint many times.
    place.run(STAGES, limit=1, **kept)
    while not (report := place.run(STAGES, limit=1, resume=True, **kept)).finished:
        pass
    assert (place.target.read_bytes(), place.rejects.read_bytes(), report.as_json(), report.as_text()) == expected


def test_a_killed_run_gives_the_same(place):
    expected = whole(place)
    kept = {"checkpoint": place.checkpoint, "rejects": place.rejects}
    for first, more in ((1, 9), (4, 3), (6, 8)):
        place.run(STAGES, limit=first, **kept)
        early = place.checkpoint.read_bytes()
        place.run(STAGES, limit=more, resume=True, **kept)
        place.checkpoint.write_bytes(early)
        report = place.run(STAGES, resume=True, **kept)
        found = place.target.read_bytes(), place.rejects.read_bytes(), report.as_json(), report.as_text()
        assert found == expected, (first, more)


def test_checkpoints_that_do_not_fit(place):
    place.write(*MIXED)
    stages = [{"name": "units"}, {"name": "gaps"}]
    for made, used in (({}, {"rejects": place.rejects}), ({"rejects": place.rejects}, {})):
        place.run(stages, checkpoint=place.checkpoint, limit=4, **made)
        with pytest.raises(GaugeError):
            place.run(stages, checkpoint=place.checkpoint, resume=True, **used)
        assert place.run(stages, checkpoint=place.checkpoint, resume=True, **made).finished
    place.run(stages, checkpoint=place.checkpoint, limit=4)
    document = json.loads(place.checkpoint.read_text())
    assert document["version"] == 2
    old = {
        "version": 1,
        "pipeline": document["pipeline"],
        "read": 0,
        "lines": 0,
        "written": 0,
        "counts": {"parse": [0, 0], "units": [0, 0], "gaps": [0, 0]},
        "states": {"gaps": {}},
    }
    place.checkpoint.write_text(json.dumps(old))
    with pytest.raises(GaugeError):
        place.run(stages, checkpoint=place.checkpoint, resume=True)


def test_what_is_new_is_described():
    words = {
        "README.md": ("--rejects", "--max-rejects"),
        "docs/format.md": ("revision", "duplicate", "late"),
        "docs/stages.md": ("dedupe",),
    }
    texts = {name: Path(name).read_text(encoding="utf-8") for name in words}
    assert [(name, word) for name in words for word in words[name] if word not in texts[name]] == []
