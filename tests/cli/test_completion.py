"""``rigor completion``: the script completes commands, options, values and names; and mistyped names are answered."""

from __future__ import annotations

import shutil
import subprocess
from io import StringIO
from pathlib import Path

import pytest

from rigorbench.cli import COMMANDS, main
from rigorbench.cli.completion.tree import _WITHOUT, described


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    directory, found = tmp_path_factory.mktemp("completion"), {}
    for shell in ("bash", "zsh", "fish"):
        with pytest.MonkeyPatch.context() as patch:
            out = StringIO()
            patch.setattr("sys.stdout", out)
            assert main(["completion", shell]) == 0
        found[shell] = directory / shell
        found[shell].write_text(out.getvalue())
    return found


def completed(script: Path, *words: str, cwd: Path | None = None) -> list[str]:
    """What bash offers for the last of these words."""
    asked = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rigor; printf "%s\\n" "${COMPREPLY[@]}"'
    done = subprocess.run(
        ["bash", "-c", asked, "x", str(script), "rigor", *words], capture_output=True, text=True, check=True, cwd=cwd
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["sc"], ["score"]),
        (["suite", "va"], ["validate"]),
        (["score", "--fail"], ["--fail-under", "--fail-on"]),
        (["score", "--format", ""], ["github", "junit", "markdown", "sarif"]),
        (["score", "--select", "H-claim-c"], ["H-claim-contradicted"]),
        (["explain", "R-bent-t"], ["R-bent-tests"]),
        (["hook", "install", "--dry"], ["--dry-run"]),
        (["hook", "install", "c"], ["claude-code", "codex"]),
        (["judge", "ser"], ["serve"]),
        (["completion", "z"], ["zsh"]),
    ],
)
def test_bash_completes(scripts: dict[str, Path], words: list[str], offered: list[str]) -> None:
    assert completed(scripts["bash"], *words) == offered


def test_bash_completes_files_where_a_path_is_wanted(scripts: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "session.jsonl").touch()
    assert completed(scripts["bash"], "score", "sess", cwd=tmp_path) == ["session.jsonl"]
    assert completed(scripts["bash"], "score", "x", "--html", "sess", cwd=tmp_path) == ["session.jsonl"]


def test_every_command_has_its_options() -> None:
    root = described()
    assert [c.words[0] for c in root.commands] == [c.name for c in COMMANDS]
    without = {n.words for n in root.walk() if n.words and not n.options and not n.commands}
    assert without == set(_WITHOUT)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_script_names_every_command_and_is_valid(scripts: dict[str, Path], shell: str) -> None:
    text = scripts[shell].read_text()
    for command in COMMANDS:
        assert command.name in text
    assert text.count("--fail-under" if shell != "fish" else "-l fail-under") >= 1
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    subprocess.run([shell, "-n", str(scripts[shell])], check=True)


# -- did you mean


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["scroe"], "rigor: no command 'scroe' (did you mean score?); one of: score, "),
        (["suite", "lst"], "no command 'lst' (did you mean list?)"),
        (["hook", "instal"], "no command 'instal' (did you mean install?)"),
        (["completion", "bsh"], "no shell 'bsh' (did you mean bash?)"),
        (["score", "x", "--jsn"], "unrecognized arguments: --jsn (did you mean --json?)"),
        (["convert", "x", "--to", "atff"], "(did you mean atif?)"),
        (["run", "rigor", "--agent", "cladue-code", "--model", "x/y"], "(did you mean claude-code?)"),
        (["xyz"], "rigor: no command 'xyz'; one of: "),
    ],
)
def test_a_mistyped_name_is_answered_with_the_nearest(
    words: list[str], told: str, capfd: pytest.CaptureFixture[str]
) -> None:
    try:
        status = main(words)
    except SystemExit as end:
        status = int(end.code or 0)
    assert status == 2
    assert told in capfd.readouterr().err


def test_a_mistyped_task_is_answered_with_the_nearest(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["suite", "show", "rigor", "hous-tab"]) == 2
    assert "did you mean" in capfd.readouterr().err
