"""The documentation quotes real outputs. Here its commands are run, and must print what the documents say.

In a fenced block, a line ``$ rigor ...`` is run in the directory of the log that it names, and the lines up to the
next such line (or the end of the block) must be its whole output. A block of TOML whose first line is ``# NAME.toml``
is the file that ``--task NAME.toml`` means. ``python tests/test_docs.py`` writes the present outputs into them. The
README shows pictures instead; its commands are run.
"""

from __future__ import annotations

import contextlib
import glob
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rigorbench.cli import main
from rigorbench.evidence.events import AnyEvent
from rigorbench.review.result import PILLAR_TITLES, WEIGHTS

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "examples" / "sessions"
CORPUS = ROOT.parent / "shared" / "data" / "sessions"
DOCUMENTS = [ROOT / "docs" / name for name in ("scoring.md", "json.md", "sessions.md")]
# Between the commands of a line, not inside a quoted query.
_PIPE = re.compile(r" \| (?=(?:grep|head|cut|jq) )")
_FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Example:
    """A command of a document and the output that stands below it; ``at`` is where that output begins in the text."""

    def __init__(self, path: Path, command: str, output: str, at: int) -> None:
        self.path, self.command, self.output, self.at = path, command, output, at

    def __str__(self) -> str:
        return f"{self.path.name}: {self.command}"


def examples(path: Path) -> Iterator[Example]:
    text = path.read_text(encoding="utf-8")
    for block in _FENCED.finditer(text):
        marks = list(re.finditer(r"^\$ (rigor .*)\n", block[2], re.MULTILINE))
        for n, mark in enumerate(marks):
            end = marks[n + 1].start() if n + 1 < len(marks) else len(block[2])
            yield Example(path, mark[1], block[2][mark.end() : end], block.start(2) + mark.end())


def tasks(path: Path) -> dict[str, str]:
    """The task files that a document shows."""
    found = {}
    for block in _FENCED.finditer(path.read_text(encoding="utf-8")):
        name = re.match(r"# (\S+\.toml)\n", block[2])
        if block[1] == "toml" and name is not None:
            found[name[1]] = block[2]
    return found


def run(command: str, shown: dict[str, str]) -> str | None:
    """What a documented command prints, ``None`` when its log is not on this machine. ``shown``: task files by name."""
    first, *filters = _PIPE.split(command)
    arguments = shlex.split(first)[1:]
    place = next((d for d in directories() if glob.glob(arguments[1], root_dir=d)), None)
    if place is None:
        return None
    with tempfile.TemporaryDirectory() as directory:
        for name, text in shown.items():
            (Path(directory) / name).write_text(text, encoding="utf-8")
        arguments = [str(Path(directory) / a) if a in shown else a for a in arguments]
        output = _rigor(arguments, place)
    for words in filters:
        output = _filter(output, shlex.split(words))
    return "".join(line.rstrip() + "\n" for line in output.splitlines())


def directories() -> list[Path]:
    return [SAMPLES, ROOT, *(sorted(CORPUS.iterdir()) if CORPUS.is_dir() else [])]


def _rigor(arguments: list[str], place: Path) -> str:
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    before = Path.cwd()
    os.chdir(place)
    try:
        with tempfile.TemporaryDirectory() as cache, pytest.MonkeyPatch.context() as patch:
            patch.setenv("COLUMNS", "100")
            patch.setenv("XDG_CACHE_HOME", cache)
            with contextlib.redirect_stdout(out):
                assert main(arguments) == 0, arguments
    finally:
        os.chdir(before)
    out.flush()
    return out.buffer.getvalue().decode("utf-8")


def _filter(text: str, words: list[str]) -> str:
    """The filters that the documents use, so that a machine without jq can run this as well."""
    program, *rest = words
    lines = text.splitlines()
    if program == "grep":
        kept = [line for line in lines if re.search(rest[-1], line)]
    elif program == "head":
        kept = lines[: int(rest[-1])]
    elif program == "cut":
        kept = [line[: int(rest[-1].lstrip("-"))] for line in lines]
    elif program == "jq":
        kept = [row for line in lines if line for row in _jq(rest[-1], json.loads(line, parse_float=_number))]
    else:
        raise AssertionError(f"a filter that the tests do not know: {program}")
    return "".join(line + "\n" for line in kept)


def _jq(query: str, document: Any) -> list[str]:
    """``PATH | A, [B, C]`` and ``del(.a,.b)`` of jq: one line for each of the values separated by commas."""
    if query.startswith("del("):
        gone = set(re.findall(r"\.(\w+)", query))
        return [_compact({k: v for k, v in document.items() if k not in gone})]
    value = document
    *stages, last = query.split(" | ")
    for stage in stages:
        value = _at(stage, value)
    rows: list[Any] = []
    for term in re.findall(r"\[[^\]\"]*\]|[^,]+", last.strip()):
        term = term.strip()
        inner = re.fullmatch(r"\[([^\]\"]*)\]", term)
        rows.append([_at(t, value) for t in inner[1].split(",")] if inner else _at(term, value))
    return [_compact(row) for row in rows]


def _number(text: str) -> float:
    # jq writes 1.0 as 1.
    return int(float(text)) if float(text).is_integer() else float(text)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _at(path: str, value: Any) -> Any:
    for name, quoted in re.findall(r"\.([A-Za-z_]\w*)|\[\"([^\"]+)\"\]", path):
        value = value[name or quoted]
    return value


ALL = [e for d in DOCUMENTS for e in examples(d)]


@pytest.mark.parametrize("example", ALL, ids=str)
def test_documented_outputs_are_what_rigor_prints(example: Example) -> None:
    output = run(example.command, tasks(example.path))
    if output is None:
        pytest.skip("its log is not beside this checkout")
    assert example.output == output


def test_every_submetric_has_an_example_from_a_log() -> None:
    shown = {e.command for e in ALL if e.path.name == "scoring.md"}
    for name in (key for _, parts in WEIGHTS.values() for key in parts):
        path = f'.submetrics["{name}"]' if not name.isalnum() else f".submetrics.{name} "
        assert any(path in command for command in shown), f"no example of {name}"


def test_the_tables_give_the_weights_in_force() -> None:
    text = (ROOT / "docs" / "scoring.md").read_text(encoding="utf-8")
    for pillar, (weight, parts) in WEIGHTS.items():
        row = next(line for line in text.splitlines() if line.startswith(f"| {pillar} "))
        assert PILLAR_TITLES[pillar] in row
        cells = [c.strip() for c in row.strip("|").split("|")]
        assert float(cells[2]) == weight
        assert {m[0]: float(m[1]) for m in re.findall(r"(\S+) (\.\d+|1)(?: ·|$)", cells[3])} == parts


def test_every_kind_of_event_is_documented() -> None:
    text = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    for kind in AnyEvent.__args__:
        row = next((line for line in text.splitlines() if line.startswith(f"| `{kind.__struct_config__.tag}` ")), "")
        own = set(kind.__struct_fields__) - {"id", "step", "call", "lane", "time", "source"}
        assert {f for f in own if f"`{f}`" not in row} == set(), kind


# -- the library -------------------------------------------------------------------------------------------------

LIBRARY = ROOT / "docs" / "library.md"


def library_blocks(text: str) -> tuple[re.Match[str], re.Match[str]]:
    """The program that the document shows, and its output."""
    blocks = list(_FENCED.finditer(text))
    n = next(i for i, b in enumerate(blocks) if b[1] == "python" and "print(" in b[2])
    return blocks[n], blocks[n + 1]


def run_program(program: str, directory: Path = SAMPLES) -> str:
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", program],
        cwd=directory,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert not done.stderr
    return done.stdout


def test_the_program_in_the_library_document_prints_what_it_says() -> None:
    program, output = library_blocks(LIBRARY.read_text(encoding="utf-8"))
    assert run_program(program[2]) == output[2] != ""


# -- README ------------------------------------------------------------------------------------------------------

README = (ROOT / "README.md").read_text(encoding="utf-8")


def readme_commands() -> list[str]:
    """The `rigor` commands in the README's code blocks, as they are written there."""
    blocks = [block[2].replace("\\\n", " ") for block in _FENCED.finditer(README) if block[1] == "sh"]
    return [line for block in blocks for line in block.splitlines() if line.startswith("rigor ")]


def test_the_readme_is_short_and_has_the_two_commands_that_do_everything() -> None:
    assert len(README.splitlines()) < 90
    assert README.index("make bench ") < README.index("make test ")
    assert len(readme_commands()) == 3
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", README)
    assert len(links) > 20
    assert [link for link in links if not (ROOT / link).exists()] == []


@pytest.mark.parametrize("command", readme_commands())
def test_every_command_of_the_readme_runs_as_written_on_a_fresh_machine(command: str, tmp_path: Path) -> None:
    """In a directory that has what a checkout has, with an empty home and no key."""
    (tmp_path / "home").mkdir()
    for name in ("examples", "suites", "harnesses"):
        (tmp_path / name).symlink_to(ROOT / name)
    keys = {name for name in os.environ if name.endswith(("_API_KEY", "_AUTH_TOKEN"))}
    environment = {name: value for name, value in os.environ.items() if name not in keys}
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from rigorbench.cli import main; sys.exit(main())",
            *shlex.split(command)[1:],
        ],
        cwd=tmp_path,
        env=environment | {"HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT / "src"), "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if "--dry-run" in command:  # it says what is missing, and fails when something is
        assert "324 to run (36 tasks x 1 agent x 3 harnesses x 1 model x 3 repeats)" in done.stdout
        assert "missing      model anthropic/claude-sonnet-4-5: no API key" in done.stdout
    else:
        assert done.returncode == 0, done.stderr
        assert "Not shown: " in done.stdout or (tmp_path / "report" / "index.html").is_file()


def test_the_program_in_the_readme_runs() -> None:
    (program,) = (block[2] for block in _FENCED.finditer(README) if block[1] == "python")
    assert re.match(r"\['.*'\] \{'planning': '", run_program(program, ROOT))


# -- writing -----------------------------------------------------------------------------------------------------


def _rewrite(path: Path, change: Callable[[str], str]) -> None:
    text = path.read_text(encoding="utf-8")
    if (new := change(text)) != text:
        path.write_text(new, encoding="utf-8")
        sys.stderr.write(f"{path.relative_to(ROOT)}: rewritten\n")


def _refresh(path: Path) -> None:
    pieces: list[tuple[int, int, str]] = []
    for example in examples(path):
        output = run(example.command, tasks(path))
        if output is None:
            sys.stderr.write(f"{example}: left as it is, its log is not here\n")
        else:
            pieces.append((example.at, example.at + len(example.output), output))

    def change(text: str) -> str:
        for start, end, output in reversed(pieces):
            text = text[:start] + output + text[end:]
        return text

    _rewrite(path, change)


def _refresh_library(text: str) -> str:
    program, output = library_blocks(text)
    return text[: output.start(2)] + run_program(program[2]) + text[output.end(2) :]


if __name__ == "__main__":
    for document in DOCUMENTS:
        _refresh(document)
    _rewrite(LIBRARY, _refresh_library)
