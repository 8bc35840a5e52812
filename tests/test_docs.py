"""The documentation quotes real outputs. Here its commands are run, and must print what the documents say.

In a fenced block, a line ``$ rigor ...`` is run in the directory of the log that it names, and the lines up to the
next such line (or the end of the block) must be its whole output. A block of TOML whose first line is ``# NAME.toml``
is the file that ``--task NAME.toml`` means. ``python tests/test_docs.py`` writes the present outputs into the documents
(with ``--readme`` also into the README).
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
from rigorbench.metrics.result import PILLAR_TITLES, WEIGHTS

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


def run_program(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", program],
        cwd=SAMPLES,
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

_SHOWN = "rigor score examples/sessions/791a2556d5-django__django-13794.traj.json"


def readme_block(text: str) -> tuple[int, int]:
    """Where the output that the README shows for its quick start begins and ends."""
    block = next(b for b in _FENCED.finditer(text) if b[1] == "" and "\noverall " in b[2])
    return block.start(2), block.end(2)


def test_the_output_in_the_readme_is_what_rigor_prints() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert _SHOWN in text
    start, end = readme_block(text)
    shown = text[start:end].splitlines()
    assert any(line.startswith("overall ") for line in shown)
    assert shown == _readme_output().rstrip().splitlines()


def _readme_output() -> str:
    output = run(_SHOWN, {})
    assert output is not None
    return output


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


def _refresh_readme(text: str) -> str:
    start, end = readme_block(text)
    return text[:start] + _readme_output().rstrip() + "\n" + text[end:]


if __name__ == "__main__":
    for document in DOCUMENTS:
        _refresh(document)
    _rewrite(LIBRARY, _refresh_library)
    if "--readme" in sys.argv:
        _rewrite(ROOT / "README.md", _refresh_readme)
