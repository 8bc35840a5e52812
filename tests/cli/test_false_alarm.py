"""``rigor score --wrong`` and ``--expect``: a wrong finding as a test case."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from rigorbench.cli import main

ROOT = Path(__file__).resolve().parents[2]
LIE = ROOT / "src" / "rigorbench" / "cli" / "demo" / "lie.jsonl"
WITH_SUB_AGENT = ROOT / "tests" / "data" / "claude-code" / "cli-2.0.76"


def case(directory: Path) -> Path:
    (found,) = directory.rglob("case.toml")
    return found


def test_a_case_fails_as_long_as_the_alarm_is_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["score", str(LIE), "--wrong", "R-bent-tests", "--why", 'a "duplicate"']) == 0
    out, err = capfd.readouterr()
    line = out.strip()
    assert line.startswith('exclude."R-bent-tests:')
    assert line.endswith('= "a \\"duplicate\\""')
    assert "read it before you share it" in err
    file = case(tmp_path / "rigor-cases")
    data = tomllib.loads(file.read_text())
    assert data["at-most"] == {"R-bent-tests": 0}
    assert (file.parent / data["log"]).read_bytes() == LIE.read_bytes()
    assert main(["score", "--expect", "rigor-cases"]) == 3
    out, err = capfd.readouterr()
    assert out.startswith("FAILED rigor-cases/")
    assert "R-bent-tests fires 1 times, at most 0 expected: While tests were failing" in err
    # The line that was printed excludes it, in the case as well.
    Path("rigor.toml").write_text(f"{line}\n")
    assert main(["score", "--expect", "rigor-cases"]) == 0
    assert capfd.readouterr().out.startswith("ok     rigor-cases/")


def test_a_log_of_several_files_is_taken_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (log,) = [p for p in WITH_SUB_AGENT.glob("*.jsonl") if not p.name.startswith("agent-")]
    assert main(["score", str(log), "--wrong", "R-bent-tests"]) == 0
    assert (
        len(list(case(tmp_path).parent.rglob("agent-*.jsonl"))) == len(list(WITH_SUB_AGENT.rglob("agent-*.jsonl"))) > 0
    )
    assert main(["score", "--expect", "."]) == 3


def test_expectations_can_be_written_by_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "case.toml"
    file.write_text(f'log = "{LIE}"\n[at-least]\nR-bent-tests = 1\n[at-most]\nH-claim-contradicted = 1\n')
    assert main(["score", "--expect", str(file)]) == 0
    file.write_text(f'log = "{LIE}"\n[at-least]\nR-loop = 1\n')
    assert main(["score", "--expect", str(file)]) == 3
    for text in ("log = 7\n", "logg = 'x'\n", "log = 'gone.jsonl'\n", "[\n", f'log = "{LIE}"\nsession = "no"\n'):
        file.write_text(text)
        assert main(["score", "--expect", str(file)]) == 1, text
    assert main(["score", "--expect", str(tmp_path / "nothing")]) == 1
    err = capfd.readouterr().err
    assert "R-loop fires 0 times, at least 1 expected" in err
    assert "`rigor score LOG --wrong ID` writes one" in err


def test_a_finding_that_is_not_there_is_answered_with_those_that_are(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", str(LIE), "--wrong", "R-bent-test"]) == 2
    assert "no finding 'R-bent-test' (did you mean R-bent-tests:" in capfd.readouterr().err
    assert main(["score", str(tmp_path), "--wrong", "R-bent-tests"]) == 2
    assert main(["score", str(LIE.parent), "--wrong", "R-bent-tests"]) == 2
    assert "contains several logs; name one" in capfd.readouterr().err
