"""The issue text of a drawn mutant, in several voices: what a user sees. Code and values are in blocks of code."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from random import Random

from msgspec import Struct

from ...authoring.checklist.sentences import sentences
from ...tasks.task import Sentence
from .examples import Example

# The requirement of a drawn mutant.
FAULT = "fault"
_CONTEXT, _UNTESTED = "context", "untested"


class Said(Struct, frozen=True):
    """One paragraph: prose with what its sentences belong to, or a block of code (``of`` is empty)."""

    text: str
    of: str = ""


Voice = Callable[[str, Sequence[Example]], Iterator[Said]]


def issue(package: str, examples: Sequence[Example], rng: Random) -> tuple[str, list[Sentence]]:
    """The text of an issue in a voice drawn by chance, and what each of its sentences belongs to."""
    said = list(rng.choice(VOICES)(package, examples))
    text = "\n\n".join(one.text if one.of else textwrap.indent(one.text, "    ") for one in said) + "\n"
    return text, [Sentence(sentence, [one.of]) for one in said if one.of for sentence in sentences(one.text)]


def _code(one: Example) -> Said:
    return Said("\n".join(part for part in (one.setup, one.call) if part))


def _given(one: Example) -> Iterator[Said]:
    """Where names come from that the code does not define."""
    if one.fixtures:
        names = " and ".join(f"`{name}`" for name in one.fixtures)
        yield Said(f"({names}: what the fixtures of that name give in the tests.)", _CONTEXT)


def _trace(package: str, examples: Sequence[Example]) -> Iterator[Said]:
    first = examples[0]
    yield Said(f"### Wrong answer from {package}, with steps", FAULT)
    yield Said("Steps:", FAULT)
    yield _code(first)
    yield from _given(first)
    yield Said("What I get:", FAULT)
    yield Said("\n".join([*first.trace, first.got]))
    yield Said("What it has to be:", FAULT)
    yield Said(first.expected)
    for other in examples[1:]:
        yield Said("Perhaps for the same reason, this:", FAULT)
        yield _code(other)
        yield Said("ends as", FAULT)
        yield Said(other.got)
        yield Said("where it was", FAULT)
        yield Said(other.expected)


def _template(package: str, examples: Sequence[Example]) -> Iterator[Said]:
    yield Said("**What happens**", FAULT)
    for one in examples:
        yield _code(one)
        yield Said(f"# -> {one.got}".replace("\n", "\n#    "))
        yield from _given(one)
    yield Said("**What should happen**", FAULT)
    for one in examples:
        yield Said(one.expected)
    yield Said("**Version** (what is in the repository)", _CONTEXT)
    yield Said("**Anything else you have tried**", _CONTEXT)


def _chat(package: str, examples: Sequence[Example]) -> Iterator[Said]:
    one = examples[0]
    yield Said(f"does anybody else see this with {package}?", FAULT)
    yield _code(one)
    yield from _given(one)
    yield Said("gives me", FAULT)
    yield Said(one.got)
    yield Said("and not", FAULT)
    yield Said(one.expected)
    yield Said("as it always did, our nightly job has been red since the update", _CONTEXT)


def _review(package: str, examples: Sequence[Example]) -> Iterator[Said]:
    yield Said(f"I cannot approve the new {package} yet: what we had is broken in it.", FAULT)
    for number, one in enumerate(examples):
        yield Said("Run this on the branch:" if number == 0 else "And this:", FAULT)
        yield _code(one)
        yield from _given(one) if number == 0 else ()
        yield Said("Before it was" if number == 0 else "which was", FAULT)
        yield Said(one.expected)
        yield Said("and it is now" if number == 0 else "and is", FAULT)
        yield Said(one.got)
    yield Said("The rest looks fine to me, so please keep it as it is.", _UNTESTED)


def _thread(package: str, examples: Sequence[Example]) -> Iterator[Said]:
    one = examples[0]
    yield Said("> Works for me, the caller must be doing something odd.", _CONTEXT)
    yield Said("It does not, and here is a caller that does nothing odd:", FAULT)
    yield _code(one)
    yield from _given(one)
    yield Said(f"{package} makes of it", FAULT)
    yield Said(one.got)
    yield Said("The right result is", FAULT)
    yield Said(one.expected)
    for other in examples[1:]:
        yield Said("Another one, in case the first was an accident:", FAULT)
        yield _code(other)
        yield Said("with the result", FAULT)
        yield Said(other.got)
        yield Said("in place of", FAULT)
        yield Said(other.expected)


VOICES: tuple[Voice, ...] = (_trace, _template, _chat, _review, _thread)
