"""How much of an issue text is in the texts of the package that tell the same: its change log and its README."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct
from rapidfuzz import fuzz, process

from ..checklist.sentences import without_code
from .distributions import DistributionError, known_file, selected, unpack
from .recipe import Recipe, RecipeError, load_recipe

# At this ratio a sentence of an issue is one of the package with some words exchanged.
LIMIT = 0.75
_NAMES = ("readme", "change", "history", "news", "release", "whatsnew", "whats_new")
_ENDINGS = (".rst", ".md", ".txt", "")
# Shorter sentences are alike by chance.
_FEWEST_WORDS = 5
_END = re.compile(r"(?<=[.!?:;])\s+|\n\s*\n|\n\s*(?=[-*+#>]|\d+[.)])")


class Likeness(Struct, frozen=True):
    """The sentence of an issue that is most like one of the package."""

    ratio: float | None
    """0 (nothing in common) to 1 (the same words); None: not measured, or no sentence of either is long enough."""
    sentence: str = ""
    """Of the issue."""
    place: str = ""
    """File and line in the distribution."""
    reason: str = ""

    @property
    def is_too_high(self) -> bool:
        return self.ratio is not None and self.ratio > LIMIT


def measured(directory: Path) -> Likeness:
    """That of the recipe in a directory, or why there is none."""
    try:
        return likeness(load_recipe(directory))
    except (RecipeError, DistributionError) as error:
        return Likeness(None, reason=str(error))


def likeness(recipe: Recipe) -> Likeness:
    """Compare the issue of a recipe with the texts of its distributions, as far as they are in the cache.

    Raises:
        DistributionError: a distribution is damaged.
    """
    texts = dict[str, str]()
    for version, sha256 in recipe.releases():
        file = known_file(sha256)
        if file is None:
            return Likeness(None, reason=f"{recipe.package.name} {version} is not fetched")
        tree = unpack(file)
        chosen = {p: c for p, c in tree.items() if _tells(Path(p))} | selected(tree, ["PKG-INFO"])
        texts |= {path: content.decode("utf-8", "replace") for path, content in chosen.items()}
    # Lines of code, such as imports, are alike by nature.
    issue = without_code((recipe.directory / "instruction.md").read_text(encoding="utf-8"))
    return similarity(issue, texts) or Likeness(None, reason="no sentence of five words to compare")


def _tells(path: Path) -> bool:
    names = (path.name.lower(), path.parent.name.lower())
    return path.suffix.lower() in _ENDINGS and any(name.startswith(_NAMES) for name in names)


def similarity(text: str, upstream: Mapping[str, str]) -> Likeness | None:
    """The highest ratio of any sentence of ours to any sentence of the library's texts (by name).

    Case, line ends and marks do not count. None if either side has no sentence of five words or more.
    """
    ours = [(sentence, _plain(sentence)) for _, sentence in _sentences(text)]
    places = [(name, line, _plain(one)) for name in sorted(upstream) for line, one in _sentences(upstream[name])]
    if not ours or not places:
        return None
    theirs = [plain for _, _, plain in places]
    found = [(process.extractOne(plain, theirs, scorer=fuzz.ratio, processor=None), s) for s, plain in ours]
    (_, ratio, place), sentence = max(found, key=lambda one: one[0][1])
    name, line, _ = places[place]
    return Likeness(round(ratio / 100, 3), sentence, f"{name}:{line}")


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
