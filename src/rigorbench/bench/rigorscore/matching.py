"""Plan items against what was done: scores, an optimal one-to-one assignment, and the pairs that kept the order."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from functools import lru_cache

from ...evidence.events import AnyEvent, BuildEvent, CommitEvent, EditEvent, LintEvent, RunEvent, TestRunEvent
from ...evidence.facts import ItemFacts

# Below this a pair is no match. Chosen so that a shared path or symbol, or a shared kind of check, always suffices and
# one common word never does.
THRESHOLD = 0.5
# Longest sequence of candidate events that is assigned exactly; longer ones are thinned to the best per item.
_MOST = 400
_CHECKING = frozenset(
    "test tests testing verify verification check run validate suite pytest confirm reproduce regression".split()
)
# Words that tell "run the tests" from "write a test".
_RUNNING = frozenset("run verify verification confirm reproduce suite pytest".split())
_TO_RUN = frozenset("run rerun execute".split())
_MAKING = frozenset("add write create extend implement cover".split())
_TESTS = frozenset("test tests testing regression coverage".split())
_BUILDING = frozenset("build compile typecheck types tsc".split())
_LINTING = frozenset("lint format linter style ruff eslint mypy".split())
_COMMITTING = frozenset("commit push".split())

# File names that say nothing about what is in the file.
_COMMON_STEMS = frozenset("main index init mod lib app util utils common core base types setup".split())

Evidenced = EditEvent | TestRunEvent | BuildEvent | LintEvent | CommitEvent | RunEvent


def candidates(events: Sequence[AnyEvent]) -> list[list[Evidenced]]:
    """The events an item can be matched to, with runs of edits of one file taken as one."""
    groups: list[list[Evidenced]] = []
    for event in events:
        if not isinstance(event, EditEvent | TestRunEvent | BuildEvent | LintEvent | CommitEvent | RunEvent):
            continue
        if isinstance(event, CommitEvent) and event.amended:
            continue
        last = groups[-1][-1] if groups else None
        if isinstance(event, EditEvent) and isinstance(last, EditEvent) and last.path == event.path:
            groups[-1].append(event)
        else:
            groups.append([event])
    return groups


class Descriptor:
    """What a group of events offers to match on."""

    def __init__(self, group: Sequence[Evidenced]) -> None:
        self.group = group
        first = group[0]
        self.path = first.path if isinstance(first, EditEvent) else ""
        self.base = posixpath.basename(self.path).lower()
        stem = _name_words(self.base.split(".", 1)[0])
        self.stem = frozenset(stem) if not _COMMON_STEMS.issuperset(stem) else frozenset()
        self.symbols: set[str] = set()
        self.files: frozenset[str] = frozenset()
        words: list[str] = []
        for event in group:
            if isinstance(event, EditEvent):
                self.symbols.update(s.rsplit(".", 1)[-1].lower() for s in event.symbols)
        if isinstance(first, EditEvent):
            words += _name_words(self.path)
            words += (w for s in self.symbols for w in _name_words(s))
            if first.role == "test":
                words.append("test")
            elif first.role == "document":
                words += ["document", "docs"]
        elif isinstance(first, CommitEvent):
            words += ["commit", *_words(first.message)[:20]]
        else:
            words += _words(first.command)[:20]
            self.files = frozenset(posixpath.basename(w).lower() for w in first.command.split())
            if isinstance(first, TestRunEvent):
                words.append("test")
        self.words = frozenset(words)
        self.text = " ".join(dict.fromkeys(words))


# One word of a name, in camel case or snake case.
_NAME_PART = re.compile(r"[A-Za-z][a-z0-9]+")


def _words(text: str) -> list[str]:
    return [w.lower() for w in _NAME_PART.findall(text)]


@lru_cache(maxsize=1024)
def _name_words(name: str) -> tuple[str, ...]:
    return tuple(_words(name))


def score(item: ItemFacts, what: Descriptor) -> float:
    """How well an item fits a group of events, in [0, 1]: path, symbol, kind of action, words."""
    first = what.group[0]
    best = 0.0
    if item.words[:1] and item.words[0] in _TO_RUN:
        # "Run tests/check.py" is done by a command on that file; an edit of the file does not run it.
        if what.path:
            return 0.0
        if any(posixpath.basename(path.lower()) in what.files for path in item.paths):
            return 1.0
    if what.path:
        for path in item.paths:
            lower = path.lower()
            if what.path.lower().endswith(lower) or posixpath.basename(lower) == what.base:
                best = 1.0
        if what.symbols and any(
            re.sub(r"\W.*", "", s.rsplit(".", 1)[-1]).lower() in what.symbols for s in item.symbols
        ):
            best = max(best, 0.95)
    words = set(item.words)
    if what.stem and what.stem <= words:
        best = max(best, 0.6)
    if isinstance(first, TestRunEvent) and words & _CHECKING:
        best = max(best, 0.5 if words & _MAKING else 0.7 if words & _RUNNING else 0.6)
    elif (isinstance(first, BuildEvent) and words & _BUILDING) or (isinstance(first, LintEvent) and words & _LINTING):
        best = max(best, 0.7)
    elif isinstance(first, CommitEvent) and words & _COMMITTING:
        best = max(best, 0.8)
    elif isinstance(first, EditEvent) and first.role == "test" and words & _TESTS:
        best = max(best, 0.7 if words & _MAKING else 0.5)
    if item.words and what.words:
        shared = len(words & what.words) / min(len(words), len(what.words))
        if shared:
            from rapidfuzz import fuzz

            lexical = fuzz.token_set_ratio(" ".join(item.words), what.text) / 100
            best = (
                max(best, 0.85 * lexical * min(1.0, 0.4 + shared))
                if len(words & what.words) >= 2
                else max(best, 0.45 * lexical)
            )
    return best


def fits(item: ItemFacts, what: Descriptor) -> bool:
    """Whether a group of events can have carried out an item."""
    return score(item, what) >= THRESHOLD


def assign(items: Sequence[ItemFacts], groups: Sequence[Descriptor]) -> dict[int, int]:
    """The one-to-one assignment item -> group that maximises the total score; pairs under the threshold are left out.

    Among equals the event wins that stands where the items with only one best event say it should (a "run the tests"
    after two edits means the run after them); without such items, the nearest to the item's place in the plan.
    """
    if not items or not groups:
        return {}
    table = [[score(item, group) for group in groups] for item in items]
    keep = range(len(groups))
    if len(groups) > _MOST:
        wanted: set[int] = set()
        for row in table:
            wanted.update(sorted(range(len(row)), key=lambda j: (-row[j], j))[: len(items)])
        keep = sorted(wanted)  # type: ignore[assignment]
    if len(items) == 1:
        best = max(keep, key=lambda j: (table[0][j], -j))
        return {0: best} if table[0][best] >= THRESHOLD else {}
    columns = list(keep)
    windows = _windows([[row[j] for j in columns] for row in table])
    # Only what fits something takes part: most events fit no item, and the items of a plan without edits no event.
    rows = [i for i, row in enumerate(table) if any(row[j] >= THRESHOLD for j in columns)]
    places = [k for k, j in enumerate(columns) if any(table[i][j] >= THRESHOLD for i in rows)]
    # Each item may also stay unmatched, at the cost of the threshold.
    cost = [[2.0] * len(places) + [1.0 - THRESHOLD + 1e-9] * len(rows) for _ in rows]
    for costs, i in zip(cost, rows, strict=True):
        for n, k in enumerate(places):
            if (match := table[i][columns[k]]) >= THRESHOLD:
                costs[n] = 1.0 - match + _misplaced(i / len(items), k, len(columns), windows[i])
    return {i: columns[places[n]] for i, n in zip(rows, minimise(cost), strict=True) if n < len(places)}


def _windows(table: Sequence[Sequence[float]]) -> list[tuple[int, int] | None]:
    """For each item the places between those of its neighbours in the plan; None where these contradict.

    An item with one best event stands there. One with several, if they do more than just fit, stands at the first that
    the items before it allow.
    """
    count = len(table[0])
    sure: list[int | None] = []
    for row in table:
        best = max(row)
        sure.append(row.index(best) if best >= THRESHOLD and row.count(best) == 1 else None)
    windows: list[tuple[int, int] | None] = []
    low = -1
    for n, row in enumerate(table):
        high = min((p for p in sure[n + 1 :] if p is not None), default=count)
        windows.append((low, high) if low < high else None)
        best = max(row)
        place = sure[n]
        if place is None and best > THRESHOLD:
            place = next((p for p in range(low + 1, high) if row[p] == best), None)
        if place is not None:
            low = max(low, place)
    return windows


def _misplaced(expected: float, place: int, count: int, window: tuple[int, int] | None) -> float:
    """A cost that only decides between equals: how far an event stands from where the item's would be expected."""
    if window is None:
        return 1e-4 * abs(place / count - expected)
    low, high = window
    outside = max(low - place, place - high, 0) + (place in (low, high))
    return 1e-4 * (outside + abs(place - low) / (count + 1)) / (count + 2)


def agreement(places: Sequence[int | None]) -> tuple[int, int, int]:
    """(agreeing, disagreeing, tied) pairs of a plan's items, given in planned order with the place where each was done.

    ``None``: done later than every place. Two items done at one place, or both later, are tied. Without the tied pairs
    (agreeing - disagreeing) / (agreeing + disagreeing) is Goodman and Kruskal's gamma; Kendall's tau-b divides by
    sqrt((agreeing + disagreeing) (agreeing + disagreeing + tied)), as the planned order has no ties.
    """
    agree = disagree = 0
    for n, later in enumerate(places):
        for earlier in places[:n]:
            if earlier is None or later is None:
                agree += later is None and earlier is not None
                disagree += earlier is None and later is not None
            else:
                agree += earlier < later
                disagree += earlier > later
    return agree, disagree, len(places) * (len(places) - 1) // 2 - agree - disagree


# Without numpy, whose import would cost the most.
def minimise(cost: Sequence[Sequence[float]]) -> list[int]:
    """Column of each row in an assignment of least total cost (rows <= columns; each column at most once).

    Shortest augmenting paths with potentials (Jonker and Volgenant 1987), O(rows^2 x columns).
    """
    rows = len(cost)
    columns = len(cost[0]) if rows else 0
    infinity = float("inf")
    of_row, of_column = [0.0] * (rows + 1), [0.0] * (columns + 1)
    # row_at[j]: the row (1-based) that holds column j; 0: free. Column 0 holds the row being placed.
    row_at = [0] * (columns + 1)
    for row in range(1, rows + 1):
        row_at[0] = row
        column = 0
        least = [infinity] * (columns + 1)
        came_from = [0] * (columns + 1)
        done = [False] * (columns + 1)
        while row_at[column]:
            done[column] = True
            current = row_at[column]
            delta, nearest = infinity, 0
            costs, potential = cost[current - 1], of_row[current]
            for j in range(1, columns + 1):
                if not done[j]:
                    reduced = costs[j - 1] - potential - of_column[j]
                    if reduced < least[j]:
                        least[j], came_from[j] = reduced, column
                    if least[j] < delta:
                        delta, nearest = least[j], j
            for j in range(columns + 1):
                if done[j]:
                    of_row[row_at[j]] += delta
                    of_column[j] -= delta
                else:
                    least[j] -= delta
            column = nearest
        while column:
            row_at[column] = row_at[came_from[column]]
            column = came_from[column]
    chosen = [0] * rows
    for j in range(1, columns + 1):
        if row_at[j]:
            chosen[row_at[j] - 1] = j - 1
    return chosen
