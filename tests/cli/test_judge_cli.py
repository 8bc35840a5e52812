"""`rigor judge`: submissions judged from the command line, alone and several at a time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rigorbench.cli import main
from rigorbench.judge.judgement import GroupResult, Judgement, PointResult
from rigorbench.judge.problems.problem import Problem
from rigorbench.judge.problems.verdicts import Verdict
from rigorbench.judge.submission import Submission
from rigorbench.sandbox.cell.cell import JudgeCell
from rigorbench.sandbox.cell.spec import CellError, CellSpec
from running import status_of

PACKAGES = Path(__file__).parents[1] / "judge" / "packages"
SUM = str(PACKAGES / "sum")
REFERENCE = str(PACKAGES / "sum" / "submissions" / "accepted" / "sum.py")


@pytest.fixture(scope="module", autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory) -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("COLUMNS", "100")
        yield


@pytest.fixture(scope="module")
def sandbox() -> None:
    try:
        JudgeCell.start(CellSpec()).close()
    except CellError as error:
        pytest.skip(str(error))


@pytest.fixture
def wrong(tmp_path: Path) -> str:
    path = tmp_path / "wrong.py"
    path.write_text("n = int(input())\nprint(sum(map(int, input().split())) + (n > 100))\n")
    return str(path)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "usage: rigor judge"),
        (["nowhere", REFERENCE], "no such directory"),
        ([str(PACKAGES), REFERENCE], "problem.yaml"),
        ([SUM, REFERENCE, "--group", "secret/none"], "it has: sample, secret/1-small"),
        ([SUM, REFERENCE, "--slots", "0"], "a number, from 1 to 1,024"),
        ([SUM, REFERENCE, "--repeat", "x"], "a number, from 1 to 1,024"),
        ([SUM], "SUBMISSION"),
    ],
)
def test_wrong_usage(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    status = status_of("judge", *arguments)
    printed = capsys.readouterr()
    assert status == 2
    assert words in printed.out + printed.err
    assert "Traceback" not in printed.err


def test_help_tells_of_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", "--help"]) == 0
    assert "verify PACKAGE" in capsys.readouterr().out
    with pytest.raises(SystemExit) as ended:
        main(["judge", SUM, "--help"])
    assert ended.value.code == 0
    assert "--show-details" in capsys.readouterr().out


@pytest.mark.bwrap
@pytest.mark.usefixtures("sandbox")
def test_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", SUM, REFERENCE]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "accepted" in " ".join(lines[:3])
    # Where the lines break depends on how long the path is.
    assert "100 of 100" in " ".join(" ".join(lines[:3]).split())
    assert any(line.startswith("secret/1-small  AC       40/40") for line in lines)


@pytest.mark.bwrap
@pytest.mark.usefixtures("sandbox")
def test_json_of_several_one_of_which_cannot_be_judged(capsys: pytest.CaptureFixture[str], wrong: str) -> None:
    assert main(["judge", SUM, wrong, "nowhere.py", REFERENCE, "--json"]) == 1
    printed = capsys.readouterr()
    documents = [json.loads(line) for line in printed.out.splitlines()]
    assert [document["source"] for document in documents] == [wrong, REFERENCE]
    assert documents[1]["verdict"] == "accepted"
    assert documents[1]["score"] == documents[1]["full"] == 100.0
    assert {document["schema"] for document in documents} == {"rigor-judgement/1"}
    assert len(documents[0]["package"]) == len(documents[0]["submission"]) == 64
    assert printed.err.count("\n") == 1
    assert "nowhere.py" in printed.err


@pytest.mark.bwrap
@pytest.mark.usefixtures("sandbox")
def test_details_are_for_those_who_ask(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "says.py"
    path.write_text("import sys\nsys.exit('words of the program: ' + input())\n")
    command = ["judge", SUM, str(path), "--group", "sample"]
    for more in ([], ["--json"]):
        assert main([*command, *more]) == 0
        printed = capsys.readouterr().out
        assert "exit code 1" in printed
        assert "words of the program" not in printed
        assert main([*command, *more, "--show-details"]) == 0
        assert "words of the program" in capsys.readouterr().out


@pytest.mark.bwrap
@pytest.mark.usefixtures("sandbox")
def test_repeating(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["judge", SUM, "--group", "sample", "--repeat", "3"]
    assert main([*command, REFERENCE]) == 0
    assert "3 judgings agree" in capsys.readouterr().out


@pytest.mark.parametrize(("verdict", "score"), [("wrong_answer", 1.0), ("accepted", 0.5), ("judge_error", None)])
def test_judgings_that_differ_fail(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, verdict: Verdict, score: float | None
) -> None:
    from rigorbench.judge.engine import Judge

    rest = [("accepted", 1.0), (verdict, score), ("accepted", 1.0)]

    def judged(self: object, problem: Problem, submission: Submission, **_: object) -> Judgement:
        found, points = rest.pop(0)
        point = PointResult("sample/1", found, points)  # type: ignore[arg-type]
        group = GroupResult("sample", "accepted", 100.0, 100.0, [point])
        return Judgement("sum", "d", "d", "python", "accepted", 100.0, 100.0, [group])

    monkeypatch.setattr(Judge, "judge", judged)
    assert main(["judge", SUM, REFERENCE, "--repeat", "3"]) == 1
    assert f"verdicts differ between 3 judgings: sample/1 (('accepted', 1.0), ('{verdict}', {score}))" in (
        " ".join(capsys.readouterr().err.split())
    )
