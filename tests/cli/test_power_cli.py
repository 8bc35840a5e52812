"""``rigor power``: answers, what they assume, and wrong usage."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fake_experiment import make_manifest, write_experiment
from rigorbench.cli import main
from running import status_of
from sources import text_file

# Under the assumptions that are stated; a person can check the last column against any table of the paired t test.
ASSUMED = text_file("power_cli.assumed.txt")


@pytest.fixture(autouse=True)
def _width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")


def test_the_table_and_its_assumptions(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["power", "--between", ".05", "--repeats", "2"]) == 0
    assert capsys.readouterr().out == ASSUMED


def test_that_repeats_never_suffice_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["power", "--within", ".1", "--between", ".1"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "No number of repeats is enough on 30 tasks: even infinitely many have power 0.75" in said
    assert "At least 34 tasks are needed" in said


def test_too_few_tasks_for_any_test(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["power", "--tasks", "4", "--comparisons", "6"]) == 0
    assert "4 tasks are too few for any difference: a permutation test needs at least 8 tasks to reach 0.00833." in (
        capsys.readouterr().out
    )


def test_the_spread_is_measured_in_an_experiment(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Planted: each task's two repeats differ by .02 in both conditions, and the gain is .1, .2, .3 by task."""
    manifest = make_manifest(tasks=("a", "b", "c"), models=("acme/x", "acme/y", "scripted/reckless"), repeats=2)

    def plant(result):
        cell = result.cell
        gain = {"a": 0.1, "b": 0.2, "c": 0.3}[cell.task] if cell.model == "acme/x" else 0.0
        result.rigor_score = 0.3 + gain + (0.01 if cell.repeat == 1 else -0.01)
        return result

    write_experiment(tmp_path / "out", manifest, plant, scores=False, journals=False)
    assert main(["power", "--from", str(tmp_path / "out"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "rigor-power/1"
    assert found["source"] == {"within": "measured", "between": "measured"}
    assert found["scripted"] is False
    assert found["components"]["within"] == pytest.approx(0.0002**0.5)
    assert found["components"]["between"] == pytest.approx((0.01 - 0.0002) ** 0.5)
    assert (found["components"]["runs"], found["components"]["pairs"]) == (12, 1)
    assert main(["power", "--from", str(tmp_path / "out"), "--within", ".05"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "standard deviation of repeats 0.05 (given), of the true difference between tasks 0.0866 (measured)" in said
    assert "Scripted" not in said


def test_scripted_policies_are_said_to_be_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_experiment(tmp_path / "out", make_manifest(repeats=2), scores=False, journals=False)
    assert main(["power", "--from", str(tmp_path / "out")]) == 0
    assert "Scripted policies play back fixed actions and hardly vary" in capsys.readouterr().out


def test_what_an_experiment_cannot_tell_is_assumed_and_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_experiment(tmp_path / "out", make_manifest(models=("acme/x", "acme/y")), scores=False, journals=False)
    assert main(["power", "--from", str(tmp_path / "out")]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "of repeats 0 (measured)" in said
    assert "no cell has two runs, so that their noise counts as a spread between tasks" in said
    assert main(["power"]) == 0
    assert "between tasks 0.073, with the noise of a run in it: as 12" in capsys.readouterr().out


def test_an_experiment_without_a_result_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_experiment(tmp_path / "out", make_manifest(), lambda _: None)
    assert main(["power", "--from", str(tmp_path / "out")]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == f"{tmp_path / 'out'}: no run has a value of rigor_score\n"


def test_one_broken_experiment_does_not_stop_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_experiment(tmp_path / "good", make_manifest(repeats=2), scores=False, journals=False)
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "manifest.json").write_text("{")
    assert main(["power", "--from", str(tmp_path / "bad"), str(tmp_path / "good")]) == 1
    printed = capsys.readouterr()
    assert "bad" in printed.err
    assert printed.err.count("\n") == 1
    assert "(measured)" in printed.out


@pytest.mark.parametrize(
    "arguments",
    [
        ["--difference", "0"],
        ["--difference", "nan"],
        ["--tasks", "1"],
        ["--tasks", "²"],
        ["--power", "1"],
        ["--power", ".01"],
        ["--within", "-1"],
        ["--repeats", "0"],
        ["--measure", "tokens"],
        ["--from", "/no/such/place"],
    ],
)
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of("power", *arguments) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_directory_without_a_manifest_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["power", "--from", str(tmp_path)]) == 2
    assert "no manifest.json; give the --out directory" in capsys.readouterr().err


def test_without_its_libraries_one_line_says_what_to_install() -> None:
    program = "import sys; sys.modules['scipy'] = None; from rigorbench.cli import main; sys.exit(main(['power']))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "rigor power: needs scipy: pip install '.[report]'\n"
