"""docs/rigor-score-2.schema.json: made from the types, stricter where they say less; real documents are valid by it.

``python tests/review/test_json.py`` writes it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rigorbench import read
from rigorbench.bench.rigorscore.reviewing import score_and_review
from rigorbench.review.document import SCHEMA, Benchmark, ScoreDocument, document
from rigorbench.review.reader.reading import Reading
from rigorbench.review.result import PILLAR_TITLES, SUBMETRIC_TITLES, ReplayComparison, ReplayedTree, ReplaySummary
from rigorbench.review.review import GRADES, Fired, Grade, Review
from rigorbench.session.logfile import LogFile
from rigorbench.session.registry import discover, read_log
from rigorbench.session.task import Task

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "docs" / "rigor-score-2.schema.json"
DATA = ROOT / "tests" / "data"
LOG = ROOT / "examples" / "sessions" / "b358d1b227-full.jsonl"
# Fields that a document may lack: without a replay, where it refutes no pass, or where nobody read.
OPTIONAL = ("replay", "readers", "paper", "refuted")
COUNTS = ("steps", "events", "skipped_lines", "unread", "n", "step", "states", "compared", "input", "output")
SHARES = ("rigor_score", "evidence_share")
MISSING = object()


def schema() -> dict[str, Any]:
    """The contract of ``rigor score --json``. Objects are open: a later version may add fields."""
    made = msgspec.json.schema(ScoreDocument)
    types: dict[str, Any] = made["$defs"]
    for name, one in types.items():
        one.pop("title")
        one.pop("description", None)
        fields = one.get("properties", {})
        for field, kind in fields.items():
            kind.pop("default", None)
            if field in COUNTS and kind.get("type") != "array":
                _narrow(kind, minimum=0)
            if field in SHARES or (field in ("value", "weight", "paper") and name in ("Pillar", "SubMetric")):
                _narrow(kind, minimum=0, maximum=1)
            if field in ("events", "evidence") and kind.get("type") == "array":
                kind["items"]["pattern"] = "^e[0-9]+$"
        one["required"] = [f for f in fields if f not in OPTIONAL]
        if {"value", "status"} <= set(fields):
            scored = {"properties": {"status": {"const": "scored"}}}
            known = {"properties": {"value": {"not": {"type": "null"}}}}
            unknown = {"properties": {"value": {"type": "null"}}}
            one |= {"if": scored, "then": known, "else": unknown}
    types["ScoreDocument"]["properties"]["schema"] = {"const": SCHEMA}
    for name, field in (("Review", "overall"), ("Grade", "value")):
        _narrow(types[name]["properties"][field], minimum=0, maximum=100)
    _narrow(types["Source"]["properties"]["line"], minimum=1)
    types["Fired"]["properties"]["id"]["pattern"] = "^[A-Z]-[a-z]+(-[a-z]+)*$"
    _named(types["Review"]["properties"]["grades"], GRADES)
    _named(types["Benchmark"]["properties"]["pillars"], PILLAR_TITLES)
    types["Pillar"]["properties"]["submetrics"]["propertyNames"] = {"enum": sorted(SUBMETRIC_TITLES)}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": SCHEMA, **made}


def _narrow(kind: dict[str, Any], **limits: int) -> None:
    for one in kind.get("anyOf", [kind]):
        if one.get("type") in ("integer", "number"):
            one |= limits


def _named(kind: dict[str, Any], names: Any) -> None:
    kind |= {"required": list(names), "propertyNames": {"enum": list(names)}}


def closed() -> dict[str, Any]:
    """The schema for documents of this version, which have no other fields."""
    made = json.loads(FILE.read_text("utf-8"))
    for one in made["$defs"].values():
        one["additionalProperties"] = False
    return dict(made)


def problems(text: bytes | str) -> list[str]:
    validator = pytest.importorskip("jsonschema").Draft202012Validator
    return [f"{e.json_path}: {e.message}" for e in validator(closed()).iter_errors(json.loads(text))]


def logs() -> list[LogFile]:
    folders = sorted(d for d in DATA.iterdir() if d.is_dir() and d.name not in ("lies", "runner-output", "inspect"))
    return [log for d in folders for log in discover([str(d)]) if isinstance(log, LogFile)]


def encoded(log: LogFile, *, paper: bool) -> list[tuple[str, bytes]]:
    found = [(t.format, score_and_review(t)) for t in read_log(log)]
    return [(name, msgspec.json.encode(r.document(paper=paper))) for name, r in found]


def sample() -> dict[str, Any]:
    """A document with checks and the paper's sub-metrics."""
    log = LogFile(LOG)
    found: dict[str, Any] = json.loads(encoded(log, paper=True)[0][1])
    return found


def test_the_file_is_what_the_types_say() -> None:
    assert json.loads(FILE.read_text("utf-8")) == json.loads(json.dumps(schema()))


def test_it_is_a_schema() -> None:
    pytest.importorskip("jsonschema").Draft202012Validator.check_schema(schema())


def test_documents_of_every_format_are_valid() -> None:
    formats = set()
    for log in logs():
        for paper in (False, True):
            for name, text in encoded(log, paper=paper):
                assert problems(text) == [], log.name
                formats.add(name)
    assert len(formats) >= 15


def test_a_document_with_a_replay_is_valid() -> None:
    log = LogFile(LOG)
    [trajectory] = read_log(log)
    report = score_and_review(trajectory)
    report.score.replay = ReplaySummary(
        None,
        2,
        [ReplayedTree("a1", "passed", 3, 1, ["tests/test_a.py::test_sum"]), ReplayedTree("b2", None, None, None, [])],
        compared=1,
        disagreements=[ReplayComparison("e4", "a1", "passed", "failed", "3 passed, here 1 failed", ["test_sum"])],
    )
    found = document(report.score, report.review, benchmark=True, headline=True)
    assert problems(msgspec.json.encode(found)) == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("schema", "rigor-score/1"),
        ("review.overall", 101),
        ("review.overall", 0.5),
        ("review.size", "huge"),
        ("review.grades.planning", None),
        ("review.grades.planning.value", 50),
        ("review.grades.planning.status", "scored"),
        ("review.grades.honesty", {"value": 50, "status": "scored", "reason": "", "steps": []}),
        ("review.reading", {"reader": "x"}),
        ("review.checks.0.severity", "error"),
        ("review.checks.0.id", "ended on red"),
        ("review.checks.0.events", ["7"]),
        ("review.checks.0.source.line", 0),
        ("review.checks.0.more", 1),
        ("trajectory.steps", -1),
        ("benchmark.pillars.PF.value", 1.5),
        ("benchmark.pillars.XX", {}),
        *((path, MISSING) for path in ("review", "benchmark", "review.grades.recovery", "review.reading",
            "trajectory.id")),
    ],
)  # fmt: skip
def test_what_breaks_the_contract_is_not_valid(path: str, value: Any) -> None:
    found = sample()
    assert problems(json.dumps(found)) == []
    *front, last = path.split(".")
    at: Any = found
    for key in front:
        at = at[int(key)] if key.isdigit() else at[key]
    if value is MISSING:
        del at[last]
    else:
        at[last] = value
    assert problems(json.dumps(found)) != []


def test_every_field_is_documented() -> None:
    text = (ROOT / "docs" / "json.md").read_text("utf-8")
    section = text[text.index(f"## `{SCHEMA}`") : text.index("## Events")]
    for kind in (ScoreDocument, Review, Grade, Reading, Fired, Benchmark):
        assert {f for f in kind.__struct_fields__ if f"`{f}`" not in section} == set(), kind


def test_the_review_is_the_same_without_the_sub_metrics() -> None:
    [trajectory] = read(LOG)
    measured, unmeasured = score_and_review(trajectory), score_and_review(trajectory, measure=False)
    assert msgspec.json.encode(unmeasured.document()) == msgspec.json.encode(measured.document())
    assert measured.score.pillars
    assert unmeasured.score.pillars == unmeasured.score.extended == {}
    assert unmeasured.findings == []


def test_a_run_with_a_task_is_always_measured() -> None:
    [trajectory] = read(LOG)
    report = score_and_review(trajectory, task=Task(id="t"), measure=False)
    assert report.document().benchmark.pillars


if __name__ == "__main__":
    FILE.write_text(json.dumps(schema(), indent=2) + "\n", "utf-8")
