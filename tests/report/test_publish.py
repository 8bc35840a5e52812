"""The report of an experiment is drawn again only when what it depends on has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from fake_experiment import make_manifest, write_experiment
from rigorbench.bench.pages.experiment import site as site_module
from rigorbench.bench.pages.experiment.site import publish, up_to_date
from rigorbench.bench.pages.tables.build import build


@pytest.fixture
def out(tmp_path: Path) -> Path:
    write_experiment(tmp_path / "out", make_manifest(tasks=("one", "two")))
    return tmp_path / "out"


def test_a_report_is_up_to_date_until_something_of_it_changes(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = out / "report"
    assert not up_to_date(out, site)
    assert publish(out, build([out]), site) == site / "index.html"
    assert up_to_date(out, site)
    result = next((out / "runs").glob("*/result.json"))
    for path in (site / "index.html", result):
        kept = path.read_bytes()
        if path != result:
            path.unlink()
        else:
            path.write_bytes(kept + b"\n")
        assert not up_to_date(out, site), path
        path.write_bytes(kept)
        assert up_to_date(out, site)
    with monkeypatch.context() as other:
        other.setattr(site_module, "__version__", "another")
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
