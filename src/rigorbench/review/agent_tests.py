"""The tests of an agent that remain at the end: functions, and checks of the program as a whole."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from ..evidence.events import AnyEvent, BuildEvent, EditEvent, ReproductionEvent, RunEvent, TestRunEvent
from ..evidence.facts import EditFacts, TestFunctionFacts

_RUNS = (BuildEvent, TestRunEvent, RunEvent)


def tests_left(
    edits: Iterable[EditEvent], facts_of: Callable[[EditEvent], EditFacts]
) -> list[tuple[EditEvent, TestFunctionFacts]]:
    """The tests that the edits made or changed, that exist after the last one and can fail, each with its edit."""
    alive: dict[str, dict[str, tuple[EditEvent, TestFunctionFacts]]] = {}
    anonymous: dict[str, list[tuple[EditEvent, TestFunctionFacts]]] = {}
    for edit in edits:
        facts, path = facts_of(edit), edit.new_path or edit.path
        if edit.new_path is not None:
            for kept in (alive, anonymous):
                if edit.path in kept:
                    kept[path] = kept.pop(edit.path)  # type: ignore[assignment]
        elif edit.operation == "delete" or (facts.change.after is not None and not facts.change.hunks):
            # Deleted (perhaps a directory) or rewritten: tests that the new text does not contain are gone.
            for gone in [p for p in (*alive, *anonymous) if p == path or p.startswith(path + "/")]:
                alive.pop(gone, None)
                anonymous.pop(gone, None)
        for name in facts.removed_tests:
            alive.get(path, {}).pop(name, None)
        for test in facts.tests:
            if test.name is None:
                anonymous.setdefault(path, []).append((edit, test))
            else:
                alive.setdefault(path, {})[test.name] = (edit, test)
    found = [row for rows in alive.values() for row in rows.values()]
    found += [row for rows in anonymous.values() for row in rows]
    return [(e, t) for e, t in found if t.has_assertion and not t.skipped]


def whole_checks(
    edits: Iterable[EditEvent],
    with_functions: Collection[str],
    events: Sequence[AnyEvent],
    position: Mapping[str, int],
) -> list[EditEvent]:
    """Test files without test functions that were run, or compiled, red and later green; each with its first edit.

    Args:
        with_functions: paths of the files that have test functions.
        position: index of each event in ``events``.
    """
    found: dict[str, EditEvent] = {}
    for edit in edits:
        if edit.role == "test" and edit.operation != "delete" and edit.path not in with_functions:
            ends = list(_ends(events[position[edit.id] :], posixpath.basename(edit.path)))
            # Of a script that has failed, an end without a failure is a success, whatever it prints.
            if True in ends and False in ends[ends.index(True) :]:
                found.setdefault(edit.path, edit)
    return list(found.values())


def _ends(events: Iterable[AnyEvent], name: str) -> Iterator[bool]:
    """Whether each check of a file failed: its command names it, or runs what was compiled from it."""
    program: str | None = None
    for event in events:
        words = event.command.split() if isinstance(event, _RUNS) else []
        if isinstance(event, BuildEvent | TestRunEvent | ReproductionEvent):
            if any(posixpath.basename(word) == name for word in words):
                program = next((b for a, b in pairwise(words) if a == "-o"), program)
                yield event.outcome in ("failed", "error")
        elif isinstance(event, RunEvent) and words[:1] == [program]:
            yield event.exit_status not in (None, 0)
