"""The size and complexity of a submission's code, without running it."""

from __future__ import annotations

import logging
from importlib import import_module
from pathlib import Path

from ...evidence.paths import role
from ..experiment.model import CodeSize

# Larger files are data.
_LARGEST = 1 << 20


def code_size(root: Path) -> CodeSize:
    """Files and lines of the program below ``root``, with the complexity of its functions where lizard is installed."""
    files = [p for p in sorted(root.rglob("*")) if p.is_file()]
    sources = [p for p in files if role(p.relative_to(root).as_posix()) == "production"]
    texts = {p: p.read_bytes()[:_LARGEST].decode("utf-8", "replace") for p in sources}
    try:
        analyze_file = import_module("lizard").analyze_file
    except ModuleNotFoundError:
        return CodeSize(len(texts), sum(bool(line.strip()) for text in texts.values() for line in text.splitlines()))
    lines, found = 0, []
    for path, text in texts.items():
        try:
            analysed = analyze_file.analyze_source_code(str(path), text)
        except Exception as error:  # a parser of arbitrary code; one file that it cannot read is counted by its lines
            logging.getLogger(__name__).debug("%s: %s", path, error)
            lines += sum(bool(line.strip()) for line in text.splitlines())
            continue
        lines += int(analysed.nloc)
        found += [int(function.cyclomatic_complexity) for function in analysed.function_list]
    if not found:
        return CodeSize(len(texts), lines)
    return CodeSize(len(texts), lines, len(found), round(sum(found) / len(found), 3), max(found))
