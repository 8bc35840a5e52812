"""Fails where src, tests or docs are larger than the budget in pyproject.toml allows: who adds, removes."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def size(directory: str, suffix: str, *, words: bool = False) -> int:
    """Lines, or words, of all files with this suffix."""
    texts = (path.read_text(encoding="utf-8") for path in sorted((ROOT / directory).rglob(f"*{suffix}")))
    return sum(len(text.split()) if words else text.count("\n") for text in texts)


def main() -> str | None:
    """What is over its budget, a line each; None: nothing is."""
    budget = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["budget"]
    found = {
        "src-lines": size("src", ".py"),
        "test-lines": size("tests", ".py"),
        "doc-words": size("docs", ".md", words=True),
    }
    over = [f"{name}: {found[name]:,} of {budget[name]:,}" for name in found if found[name] > budget[name]]
    return "\n".join(["over the budget of pyproject.toml: remove as much as you add", *over]) if over else None


if __name__ == "__main__":
    sys.exit(main())
