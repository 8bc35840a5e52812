"""The report of an experiment is drawn again only when what it depends on has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from fake_experiment import make_manifest, write_experiment
from rigorbench.bench.pages.experiment import publish as publishing
from rigorbench.bench.pages.experiment.publish import publish, up_to_date
from rigorbench.bench.pages.tables.build import build


@pytest.fixture
def out(tmp_path: Path) -> Path:
    write_experiment(tmp_path / "out", make_manifest(tasks=("one", "two")))
    return tmp_path / "out"


def published(out: Path) -> Path:
    site = out / "report"
    assert publish(out, build([out]), site) == site / "index.html"
    return site


def test_nothing_changed(out: Path) -> None:
    assert not up_to_date(out, out / "report")
    assert up_to_date(out, published(out))


def test_a_change_of_a_run_is_seen(out: Path) -> None:
    site = published(out)
    result = next((out / "runs").glob("*/result.json"))
    result.write_bytes(result.read_bytes().replace(b'"status": "completed"', b'"status":"completed"') + b"\n")
    assert not up_to_date(out, site)


def test_a_change_of_a_log_is_seen(out: Path) -> None:
    site = published(out)
    with next((out / "runs").glob("*/journal.jsonl")).open("ab") as journal:
        journal.write(b"\n")
    assert not up_to_date(out, site)


def test_a_page_that_is_gone_is_seen(out: Path) -> None:
    site = published(out)
    next((site / "runs").glob("*.html")).unlink()
    assert not up_to_date(out, site)


def test_other_code_draws_other_pages(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = published(out)
    monkeypatch.setattr(publishing, "_code", lambda: "another version of the templates")
    assert not up_to_date(out, site)


def test_a_report_against_another_baseline_is_not_the_default_one(out: Path) -> None:
    site = out / "report"
    publish(out, build([out], baseline="reckless"), site)
    assert not up_to_date(out, site)


def test_what_could_not_be_read_is_said_each_time(out: Path) -> None:
    next((out / "runs").glob("*/score.json")).write_text("{", encoding="utf-8")
    said: list[str] = []
    site = out / "report"
    publish(out, build([out]), site, problem=said.append)
    assert "score.json is damaged" in said[0]
    assert not up_to_date(out, site)
