"""Factors of languages, measured by reference programs; and the commands that show them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rigorbench.cli import main
from rigorbench.judge.build import table
from rigorbench.judge.calibration import measure
from rigorbench.judge.calibration.measure import KERNELS, Calibrated, Calibration, Kernel, as_table, calibrate, up
from rigorbench.judge.model import JudgeError


def test_every_language_of_the_table_has_every_kernel() -> None:
    for language in table.languages().values():
        for kernel in ("empty", *KERNELS):
            assert measure._kernel(language, kernel).is_file(), f"{language.id}: {kernel}"


def test_factors_are_geometric_means_of_ratios_of_medians() -> None:
    mib = 1 << 20
    unit = {name: Kernel([1.0, 9.0, 1.0], [10 * mib]) for name in KERNELS} | {"empty": Kernel([0.1], [2 * mib])}
    mine = {name: Kernel([4.0, 4.0, 99.0], [30 * mib]) for name in KERNELS} | {"empty": Kernel([0.3], [6 * mib])}
    mine["arith"] = Kernel([128.0], [900 * mib])
    found = measure._calibrated(table.find("python"), mine, unit)
    assert found.time == pytest.approx(8.0)
    assert found.spread == (4.0, 128.0)
    assert found.memory == pytest.approx(3.0), "without what an empty program needs; arithmetic holds nothing"
    assert (found.startup_cpu, found.startup_memory) == (0.3, 6 * mib)
    alone = measure._calibrated(table.find("cpp"), unit, unit)
    assert (alone.time, alone.memory, alone.spread) == (None, None, None)


@pytest.mark.parametrize(("factor", "rounded"), [(0.3, 1.0), (1.05, 1.0), (1.06, 1.5), (2.0, 2.0), (10.3, 10.5)])
def test_factors_are_rounded_up(factor: float, rounded: float) -> None:
    assert up(factor) == rounded


def test_what_is_written_can_be_laid_over_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [
        Calibrated("cpp", None, None, None, 0.0, 1, {}, {}),
        Calibrated("python", 12.2, 2.2, (1.0, 20.0), 0.01, None, {}, {}),
        Calibrated("go", 1.2, None, (1.0, 2.0), 0.01, None, {}, {}),
    ]
    path = tmp_path / "mine.toml"
    path.write_text(as_table(Calibration(found, {}, 3, "cgroup")))
    shipped = table.languages()
    monkeypatch.setenv("RIGOR_LANGUAGES", str(path))
    known = table.languages()
    assert (known["python"].time, known["python"].memory) == (12.5, 2.5)
    assert (known["go"].time, known["go"].memory) == (1.5, shipped["go"].memory)
    assert known["cpp"] == shipped["cpp"]


@pytest.mark.bwrap
@pytest.mark.usefixtures("native")
def test_a_calibration_for_real(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "KERNELS", ("io",))
    monkeypatch.setattr(measure, "_LINES", 2000)
    monkeypatch.setattr(measure, "REFERENCE", "c")  # compiles in a fifth of the time
    calibration = calibrate(table.languages(), ["python"], 1)
    assert [found.language for found in calibration.languages] == ["c", "python"]
    python = calibration.languages[1]
    assert python.time is not None
    assert python.time > 1.0
    assert python.startup_memory is not None
    assert calibration.memory_by in ("cgroup", "rlimit")
    monkeypatch.setattr(measure, "_kernel", lambda language, kernel: Path(__file__))
    with pytest.raises(JudgeError, match="the C kernel empty does not compile"):
        calibrate(table.languages(), [], 1)


@pytest.mark.slow
@pytest.mark.bwrap
@pytest.mark.usefixtures("native")
def test_all_kernels_give_one_answer(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["judge", "calibrate", "--repeats", "1", "--json", "--write", str(tmp_path / "t.toml")]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "rigor-calibration/1"
    assert {found["language"] for found in document["languages"]} | set(document["missing"]) == set(table.languages())
    assert "[python]" in (tmp_path / "t.toml").read_text()


def test_the_languages_are_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COLUMNS", "250")
    (tmp_path / "own.toml").write_text(
        '[elvish]\nname = "Elvish"\nextensions = [".elv"]\nprograms = ["no-such-elvish"]\nrun = ["no-such-elvish"]\n'
    )
    monkeypatch.setenv("RIGOR_LANGUAGES", str(tmp_path / "own.toml"))
    assert main(["judge", "languages"]) == 0
    out = capsys.readouterr().out
    assert "python" in out
    assert "the program no-such-elvish is not installed: apt install no-such-elvish" in out
    assert main(["judge", "languages", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "rigor-languages/1"
    by_id = {entry["id"]: entry for entry in document["languages"]}
    assert by_id["elvish"]["available"] is False
    assert by_id["cpp"]["checks"]["leak"]["by"] == "sanitizer"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["languages", "extra"], "unrecognized arguments"),
        (["calibrate", "--repeats", "0"], "a number of rounds"),
        (["calibrate", "--language", "cobol"], "no language 'cobol'"),
        (["calibrate", "--write", __file__], "exists: name a new file"),
    ],
)
def test_wrong_usage(capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    try:
        status: object = main(["judge", *words])
    except SystemExit as ended:
        status = ended.code
    assert status == 2
    assert message in capsys.readouterr().err


def test_a_wrong_table_is_told_by_the_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "own.toml").write_text("[python]\ntime = -1\n")
    monkeypatch.setenv("RIGOR_LANGUAGES", str(tmp_path / "own.toml"))
    assert main(["judge", "languages"]) == 2
    assert "own.toml: [python]: time and memory must be above 0" in capsys.readouterr().err
