"""A log with what may be found in it: a false alarm as a test case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct, field

from .model import Fired

FILE = "case.toml"


class CaseError(Exception):
    """A case that cannot be read: one line that names the file."""


class Case(Struct, forbid_unknown_fields=True, rename="kebab"):
    """What is expected of one log.

    Attributes:
        log: its path, relative to the case's file.
        session: the id of the session, of a log with several; "": all of them.
        why: why the finding is wrong.
        finding: the fingerprint of the finding that the case is about.
        at_most: id of a check -> how often it may fire. By the check and not the fingerprint, so that the same alarm in
            other words is found as well.
        at_least: id of a check -> how often it has to fire.
    """

    log: str
    session: str = ""
    why: str = ""
    finding: str = ""
    at_most: dict[str, int] = field(default_factory=dict)
    at_least: dict[str, int] = field(default_factory=dict)

    def failures(self, checks: Sequence[Fired]) -> list[str]:
        """What is not as expected, a line each."""
        number = Counter(c.id for c in checks)
        first = {c.id: c.message for c in reversed(checks)}
        many = [
            f"{id} fires {number[id]} times, at most {most} expected: {first[id]}"
            for id, most in self.at_most.items()
            if number[id] > most
        ]
        few = [
            f"{id} fires {number[id]} times, at least {least} expected"
            for id, least in self.at_least.items()
            if number[id] < least
        ]
        return [*many, *few]

    def text(self) -> str:
        """The file."""
        quoted = {n: msgspec.json.encode(getattr(self, n)).decode() for n in ("log", "session", "why", "finding")}
        lines = [
            "# A log and what may be found in it; `rigor score --expect` on this folder checks it.",
            *(f"{name} = {value}" for name, value in quoted.items()),
        ]
        for name, numbers in (("at-most", self.at_most), ("at-least", self.at_least)):
            if numbers:
                lines += ["", f"[{name}]", *(f"{id} = {number}" for id, number in numbers.items())]
        return "\n".join(lines) + "\n"


def read_case(file: Path) -> Case:
    """Raises: CaseError."""
    import tomllib

    try:
        return msgspec.convert(tomllib.loads(file.read_text("utf-8")), Case)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise CaseError(f"{file}: is no case: {error}") from None


def find_cases(path: Path) -> list[Path]:
    """The files of the cases in a folder, or the file itself. Raises: CaseError if there is none."""
    found = sorted(path.rglob(FILE)) if path.is_dir() else [path] if path.is_file() else []
    if not found:
        raise CaseError(f"{path}: there is no {FILE}; `rigor score LOG --wrong ID` writes one")
    return found
