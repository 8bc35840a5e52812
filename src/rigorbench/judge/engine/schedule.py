"""The order of test points: groups after those that they require, chains in order, twins after their originals."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from msgspec import Struct, structs

from ..judgement import GroupResult, JudgeError, PointResult
from ..problems.problem import Case, PointGroup, Problem, Sanitizer, SanitizerCheck
from ..problems.verdicts import VERDICTS
from .verdicts import ends_group, group_result, skipped, stop_at_first_failure


class CaseChain(Struct, frozen=True):
    """Cases that run one after the other in one slot: a single case, or a chain."""

    group: PointGroup
    positions: tuple[int, ...]
    """Of the cases in the group."""
    sanitizers: tuple[Sanitizer, ...] = ()
    """Under which they run, one after the other; empty: without."""
    overlay: bool = False
    """They were accepted and run again under sanitizers."""
    static: bool = False
    """No cases, but the static validator."""

    @property
    def cases(self) -> list[Case]:
        return [self.group.cases[position] for position in self.positions]


class _State:
    def __init__(self, group: PointGroup) -> None:
        self.group = group
        self.results: dict[int, PointResult] = {}
        self.static: PointResult | None = None
        self.queue: list[CaseChain] = []
        self.running = 0
        self.started = False
        self.overlays_queued = False
        self.done: GroupResult | None = None


class Schedule:
    """Shared by the workers of a submission: :meth:`take` a unit, run it, :meth:`report` its results.

    `on_group`: called with the result of each group.
    """

    def __init__(self, problem: Problem, on_group: Callable[[GroupResult], None] = lambda _: None) -> None:
        self._problem, self._on_group = problem, on_group
        self._states = {group.id: _State(group) for group in problem.groups}
        self._changed = threading.Condition()
        self._ended = False
        self._overlays: dict[str, list[SanitizerCheck]] = {}
        for overlay in problem.overlays:
            self._overlays.setdefault(overlay.group, []).append(overlay)
        for group in problem.groups:
            for name in self._requires(group):
                if name not in self._states:
                    raise JudgeError(f"{problem.id}: group {group.id} requires {name}, which does not exist")

    def take(self) -> CaseChain | None:
        """The next unit; waits while a running one may make more possible. None: nothing is left to do."""
        with self._changed:
            while not self._ended:
                unit = self._next()
                if unit is not None:
                    self._states[unit.group.id].running += 1
                    return unit
                if all(state.done is not None for state in self._states.values()):
                    break
                if not any(state.running for state in self._states.values()):
                    names = ", ".join(name for name, state in self._states.items() if state.done is None)
                    raise JudgeError(f"{self._problem.id}: the groups {names} wait for each other")
                self._changed.wait()
            return None

    def report(self, unit: CaseChain, results: Sequence[PointResult]) -> None:
        with self._changed:
            state = self._states[unit.group.id]
            state.running -= 1
            if unit.static:
                state.static = results[0]
            else:
                for position, result in zip(unit.positions, results, strict=True):
                    before = state.results.get(position) if unit.overlay else None
                    if before is not None and VERDICTS.index(result.verdict) >= VERDICTS.index(before.verdict):
                        continue
                    if before is not None:
                        # After a run under a sanitizer the usage stays that of the plain run.
                        names = ("verdict", "score", "message", "details", "exit_code", "signal")
                        result = structs.replace(before, **{name: getattr(result, name) for name in names})
                    state.results[position] = result
            self._changed.notify_all()

    def end(self) -> None:
        """Give out no more units: judging was cancelled, or a worker failed."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def results(self, reason: str) -> list[GroupResult]:
        """All groups in the package's order; what was not run is skipped for ``reason``."""
        found = []
        for state in self._states.values():
            if state.done is None:
                at = range(len(state.group.cases))
                points = [state.results.get(n) or self._skip(state.group, n, reason) for n in at]
                state.done = group_result(state.group, points, reason, self._static(state, reason))
            found.append(state.done)
        return found

    def _next(self) -> CaseChain | None:
        for state in self._states.values():
            if state.done is not None or not (state.started or self._start(state)):
                continue
            while state.done is None:
                while state.queue:
                    unit = state.queue.pop(0)
                    # Nothing can be gained any more once an earlier point of a "min" group has failed.
                    useful = state.group.aggregation != "min" or unit.static
                    failed = (at for at, point in state.results.items() if ends_group(point))
                    if useful or not any(at < min(unit.positions) for at in failed):
                        return unit
                    for position in unit.positions:
                        state.results.setdefault(position, self._skip(state.group, position, ""))
                if state.running:
                    break
                # Now overlays are in the queue, or the group is done, and groups before it may have waited for it.
                self._close(state)
                if state.done is not None:
                    return self._next()
        return None

    def _start(self, state: _State) -> bool:
        group = state.group
        needed = {name: self._states[name].done for name in self._requires(group)}
        if any(done is None for done in needed.values()):
            return False
        state.started = True
        missing = [name for name in group.requires if (done := needed[name]) and done.verdict != "accepted"]
        if missing:
            reason = f"requires {', '.join(missing)}"
            state.results = {position: self._skip(group, position, reason) for position in range(len(group.cases))}
            state.static = self._static(state, reason)
            state.overlays_queued = True
            return True
        positions = range(len(group.cases))
        if group.twin_of is not None:
            done = self._states[group.twin_of].done
            verdicts = [point.verdict for point in done.points] if done is not None else []
            remaining = [at for at in positions if at < len(verdicts) and verdicts[at] == "accepted"]
            for position in set(positions) - set(remaining):
                state.results[position] = self._skip(group, position, "the original did not pass")
            state.queue = self._units(group, remaining, group.sanitizers)
        else:
            state.queue = self._units(group, list(positions), ())
        if group.static_args is not None:
            state.queue.insert(0, CaseChain(group, (), static=True))
        return True

    def _close(self, state: _State) -> None:
        """After all of a group's points: queue its overlays, or set its result."""
        group = state.group
        points = [state.results[position] for position in range(len(group.cases))]
        if not state.overlays_queued:
            state.overlays_queued = True
            passed = [position for position, point in enumerate(points) if point.verdict == "accepted"]
            for overlay in self._overlays.get(group.id, []):
                units = self._units(group, passed, overlay.sanitizers)
                state.queue += [structs.replace(unit, overlay=True) for unit in units]
            if state.queue:
                return
        if group.aggregation == "min":
            points = stop_at_first_failure(points)
        state.done = group_result(group, points, static=state.static)
        self._on_group(state.done)
        self._changed.notify_all()

    def _units(self, group: PointGroup, positions: Sequence[int], sanitizers: tuple[Sanitizer, ...]) -> list[CaseChain]:
        chain_of = {name: chain for chain in self._problem.chains for name in chain}
        units: dict[tuple[str, ...], list[int]] = {}
        for position in positions:
            name = group.cases[position].id
            units.setdefault(chain_of.get(name, (name,)), []).append(position)
        for chain, unit in units.items():
            unit.sort(key=lambda position: chain.index(group.cases[position].id))
        return [CaseChain(group, tuple(unit), sanitizers) for unit in units.values()]

    def _static(self, state: _State, reason: str) -> PointResult | None:
        if state.static is None and state.group.static_args is not None:
            return skipped(static_name(state.group), reason)
        return state.static

    def _requires(self, group: PointGroup) -> list[str]:
        return [*group.requires, *([group.twin_of] if group.twin_of is not None else [])]

    def _skip(self, group: PointGroup, position: int, reason: str) -> PointResult:
        return skipped(group.cases[position].id, reason, twin=twin_name(self._problem, group, position))


def static_name(group: PointGroup) -> str:
    return f"{group.id}/static"


def twin_name(problem: Problem, group: PointGroup, position: int) -> str | None:
    """The id of the point that this one repeats; None: the group is not a twin."""
    if group.twin_of is None:
        return None
    original = next((other for other in problem.groups if other.id == group.twin_of), None)
    return original.cases[position].id if original is not None and position < len(original.cases) else None


def failed_point(name: str, details: str) -> PointResult:
    """A point at which the judge failed; it has no score."""
    return PointResult(name, "judge_error", None, "the judge failed here, not the submission", details)
