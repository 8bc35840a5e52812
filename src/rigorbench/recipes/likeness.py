"""How much of an issue text is in the texts of the package that tell the same: its change log and its README."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from ..authoring.checklist.sentences import without_code
from .distributions import unpack
from .fetching import known_file
from .model import Recipe
from .mutation import similarity
from .trees import Tree, selected

# At this ratio a sentence of an issue is one of the package with some words exchanged.
LIMIT = 0.75
_NAMES = ("readme", "change", "history", "news", "release", "whatsnew", "whats_new")
_ENDINGS = (".rst", ".md", ".txt", "")


class Likeness(Struct, frozen=True):
    """The sentence of an issue that is most like one of the package.

    Attributes:
        ratio: 0 to 1; None: not measured, or no sentence of either is long enough.
        sentence: of the issue.
        place: file and line in the distribution.
        reason: why there is no ratio.
    """

    ratio: float | None
    sentence: str = ""
    place: str = ""
    reason: str = ""

    @property
    def is_too_high(self) -> bool:
        return self.ratio is not None and self.ratio > LIMIT


def likeness(recipe: Recipe) -> Likeness:
    """Compare the issue of a recipe with the texts of its distributions, as far as they are in the cache.

    Raises:
        DistributionError: a distribution is damaged.
    """
    package, texts = recipe.package, dict[str, str]()
    for version, sha256 in ((package.before, package.before_sha256), (package.version, package.sha256)):
        if version is None or sha256 is None:
            continue
        file = known_file(sha256)
        if file is None:
            return Likeness(None, reason=f"{package.name} {version} is not fetched")
        texts |= upstream_texts(unpack(file))
    # Lines of code, such as imports, are alike by nature.
    issue = without_code((recipe.directory / "instruction.md").read_text(encoding="utf-8"))
    found = similarity(issue, texts)
    if found is None:
        return Likeness(None, reason="no sentence of five words to compare")
    return Likeness(round(found.ratio, 3), found.sentence, f"{found.name}:{found.line}")


def upstream_texts(tree: Tree) -> dict[str, str]:
    """The change log and README of a distribution, wherever they are, and what an index shows of the package."""
    chosen = {p: c for p, c in tree.items() if _tells(Path(p))} | selected(tree, ["PKG-INFO"])
    return {path: content.decode("utf-8", "replace") for path, content in chosen.items()}


def _tells(path: Path) -> bool:
    names = (path.name.lower(), path.parent.name.lower())
    return path.suffix.lower() in _ENDINGS and any(name.startswith(_NAMES) for name in names)
