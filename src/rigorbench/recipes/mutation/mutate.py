"""The mutations of a source, and a source with one of them made."""

from __future__ import annotations

from functools import lru_cache

from . import javascript, python
from .catalogue import BY_NAME, ORDER
from .model import Finding, Mutation, MutationError, Place, spliced

_LANGUAGES = {"python": python, "javascript": javascript}


def mutations(source: str, language: str = "python") -> list[Mutation]:
    """All mutations of a source, in the order of the text.

    Raises:
        MutationError: the language is unknown, or the source does not parse.
    """
    return [place.mutation for place in places(source, language)]


def apply(source: str, mutation: Mutation, language: str = "python") -> str:
    """The source with one mutation made. All bytes outside the place stay as they are.

    Raises:
        MutationError: the source does not parse or does not have this mutation.
    """
    result = spliced(source, place_of(source, mutation, language).splices)
    if not _LANGUAGES[language].differs(source, result):
        raise MutationError(f"line {mutation.line}: {mutation.operator} changes nothing; choose another mutation")
    return result


def place_of(source: str, mutation: Mutation, language: str = "python") -> Place:
    """The place of a mutation, by its operator, function and index; the line must be the same as well.

    Raises:
        MutationError: the source does not parse or does not have this mutation.
    """
    wanted = (mutation.operator, mutation.qualname, mutation.index, mutation.line)
    for place in places(source, language):
        found = place.mutation
        if (found.operator, found.qualname, found.index, found.line) == wanted:
            return place
    raise MutationError(
        f"line {mutation.line}: no place {mutation.index} of {mutation.operator} in {mutation.qualname}; "
        "was the recipe written for another version of the file?"
    )


@lru_cache(maxsize=16)
def places(source: str, language: str = "python") -> tuple[Place, ...]:
    """All mutations of a source with their splices, in the order of the text.

    Raises:
        MutationError: the language is unknown, or the source does not parse.
    """
    if language not in _LANGUAGES:
        raise MutationError(f"no operators for the language {language!r}; known: {', '.join(_LANGUAGES)}")
    data = source.encode()
    found = sorted(_LANGUAGES[language].findings(source), key=_order)
    seen, counts, result = set(), dict[tuple[str, str], int](), list[Place]()
    for finding in found:
        if finding.edit.splices in seen:
            continue
        seen.add(finding.edit.splices)
        key = (finding.operator, finding.qualname)
        index = counts[key] = counts.get(key, -1) + 1
        line = line_at(data, finding.edit.splices[0].start)
        description = BY_NAME[finding.operator].template.format(name=finding.edit.name)
        mutation = Mutation(finding.operator, finding.qualname, index, line, description[0].upper() + description[1:])
        result.append(Place(mutation, finding.edit.splices))
    return tuple(result)


def line_at(data: bytes, offset: int) -> int:
    """The line (from 1) of a byte position. A line ends with LF, CR LF or CR."""
    before = data[:offset]
    return 1 + before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")


def _order(finding: Finding) -> tuple[int, int, int, tuple[str, ...]]:
    first = finding.edit.splices[0]
    return first.start, ORDER[finding.operator], first.end, tuple(splice.text for splice in finding.edit.splices)
