"""``rigor judge review`` on a package and submissions on disk."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from rigorbench.cli.common import run
from rigorbench.cli.judge.review import command
from sources import text_file

PACKAGES = Path(__file__).resolve().parents[1] / "packages"
RULES = text_file("review_cli.rules.toml")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    pytest.importorskip("yaml", reason="packages are YAML")
    place = tmp_path / "sum"
    shutil.copytree(PACKAGES / "sum", place)
    (place / "review.toml").write_text(RULES)
    return place


@pytest.fixture
def work(tmp_path: Path) -> Path:
    place = tmp_path / "work"
    place.mkdir()
    (place / "main.cpp").write_text("int main() {\n    goto x;\nx:\n    return 0;\n}\n")
    return place


def test_what_it_shows(package: Path, work: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert command([str(package), str(work)]) == 0
    out, err = capfd.readouterr()
    assert "BROKEN  no-goto: There is no goto." in out
    assert "main.cpp:2: goto" in out
    assert "ERROR   history" in out
    assert "review score: 0.00 of 100 (0 of 2 rules kept, 0 of 0 criteria scored)" in out
    assert err == ""
    assert command([str(package), str(work / "main.cpp"), "--json"]) == 0
    document = json.loads(capfd.readouterr().out)
    assert (document["schema"], document["score"], document["over"]["errors"]) == ("rigor-review/1", 0, 1)


@pytest.mark.skipif(shutil.which("git") is None or shutil.which("bwrap") is None, reason="needs git and bubblewrap")
def test_a_revision_with_its_history(package: Path, work: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for words in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "Add the sum"],
    ):
        subprocess.run(["git", *words], cwd=work, check=True)
    assert command([str(package), str(work / ".git"), "--revision", "HEAD", "--json"]) == 0
    document = json.loads(capfd.readouterr().out)
    assert [rule["outcome"] for rule in document["rules"]] == ["failed", "passed"]


def test_what_cannot_be_reviewed(package: Path, work: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert command([str(package), str(tmp_path / "absent")]) == 1
    assert "no such file" in capfd.readouterr().err
    (package / "review.toml").write_text("[[rule]]\nid = 3\n")
    assert run(command, "judge review", [str(package), str(work)]) == 2
    err = capfd.readouterr().err
    assert "review.toml" in err
    assert err.count("\n") == 1
    (package / "review.toml").unlink()
    assert command([str(package), str(work)]) == 1
    assert "no review.toml" in capfd.readouterr().err


def test_a_reader_that_nobody_knows_is_told_and_the_rules_are_checked(
    package: Path, work: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    criterion = "".join(f'{level} = "So far."\n' for level in (0, 3, 5, 7, 10))
    (package / "review.toml").write_text(
        f'{RULES}[[criterion]]\nid = "c"\ntext = "Clear?"\n[criterion.levels]\n{criterion}'
    )
    assert command([str(package), str(work), "--reader", "nobody", "--store", str(tmp_path / "readings")]) == 0
    out, err = capfd.readouterr()
    assert "BROKEN  no-goto" in out
    assert "nobody: there is no such reader" in err
