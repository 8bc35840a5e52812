"""Programs, task files and outputs that tests use, each in a file of its own beside this one."""

from pathlib import Path

_FOLDER = Path(__file__).with_name("sources")


def text_file(name: str) -> str:
    """The text of a file in ``tests/sources``."""
    return (_FOLDER / name).read_text(encoding="utf-8")
