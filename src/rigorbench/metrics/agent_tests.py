"""The tests of an agent that remain at the end: functions, and checks of the program as a whole."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeGuard

from ..evidence.events import AnyEvent, BuildEvent, EditEvent, ReproductionEvent, TestRunEvent
from ..evidence.facts import CheckFacts, EditFacts, TestFunctionFacts


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
    checks: Mapping[str, CheckFacts],
) -> list[EditEvent]:
    """Test files without test functions that were run, or compiled, red and later green; each with its first edit.

    Args:
        with_functions: paths of the files that have test functions.
        position: index of each event in ``events``.
        checks: facts of the events that are checks. They name the source of a program that the agent compiled.
    """
    found: dict[str, EditEvent] = {}
    for edit in edits:
        if edit.role == "test" and edit.operation != "delete" and edit.path not in with_functions:
            name = posixpath.basename(edit.path)
            runs = [e for e in events[position[edit.id] :] if _is_check_of(e, name, checks)]
            red = next((n for n, e in enumerate(runs) if e.outcome in ("failed", "error")), None)
            # Of a script that has failed, an end without a failure is a success, whatever it prints.
            if red is not None and any(e.outcome in ("passed", "unknown") for e in runs[red:]):
                found.setdefault(edit.path, edit)
    return list(found.values())


def _is_check_of(
    event: AnyEvent, name: str, checks: Mapping[str, CheckFacts]
) -> TypeGuard[BuildEvent | TestRunEvent | ReproductionEvent]:
    """Whether an event is a check of a file: its command names it, or runs the program compiled from it."""
    if not isinstance(event, BuildEvent | TestRunEvent | ReproductionEvent):
        return False
    compiled = checks[event.id].targets if event.id in checks else ()
    return any(posixpath.basename(word) == name for word in (*event.command.split(), *compiled))
