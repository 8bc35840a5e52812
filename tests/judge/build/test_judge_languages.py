"""The command that shows the languages and their factors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rigorbench.cli import main


def test_the_languages_are_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COLUMNS", "250")
    (tmp_path / "own.toml").write_text(
        '[elvish]\nname = "Elvish"\nextensions = [".elv"]\nprograms = ["no-such-elvish"]\nrun = ["no-such-elvish"]\n'
    )
    monkeypatch.setenv("RIGOR_LANGUAGES", str(tmp_path / "own.toml"))
    assert main(["doctor", "--languages"]) == 0
    out = capsys.readouterr().out
    assert "python" in out
    assert "the program no-such-elvish is not installed: apt install no-such-elvish" in out
    assert main(["doctor", "--languages", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "rigor-languages/1"
    by_id = {entry["id"]: entry for entry in document["languages"]}
    assert by_id["elvish"]["available"] is False
    assert by_id["cpp"]["checks"]["leak"]["by"] == "sanitizer"


def test_a_wrong_table_is_told_by_the_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "own.toml").write_text("[python]\ntime = -1\n")
    monkeypatch.setenv("RIGOR_LANGUAGES", str(tmp_path / "own.toml"))
    assert main(["doctor", "--languages"]) == 2
    assert "own.toml: [python]: time: Expected `float` > 0" in capsys.readouterr().err
