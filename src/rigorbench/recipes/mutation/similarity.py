"""How much of a text of ours is in texts of the library."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct
from rapidfuzz import fuzz, process

# Shorter sentences are alike by chance.
_FEWEST_WORDS = 5
_END = re.compile(r"(?<=[.!?:;])\s+|\n\s*\n|\n\s*(?=[-*+#>]|\d+[.)])")


class Similarity(Struct, frozen=True):
    """The sentence of ours that is most like one of the library.

    Attributes:
        ratio: 0 (nothing in common) to 1 (the same words).
        sentence: our sentence.
        name: the name of the text of the library.
        line: the line of that text at which its sentence starts.
    """

    ratio: float
    sentence: str
    name: str
    line: int


def similarity(text: str, upstream: Mapping[str, str]) -> Similarity | None:
    """The highest ratio of any sentence of ours to any sentence of the library's texts (by name).

    Case, line ends and marks do not count. None if either side has no sentence of five words or more.
    """
    ours = [(sentence, _plain(sentence)) for _, sentence in _sentences(text)]
    places = [(name, line, _plain(one)) for name in sorted(upstream) for line, one in _sentences(upstream[name])]
    if not ours or not places:
        return None
    theirs = [plain for _, _, plain in places]
    best: Similarity | None = None
    for sentence, plain in ours:
        found = process.extractOne(plain, theirs, scorer=fuzz.ratio, processor=None)
        if found is not None and (best is None or found[1] / 100 > best.ratio):
            name, line, _ = places[found[2]]
            best = Similarity(found[1] / 100, sentence, name, line)
    return best


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    """The sentences of a text that are long enough, with the lines at which they start."""
    start = 0
    for end in [*(found.span() for found in _END.finditer(text)), (len(text), len(text))]:
        sentence = text[start : end[0]]
        if len(_plain(sentence).split()) >= _FEWEST_WORDS:
            lead = len(sentence) - len(sentence.lstrip())
            yield text.count("\n", 0, start + lead) + 1, " ".join(sentence.split())
        start = end[1]


def _plain(sentence: str) -> str:
    return " ".join(re.findall(r"\w+", sentence.casefold()))
