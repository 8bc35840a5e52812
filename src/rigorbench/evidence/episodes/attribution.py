"""Whose failure it is: the agent's own, one that was there before, or one of the environment."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from ...base.patterns import lazy
from ..events import AnyEvent, EditEvent, LintEvent, RunEvent, TestRunEvent
from ..facts import CheckFacts, EditFacts
from ..testruns.ids import of_file, place_and_title, same_place
from .attempts import EditedTree
from .exemptions import Exemptions
from .records import CheckRecord, OpenEpisode
from .tampering import may_update_stored

_MISSING_MODULE = lazy(
    r"(?:No module named|Cannot find (?:module|package)|Could not resolve|Failed to resolve import|"
    r"Can't resolve|cannot load such file --|no required module provides package)\s*[\"'`]?([\w@./#-]+)"
)
# The file that imports it, as Jest names it.
_IMPORTER = re.compile(r" from '([^']+)'")
# Directories of what is built or installed, which no edit makes.
_BUILT = lazy(r"(?:^|/)(?:dist|build|out|target|node_modules|site-packages)/")
_USAGE = lazy(
    r"\b(?:unknown|unrecogni[sz]ed|unexpected|invalid|unsupported|single value for) (?:command[- ]line )?"
    r"(?:option|argument|flag|switch)s?\b|^(?:\w*: )?go: -\w+ ",
    re.IGNORECASE,
)
_DEVICE = lazy(r"\b(?:NVIDIA|CUDA|GPU|ROCm|HIP)\b[^.\n]{0,30}\b(?:driver|device|available|found)", re.IGNORECASE)

# A library that was compiled for another version of the interpreter.
_BINARY = re.compile(r"The module '[^']*\.node'|was compiled against a different|invalid ELF header|wrong ELF class")

# An edit with its facts.
Edited = tuple[EditEvent, EditFacts]


def environment(check: CheckRecord, edits: Sequence[Edited]) -> str | None:
    """Why a failure is one of the environment, or None: the tool, a module or a device is missing."""
    facts = check.facts
    if facts.infrastructure:
        return facts.infrastructure
    if not facts.failing_known and _USAGE.search(facts.message):
        return "the command has an option that it does not know"
    if facts.family == "lint" and not facts.ran and not facts.diagnosed and all(e.role != "config" for e, _ in edits):
        return "the linter did not come to its work"
    run = check.event if isinstance(check.event, TestRunEvent) else None
    none_ran = run is not None and run.passed == 0 and not run.failed  # the runner itself says so
    if none_ran and not facts.ran and not facts.diagnosed and not facts.message:
        return "there is no test in what was run"
    if _DEVICE.search(facts.message):
        return "a device or its driver is missing"
    if _BINARY.search(facts.message):
        return "a library was compiled for another version of the interpreter"
    module = _MISSING_MODULE.search(facts.message)
    # All that failed may be one file that did not load: then the message is about it.
    one_file = facts.failing_known and len(facts.failing) == 1 and not any(place_and_title(i)[1] for i in facts.failing)
    if module is None or (run is not None and run.passed and not one_file):
        return None
    if _BUILT.search(module[1]):
        return f"{module[1]} is not built"
    if re.search(rf"(?<![\w.]){re.escape(module[1])}(?![\w.])", getattr(check.event, "command", "")) and not any(
        module[1] in re.split(r"[./]", e.path) for e, _ in edits
    ):
        return f"the command names {module[1]}, which is not there"
    if module[1].startswith(".") and (importer := _IMPORTER.search(facts.message)) is not None:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(importer[1]), module[1]))
        return None if _touched([path, importer[1]], edits) else f"{path} is not there"
    return None if _concerns(module[1], edits) else f"the module {module[1]} is not installed"


def _touched(paths: Iterable[str], edits: Sequence[Edited]) -> bool:
    """Whether the agent made, changed, moved or removed one of these files, or all may be changed; endings apart."""
    stems = {posixpath.splitext(path)[0] for path in paths}
    known = [p for e, _ in edits for p in (e.path, e.new_path) if p]
    return any(p == "." or any(same_place(posixpath.splitext(p)[0], stem) for stem in stems) for p in known)


def _concerns(module: str, edits: Sequence[Edited]) -> bool:
    """Whether the agent made a module or wrote the import of it, or may have: the log does not show what it wrote."""
    if module.startswith("."):
        return True
    name = re.split(r"[./]", module.removesuffix(".js").removesuffix(".ts"))[-1]
    for event, facts in edits:
        change = facts.change
        texts = [change.after, *(new for _, new in change.hunks)]
        if any(text and module in text for text in texts) or not _shows(facts):
            return True
        if event.operation == "create" and name in re.split(r"[./]", event.path):
            return True
    return False


def untouched(facts: CheckFacts, edits: Sequence[Edited]) -> set[str]:
    """The files that a compiler or linter complains about although the agent touched neither them nor what they use.

    A compiler complains about a file that uses what was changed elsewhere. It then names it.
    """
    paths = [p for e, _ in edits for p in (e.path, e.new_path) if p]
    if "." in paths:
        return set()
    symbols = {s.rsplit(".", 1)[-1] for e, _ in edits for s in e.symbols}
    missing = any(_MISSING_MODULE.search(said) for said in facts.diagnosed.values())
    blind = facts.family != "lint" and not missing and any(not _shows(f) for _, f in edits)
    return {
        path
        for path, said in facts.diagnosed.items()
        if not any(same_place(path, p) for p in paths)
        and (
            facts.family == "lint"
            or (not blind and symbols.isdisjoint(re.findall(r"\w+", said)))
            or _MISSING_MODULE.search(said)
        )
    }


def _shows(facts: EditFacts) -> bool:
    """Whether the log has the text of an edit."""
    return facts.change.after is not None or bool(facts.change.hunks) or facts.change.operation == "delete"


def never_started(first: CheckRecord, checks: Iterable[CheckRecord]) -> bool:
    """Whether a run that selects tests and says nothing of the code found none, while the same runner ran others."""
    facts = first.facts
    if facts.ran or not facts.targets or facts.frame or facts.failing_known:
        return False
    return any(c.facts.ran and c.edits == first.edits and c.facts.key == facts.key for c in checks)


class Ownership:
    """Tells the agent's own failures from others.

    Attributes:
        edited: edits of the project so far, and of files beside it; documents apart.
    """

    def __init__(
        self,
        events: Sequence[AnyEvent],
        checks: Mapping[int, CheckRecord],
        edits: Mapping[str, EditFacts],
        tree: EditedTree,
        exemptions: Exemptions,
    ) -> None:
        self.events, self.checks, self.edits, self.tree, self.exemptions = events, checks, edits, tree, exemptions
        self.edited: list[Edited] = []

    def of_start_tree(self, check: CheckRecord, ids: set[str]) -> set[str]:
        """The failures of the start tree: not of the agent's tests, and the check did not pass on it before."""
        same = (c for n, c in self.checks.items() if n < check.position and c.facts.passed and not c.facts.start_tree)
        if any(c.facts.key == check.facts.key and c.facts.targets == check.facts.targets for c in same):
            return set()
        facts = check.facts
        tests = [e for e, _ in self.edited if e.role == "test" and not self.tree.as_at_start(e.path)]
        if facts.family != "test" or not tests:
            return set(ids)
        if not facts.failing_known:
            mine = not facts.targets or any(of_file(t, e.path) for t in facts.targets for e in tests)
            return set() if mine else set(ids)
        return {i for i in ids if not any(self.exemptions.writes(i, e, facts) for e in tests)}

    def untracked(self, ids: set[str]) -> set[str]:
        """The failures in files that the agent made, which stay when its other changes are put aside."""
        made = {e.new_path or e.path for e, _ in self.edited if e.operation == "create"}
        return {i for i in ids if any(same_place(place_and_title(i)[0] or i, path) for path in made)}

    def attribute(self, episode: OpenEpisode) -> None:
        """Attribute an episode that has ended."""
        if episode.attributed is not None:
            return
        start = episode.first.position
        end = episode.end[0] if episode.end is not None else len(self.events)
        edits = [(n, e, self.edits[e.id]) for n, e in self.exemptions.edited_at if e.role != "document"]
        # A formatter or an update of stored expectations may have repaired it, without an edit in the log.
        changed = (
            any(e.role == "document" for attempt in episode.attempts for e in attempt)
            or any(f.in_root for n, _, f in edits if start < n < end)
            or any(map(self.rewrites(episode), self.events[start + 1 : end + 1]))
        )
        if episode.resolved == "green" and not changed:
            episode.attributed = "environment"
            episode.closed_by = "it passed without a change of the code"
            return
        repaired = bool(episode.attempts) and episode.resolved in ("green", "masked", "unknown")
        earlier = (c.facts for n, c in self.checks.items() if n < start)
        passed_before = any(f.passed and f.key == episode.key for f in earlier)
        made = {path for n, e, f in edits if n < start and f.in_root for path in (e.path, e.new_path) if path}
        places = {place for i in episode.ids if (place := place_and_title(i)[0])}
        if repaired or passed_before or any(same_place(path, place) for path in made for place in places):
            episode.attributed = "own"

    def rewrites(self, episode: OpenEpisode) -> Callable[[AnyEvent], bool]:
        """Whether an event that is no edit may repair the failure: a formatter, an update of stored expectations."""
        if episode.first.facts.family == "lint":
            return lambda e: isinstance(e, LintEvent | RunEvent) and e not in episode.checks
        return lambda e: isinstance(e, TestRunEvent) and may_update_stored(e.command)
