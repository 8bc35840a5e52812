"""``rigor reader`` and ``rigor score --reader``: requests out, answers in, and grades from them without asking."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from judged_answers import whole
from running import status_of

LOG = next((Path(__file__).parent.parent.parent / "src" / "rigorbench" / "cli" / "demo").glob("**/*.jsonl"))


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = status_of(*arguments)
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return status, out, err


def exported(capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, Any]:
    status, out, err = run(capsys, "reader", "export", str(LOG), *more)
    assert (status, err) == (0, "")
    found: dict[str, Any] = json.loads(out)
    return found


def answered(capsys: pytest.CaptureFixture[str], grade: str = "4") -> None:
    line = {"custom_id": exported(capsys)["custom_id"], "answer": whole(grade)}
    Path("answers.jsonl").write_text(json.dumps(line) + "\n")
    assert run(capsys, "reader", "import", "answers.jsonl", "--reader", "anna")[0] == 0


def test_answers_of_a_person_grade_a_session_offline(capsys: pytest.CaptureFixture[str]) -> None:
    answered(capsys)
    status, out, err = run(capsys, "score", str(LOG), "--reader", "anna", "--json")
    assert (status, err) == (0, "")
    review = json.loads(out)["review"]
    assert review["reading"]["reader"] == "anna"
    assert review["reading"]["grades"]["overall"]["value"] == 4
    assert review["overall"] == 75
    assert run(capsys, "score", str(LOG), "--reader", "anna", "--json")[1] == out
    Path("rigor.toml").write_text('reader = "anna"\n')
    assert run(capsys, "score", str(LOG), "--json")[1] == out
    assert json.loads(run(capsys, "score", str(LOG), "--json", "--reader", "none")[1])["review"]["reading"] is None


def test_what_is_stored_is_neither_exported_nor_imported_again(capsys: pytest.CaptureFixture[str]) -> None:
    answered(capsys)
    assert run(capsys, "reader", "export", str(LOG), "--reader", "anna")[:2] == (0, "")
    status, out, _ = run(capsys, "reader", "import", "answers.jsonl", "--reader", "anna")
    assert (status, out.split(" stored in ")[0]) == (0, "0 answers")


def test_a_dry_run_counts_and_a_preview_shows_the_text(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "score", str(LOG), "--reader", "claude,anna", "--readings", "2", "--dry-run")
    assert status == 0
    assert out.startswith("claude: 2 requests, ")
    assert "Nothing was sent" in out
    sent = exported(capsys)
    assert run(capsys, "score", str(LOG), "--reader", "claude", "--preview")[1] == f"{sent['system']}\n{sent['user']}\n"


def test_a_reader_that_does_not_answer_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "score", str(LOG), "--reader", "clade", "--json")
    assert status == 1
    assert json.loads(out)["review"]["reading"] is None
    assert "did you mean claude" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("score", str(LOG), "--preview"), "--preview needs --reader NAME"),
        (("score", str(LOG), "--readings", "3"), "--readings needs --reader NAME"),
        (("reader", "export", str(LOG), "--form", "openai"), "--model NAME belongs to"),
        (("reader", "import", "none.jsonl"), "none.jsonl: cannot be read"),
        (("reader", "exprt"), "did you mean export"),
    ],
)
def test_wrong_usage_names_the_remedy(
    arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, err = run(capsys, *arguments)
    assert status == 2
    assert words in err


def test_lines_that_are_no_answers_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    custom = exported(capsys, "--form", "anthropic", "--model", "m")["custom_id"]
    old = custom.rpartition("-")[0] + "-999"
    lines = [
        "{",
        json.dumps({"custom_id": custom, "answer": {"grades": 5}}),
        json.dumps({"custom_id": old, "answer": whole()}),
        json.dumps({"custom_id": custom, "result": {"type": "expired"}}),
    ]
    Path("a.jsonl").write_text("\n".join(lines))
    status, out, err = run(capsys, "reader", "import", "a.jsonl", "--reader", "batch")
    assert status == 1
    assert out.startswith("0 answers stored")
    assert [line.split(":")[1] for line in err.splitlines()] == ["1", "2", "3", "4"]
    assert "version 999" in err


def test_a_terminal_is_asked_once_and_a_no_sends_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A program that would answer is there, and is only started after a yes."""
    Path("fake.py").write_text(
        f"import pathlib, sys\nsys.stdin.read()\npathlib.Path({str(tmp_path / 'ran')!r}).touch()\n"
        f"print({json.dumps(whole())!r})\n"
    )
    command = [sys.executable, str(Path("fake.py").absolute())]
    Path("rigor.toml").write_text(f"[readers.own]\ncommand = {json.dumps(command)}\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    for said, ran, asked in (("n\n", False, True), ("y\n", True, True), ("n\n", True, False)):
        words = io.StringIO(said)
        monkeypatch.setattr(words, "isatty", lambda: True, raising=False)
        monkeypatch.setattr("sys.stdin", words)
        status, out, err = run(capsys, "score", str(LOG), "--reader", "own", "--json")
        assert status == 0
        assert ("1 request would be sent to it: " in err) is asked
        assert ("price: as the program charges" in err or "price: unknown" in err) is asked
        assert (json.loads(out)["review"]["reading"] is not None) == (tmp_path / "ran").exists() == ran
