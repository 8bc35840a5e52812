"""``rigor --print-completion``: commands, options, values and names; and mistyped names are answered."""

from __future__ import annotations

import argparse
import shutil
import subprocess
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest

from rigorbench.cli import COMMANDS, GROUPS, main
from rigorbench.cli.completion import described
from running import status_of


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    directory, found = tmp_path_factory.mktemp("completion"), {}
    for shell in ("bash", "zsh", "fish"):
        with pytest.MonkeyPatch.context() as patch:
            out = StringIO()
            patch.setattr("sys.stdout", out)
            assert main(["--print-completion", shell]) == 0
        found[shell] = directory / shell
        found[shell].write_text(out.getvalue())
    return found


def completed(script: Path, *words: str, cwd: Path | None = None) -> list[str]:
    """What bash offers for the last of these words."""
    asked = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
    asked += '_shtab_rigor rigor "${!#}"; printf "%s\\n" "${COMPREPLY[@]}"'
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
        (["judge", "--show"], ["--show-details"]),
        (["bench", "run", "--agent", "claude"], ["claude-code"]),
        (["reader", "ex"], ["export"]),
    ],
)
def test_bash_completes(scripts: dict[str, Path], words: list[str], offered: list[str]) -> None:
    assert completed(scripts["bash"], *words) == offered


def test_bash_completes_files_where_a_path_is_wanted(scripts: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "session.jsonl").touch()
    assert completed(scripts["bash"], "score", "sess", cwd=tmp_path) == ["session.jsonl"]
    assert completed(scripts["bash"], "score", "x", "--html", "sess", cwd=tmp_path) == ["session.jsonl"]


def _actions(parser: argparse.ArgumentParser, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The commands without an option of their own."""
    inner = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    for action in inner:
        for name, each in action.choices.items():
            yield from _actions(each, (*words, name))
    if not inner and len(parser._get_optional_actions()) < 2:
        yield words


def test_every_command_has_its_options() -> None:
    assert {words[-1] for words in _actions(described(COMMANDS, GROUPS))} == {"export"} | {"run"}


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
        (["hook", "instal"], "(did you mean install?)"),
        (["--print-completion", "bsh"], "no shell 'bsh' (did you mean bash?)"),
        (["score", "x", "--jsn"], "unrecognized arguments: --jsn (did you mean --json?)"),
        (["convert", "x", "--to", "atff"], "(did you mean atif?)"),
        (["run", "rigor", "--agent", "cladue-code", "--model", "x/y"], "(did you mean claude-code?)"),
        (["suite", "show", "rigor", "hous-tab"], "did you mean"),
        (["xyz"], "rigor: no command 'xyz'; one of: "),
    ],
)
def test_a_mistyped_name_is_answered_with_the_nearest(
    words: list[str], told: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert status_of(*words) == 2
    assert told in capfd.readouterr().err
