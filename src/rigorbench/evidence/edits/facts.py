"""Facts about an edit: the code units and tests that it touches, and what kind of change it is."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence

from ...base.code.assertions import without_comments
from ...base.code.grammars import is_source
from ...base.patterns import lazy
from ...base.text import differences
from ...session.model import FileChange
from ..code.units import changed_units, units_of_fragment
from ..facts import EditFacts
from ..paths import role
from .tests import test_facts

_DEBUG = lazy(
    r"^\s*(?:breakpoint\(\)|import i?pdb|i?pdb\.set_trace\(|debugger;?\s*$|console\.log\(.*debug|print\(.*\bdebug|"
    r"dbg!\(|var_dump\(|binding\.pry|fmt\.Println\(.*debug)",
    re.IGNORECASE,
)
_STATEMENT = lazy(
    r"(?P<branch>(?:\}\s*)?(?:if|elif|else|switch|case|match|when|unless)\b)|(?P<loop>(?:for|while|loop|until)\b)|"
    r"(?P<guard>(?:\}\s*)?(?:try|except|catch|finally|raise|throw|rescue|ensure|assert|panic)\b)|"
    r"(?P<import>(?:import|from|use|using|require|include|#include|package)\b)|"
    r"(?P<definition>(?:(?:pub|public|private|protected|static|async|export|default|abstract|final)\s+)*"
    r"(?:def|class|func|function|fn|struct|enum|interface|impl|trait|type)\b)|(?P<decorator>@\w)|"
    r"(?P<result>(?:return|yield)\b)|(?P<comment>#|//|/\*|\*|\"\"\")|(?P<closing>[)\]}\s,;]*$)|"
    r"(?P<assignment>[^=(]*[^=!<>(]=[^=])|(?P<call>.*\()"
)


def edit_facts(change: FileChange, *, root: str | None, path: str, seen: str = "") -> EditFacts:
    """What a change touches. ``seen``: the known former text of a file that is written as a whole."""
    facts = EditFacts(change=change, in_root=not outside(path, root), code=is_source(path))
    if not facts.in_root:
        facts.scratch = True
    added, removed = change_texts(change)
    lines = [*added.splitlines(), *removed.splitlines()]
    # As the formats of settings and build files write comments.
    settings = role(path) == "config" and all(line.lstrip()[:1] in ("", "#") for line in lines)
    remarks = _only_layout(path, change) if facts.code else settings
    facts.layout = change.formatted or (bool(removed) and remarks)
    if facts.code and added:
        facts.debug_leftovers = [line.strip()[:120] for line in added.splitlines() if _DEBUG.match(line)][:5]
    directory = change.operation == "delete" and "." not in path.rsplit("/", 1)[-1]
    if role(path, change.after) == "test" and (facts.code or directory):
        if change.before is not None and change.after is not None:
            added, removed = change.after, change.before  # the whole file shows which test a line is in
        test_facts(facts, path, added, removed or seen)
    return facts


def _only_layout(path: str, change: FileChange) -> bool:
    """Whether a change touches nothing but comments, blank lines and space at the end of lines."""
    pairs = change.hunks or [(change.before or "", change.after or "")]
    hashes = path.endswith((".py", ".pyi", ".rb", ".sh"))
    for old, new in pairs:
        comments = "#" in old or "#" in new if hashes else "/" in old or "/" in new
        if not comments and old.split() != new.split():
            return False
        if _bare(old, hashes=hashes) != _bare(new, hashes=hashes):
            return False
    return True


def _bare(text: str, *, hashes: bool) -> list[str]:
    lines = without_comments("python" if hashes else "script", text).split("\n")
    return [line.rstrip() for line in lines if line and not line.isspace()]


_ABSOLUTE = lazy(r"^(/|~|[A-Za-z]:[\\/])")


def outside(path: str, root: str | None) -> bool:
    """Whether a path (relative when inside the root) is outside; without a root only temporary directories are."""
    if root is not None:
        return bool(_ABSOLUTE.match(path)) or path.startswith("../")
    return path.startswith(("/tmp/", "/var/tmp/", "~"))


def change_texts(change: FileChange) -> tuple[str, str]:
    """(text after, text before) of the changed regions, as far as the log has them."""
    if change.hunks:
        return "\n".join(new for _, new in change.hunks), "\n".join(old for old, _ in change.hunks)
    return change.after or "", change.before or ""


def symbols(change: FileChange, path: str) -> list[str]:
    """Names of the code units that contain the changed lines, as far as the fragments show them."""
    if not is_source(path):
        return []
    found: dict[str, None] = {}
    if change.before is not None and change.after is not None:
        found.update(dict.fromkeys(changed_units(path, change.before, change.after)))
    elif change.hunks:
        for old, new in change.hunks:
            before, after = set(units_of_fragment(path, old)), units_of_fragment(path, new)
            if len(before | set(after)) > 1 and old:
                # An editor's context repeats unchanged neighbours: only the units that differ count.
                found.update(dict.fromkeys(changed_units(path, old, new) or after))
            else:
                found.update(dict.fromkeys([*after, *sorted(before - set(after))]))
    elif change.after is not None:
        found.update(dict.fromkeys(units_of_fragment(path, change.after)))
    return list(found)


class Sites:
    """Gives every changed region of an episode a name that stays the same when it is patched again.

    A region has the name of its unit where the fragment shows one. Else it is the region of an earlier hunk with the
    same lines (patch k+1 replaces what patch k wrote), or a new one.
    """

    def __init__(self) -> None:
        self._known: dict[str, list[tuple[str, set[str]]]] = {}
        self._unknown = 0

    def traits(self, path: str, change: FileChange, units: Iterable[str]) -> set[str]:
        """The (site, kind of edit) pairs of a change, as strings."""
        if change.operation in ("delete", "rename"):
            return {f"{path}|{change.operation}"}
        if not change.hunks and change.after is None:
            self._unknown += 1  # nothing shows that it is the same as another one
            return {f"{path}|unknown {self._unknown}"}
        if not change.hunks:
            names = list(units) or ["*"]
            return {f"{path}::{name}|rewrite" for name in names}
        traits: set[str] = set()
        names = list(units)
        for old, new in change.hunks:
            site = self._site(path, old, new, names)
            traits.update(f"{path}::{site}|{kind}" for kind in _kinds(old, new))
        return traits

    def _site(self, path: str, old: str, new: str, names: list[str]) -> str:
        lines = {line.strip() for line in (old + "\n" + new).splitlines() if len(line.strip()) > 3}
        known = self._known.setdefault(path, [])
        for site, seen in known:
            if (names and site in names) or len(lines & seen) >= max(1, min(len(lines), 3) - 1):
                seen |= lines
                return site
        site = names[0] if len(names) == 1 else "+".join(sorted(names)) if names else f"@{len(known)}"
        known.append((site, lines))
        return site


def _kinds(old: str, new: str) -> set[str]:
    """The kinds of statement that a replacement adds, removes or changes."""
    a, b = ([stripped for line in text[:20_000].splitlines() if (stripped := line.strip())] for text in (old, new))
    kinds: set[str] = set()
    for i1, i2, j1, j2 in differences(a, b):
        kinds.update(_kind(line) for line in (*a[i1:i2], *b[j1:j2]))
    return kinds - {"closing"} or {"layout"}


def _kind(line: str) -> str:
    match = _STATEMENT.match(line)
    return match.lastgroup or "other" if match else "other"


def lasting(changes: Sequence[tuple[str, FileChange]]) -> list[int]:
    """The positions of the changes of paths but those that a later one takes back, and those later ones.

    A change takes back another whose replacements it turns round, blank ends aside, or whose former text it restores.
    """
    open_: defaultdict[tuple[str, str, Hashable], list[int]] = defaultdict(list)
    gone: set[int] = set()
    for number, (path, change) in enumerate(changes):
        pairs = tuple((old.strip(), new.strip()) for old, new in change.hunks)
        # Two changes that state their replacements are compared by these alone.
        sought: list[tuple[str, Hashable]] = [("hunks", tuple((new, old) for old, new in pairs))] if pairs else []
        sought += [("whole" if pairs else "text", change.after)] if change.after is not None else []
        found = [open_[path, kind, key] for kind, key in sought]
        for places in found:
            while places and places[-1] in gone:
                places.pop()
        undone = next((places[-1] for places in found if places), None)
        if undone is not None:
            gone |= {undone, number}
            continue
        if pairs:
            open_[path, "hunks", pairs].append(number)
        if change.before is not None:
            open_[path, "text", change.before].append(number)
            if not pairs:
                open_[path, "whole", change.before].append(number)
    return [n for n in range(len(changes)) if n not in gone]
