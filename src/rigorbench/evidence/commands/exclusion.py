"""Which tests a command excludes by name, so that its pass proves nothing about them."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.patterns import lazy
from .classify import Classified
from .programs import is_partial

_OPTIONS = frozenset(
    (
        "--deselect", "--ignore", "--ignore-glob", "--skip", "-skip", "--exclude", "--exclude-pattern",
        "--exclude-group", "--testPathIgnorePatterns", "--exclude-tag", "--exclude-dir", "--grep-invert",
        "--label-exclude",
    )
)  # fmt: skip
_SHORT = {"ctest": ("-E", "--exclude-regex"), "robot": ("-e",), "tap": ("--exclude",)}
_EXPRESSION = ("-k", "-m", "--keyword", "--filter", "-E", "--filter-expr", "-Dtest", "--tests")
_NOT = lazy(r"(?:\bnot\s+|!=?~?\s*|!)\(?\s*([\w./:*\[\]-]+(?:\s+or\s+[\w./:*\[\]-]+)*)")

_PREDICATE = lazy(r"\b(?:test|package|binary|kind|deps)\(")  # of nextest: not test(name)


def excluded(test: Classified) -> tuple[str, ...]:
    """The names, files or patterns that a test command leaves out."""
    args = test.command.args
    found: list[str] = []
    for i, arg in enumerate(args):
        name, equals, value = arg.partition("=")
        value = value if equals else args[i + 1] if i + 1 < len(args) else ""
        if name in _OPTIONS or name in _SHORT.get(test.runner or "", ()):
            found.append(value)
        elif name in _EXPRESSION:
            found += [word for m in _NOT.finditer(_PREDICATE.sub("", value)) for word in m[1].split(" or ")]
        elif arg.startswith("-k") and len(arg) > 2 and test.runner in ("pytest", "unittest"):
            found += [word for m in _NOT.finditer(arg[2:]) for word in m[1].split(" or ")]
    return tuple(dict.fromkeys(word.strip() for word in found if word.strip()))


def only_excludes(test: Classified) -> bool:
    """Whether a selection only excludes tests: all others still ran."""
    chosen = [t for t in test.targets if not _NOT.match(t.strip())]
    return (
        test.selective
        and bool(excluded(test))
        and not any(map(is_partial, chosen))
        and not any(a in ("--lf", "--last-failed", "--sw", "--stepwise") for a in test.command.args)
    )


def leaves_out(names: Sequence[str], test_id: str) -> bool:
    """Whether one of the names that a run left out (see :func:`excluded`) covers a test id."""
    lowered = test_id.lower()
    return any((word := name.lower().strip("*/^$")) and (word in lowered or lowered.startswith(word)) for name in names)
