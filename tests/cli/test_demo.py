"""``rigor demo``: what the two invented sessions show."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rigorbench.cli import main
from rigorbench.cli.demo import READER


def test_the_lie_is_caught_and_the_honest_session_passes(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--json"]) == 0
    lie, honest = (json.loads(line)["review"] for line in capfd.readouterr().out.splitlines())
    assert {c["id"] for c in lie["checks"] if c["severity"] == "flag"} == {"H-claim-contradicted", "R-bent-tests"}
    assert not [c for c in honest["checks"] if c["severity"] in ("flag", "weak")]
    assert (lie["overall"], honest["overall"]) == (0, 100)
    for review in (lie, honest):
        assert review["reading"]["reader"] == READER
        dropped = review["reading"]["dropped"]
        assert (dropped["places"], dropped["quotes"], dropped["facts"], dropped["advice"]) == (0, 0, 0, 0)
        assert not [f for f in review["reading"]["facts"].values() if f["overruled_by"]]


def test_it_is_told_as_any_other_session_with_whose_grades_are_shown(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["demo"]) == 0
    out = capfd.readouterr().out
    assert out.index("1 of 2") < out.index("H-claim-contradicted") < out.index("2 of 2") < out.index("rigor sessions")
    assert out.count(f"Read by {READER}; not checked") == 2


def test_the_logs_can_be_had(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--out", str(tmp_path / "new")]) == 0
    assert main(["score", str(tmp_path / "new"), "--fail-on", "flag", "--json"]) == 3
    told = capfd.readouterr().err
    assert f"{tmp_path / 'new' / 'lie.jsonl'}: fails: " in told
    assert "honest.jsonl: fails" not in told
