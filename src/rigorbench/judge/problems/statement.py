"""The problem's statement: constants and samples are put in."""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from .problem import Case, PackageError
from .yamlfile import read_text

# Of a package: now, and before 2025-09.
DIRECTORIES: Final = ("statement", "problem_statement")
_FILE: Final = re.compile(r"problem(?:\.([a-z]{2,3}(?:-[A-Z]{2})?))?\.(md|tex|pdf)")
_CONSTANT: Final = re.compile(r"\{\{([a-zA-Z_][a-zA-Z0-9_]*(?:\.[a-zA-Z_][a-zA-Z0-9_]*)?)\}\}")
_PLACEHOLDER: Final = re.compile(r"(?:\{\{(nextsample|remainingsamples)\}\}|\\(nextsample|remainingsamples)\b)")
_LARGEST_SAMPLE: Final = 64 << 10


def put_constants(text: str, constants: Mapping[str, str]) -> str:
    """Replace ``{{name}}`` and ``{{name.variant}}``; what is not defined stays."""
    return _CONSTANT.sub(lambda found: constants.get(found[1], found[0]), text) if constants else text


def find_statements(root: Path, *, required: bool = True) -> dict[str, Path]:
    """The statement's files by language. Raises: PackageError: a file twice, or none and one is `required`."""
    place, before = (root / name for name in DIRECTORIES)
    # Before 2025-09, where a language may also have a PDF beside its text, and English is not named.
    earlier = not place.is_dir() and before.is_dir()
    place = before if earlier else place
    found: dict[str, Path] = {}
    for path in sorted(place.iterdir()) if place.is_dir() else []:
        match = _FILE.fullmatch(path.name)
        if match is None or not (match[1] or earlier):
            continue
        language = match[1] or "en"
        if language in found and not earlier:
            raise PackageError(f"{path}: {found[language].name} has the same language; keep one of them")
        if language not in found or found[language].suffix == ".pdf":
            found[language] = path
    if not found and required:
        raise PackageError(f"{place}: no statement; write problem.en.md there")
    return found


def source(statements: Mapping[str, Path], constants: Mapping[str, str]) -> tuple[str, bool]:
    """The English statement, or else the first: (its text, whether it is Markdown). The text of a PDF is empty."""
    if not statements:
        return "", False
    path = statements.get("en") or statements[min(statements)]
    if path.suffix == ".pdf":
        return "", False
    text = read_text(path)
    if path.suffix == ".tex":
        text = re.sub(r"\\constant\{([\w.]+)\}", lambda found: constants.get(found[1], found[0]), text)
    return put_constants(text, constants), path.suffix == ".md"


def render(text: str, samples: tuple[Case, ...], interactions: tuple[Path, ...] = ()) -> str:
    """The statement as it is shown: samples replace their placeholders, and the remaining ones follow at the end.

    `interactions`: samples that are only shown, as files of what both sides say. Raises: PackageError: a sample cannot
    be read, or the statement has more placeholders than there are samples.
    """
    shown: list[tuple[str, Case | Path]] = [(case.id, case) for case in samples]
    shown += [(f"sample/{path.stem}", path) for path in interactions]
    shown.sort(key=lambda pair: pair[0])
    left = [_sample(sample, number, len(shown)) for number, (_, sample) in enumerate(shown, start=1)]

    def put(found: re.Match[str]) -> str:
        if (found[1] or found[2]) == "nextsample":
            if not left:
                raise PackageError("statement: has more {{nextsample}} than data/sample has samples")
            return left.pop(0)
        rest = "\n\n".join(left)
        left.clear()
        return rest

    text = _PLACEHOLDER.sub(put, text).rstrip("\n") + "\n"
    return text + "\n" + "\n\n".join(left) + "\n" if left else text


def shown_files(case: Case) -> tuple[str, str | None, str | None]:
    """What a sample shows: (input, output or None, interaction or None). With an interaction the input is empty."""
    interaction = beside(case, ".interaction")
    if interaction.is_file():
        return "", None, _text(interaction)
    shown_input, shown_output = beside(case, ".in.statement"), beside(case, ".ans.statement")
    output = next((p for p in (shown_output, beside(case, ".out")) if p.is_file()), case.answer)
    text = _text(shown_input if shown_input.is_file() else case.input)
    return text, _text(output) if output is not None else None, None


def beside(case: Case, suffix: str) -> Path:
    """The file of a test point with another suffix."""
    return case.input.with_name(case.input.name.removesuffix(".in") + suffix)


def _sample(sample: Case | Path, number: int, count: int) -> str:
    given, output, interaction = ("", None, _text(sample)) if isinstance(sample, Path) else shown_files(sample)
    title = f"Sample {number}" if count > 1 else "Sample"
    if interaction is not None:
        return f"### {title}: interaction\n\n{_fenced(interaction)}"
    parts = [f"### {title}: input\n\n{_fenced(given)}"]
    if output is not None:
        parts.append(f"### {title}: output\n\n{_fenced(output)}")
    return "\n\n".join(parts)


def _fenced(text: str) -> str:
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}{'' if text.endswith(chr(10)) or not text else chr(10)}{fence}"


def _text(path: Path) -> str:
    """The text of a sample, for people: a long one is cut, a binary one only named."""
    with path.open("rb") as file:
        data = file.read(_LARGEST_SAMPLE + 1)
    cut = len(data) > _LARGEST_SAMPLE
    try:
        # The cut may have split a character of a text file.
        text = getincrementaldecoder("utf-8")().decode(data[:_LARGEST_SAMPLE], final=not cut).replace("\r\n", "\n")
    except UnicodeDecodeError:
        return f"({path.name}: {path.stat().st_size} bytes, not text)\n"
    return text + "\n... (cut)\n" if cut else text
