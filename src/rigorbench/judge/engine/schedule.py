"""Which test points are run when: groups by what they require, chains in order, twins after their originals."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from msgspec import Struct, structs

from ...problems.model import Case, Group, Overlay, Problem, Sanitizer
from ...problems.verdicts import VERDICTS, Verdict
from ..model import GroupResult, JudgeError, PointResult
from .scoring import cut_short, group_result, hopeless, skipped


class Unit(Struct, frozen=True):
    """Cases that are run one after the other in one place: one, or a chain. ``places``: in the group.

    ``sanitizers``: under which they are run, one after the other; empty: as they are. ``overlay``: of points that
    passed. ``static``: no case at all, but the static validator's look at the submission's files."""

    group: Group
    places: tuple[int, ...]
    sanitizers: tuple[Sanitizer, ...] = ()
    overlay: bool = False
    static: bool = False

    @property
    def cases(self) -> list[Case]:
        return [self.group.cases[place] for place in self.places]


class _State:
    def __init__(self, group: Group) -> None:
        self.group = group
        self.results: dict[int, PointResult] = {}
        self.static: PointResult | None = None
        self.queue: list[Unit] = []
        self.running = 0
        self.begun = False
        self.overlaid = False
        self.done: GroupResult | None = None


class Schedule:
    """Shared by the workers of a submission: :meth:`take` a unit, run it, :meth:`give` its results.

    ``told``: hears of each group as it is done.
    """

    def __init__(self, problem: Problem, *, stop_at_first: bool, told: Callable[[GroupResult], None]) -> None:
        """Raises: JudgeError: a group requires what is not there."""
        self._problem = problem
        self._stop = stop_at_first
        self._told = told
        self._states = {group.id: _State(group) for group in problem.groups}
        self._changed = threading.Condition()
        self._ended = False
        self._overlays: dict[str, list[Overlay]] = {}
        for overlay in problem.overlays:
            self._overlays.setdefault(overlay.group, []).append(overlay)
        for group in problem.groups:
            for name in self._requires(group):
                if name not in self._states:
                    raise JudgeError(f"{problem.id}: group {group.id} requires {name}, which does not exist")

    def take(self) -> Unit | None:
        """The next unit; waits while others may yet make one ready. None: there is nothing more to do."""
        with self._changed:
            while not self._ended:
                unit = self._next()
                if unit is not None:
                    self._states[unit.group.id].running += 1
                    return unit
                if self._finished():
                    break
                if not any(state.running for state in self._states.values()):
                    names = ", ".join(name for name, state in self._states.items() if state.done is None)
                    raise JudgeError(f"{self._problem.id}: the groups {names} wait for each other")
                self._changed.wait()
            return None

    def give(self, unit: Unit, results: Sequence[PointResult]) -> None:
        with self._changed:
            state = self._states[unit.group.id]
            state.running -= 1
            if unit.static:
                state.static = results[0]
            else:
                for place, result in zip(unit.places, results, strict=True):
                    state.results[place] = _laid_over(state.results[place], result) if unit.overlay else result
            self._changed.notify_all()

    def end(self) -> None:
        """No more units are given out: cancelled, or a worker failed."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def wait(self, seconds: float) -> bool:
        """For whoever watches: True as soon as everything is done."""
        with self._changed:
            return self._changed.wait_for(lambda: self._ended or self._finished(), seconds)

    def results(self, reason: str) -> list[GroupResult]:
        """All groups in the package's order; what was not run is skipped for ``reason``."""
        found = []
        for state in self._states.values():
            if state.done is None:
                cases = state.group.cases
                points = [
                    state.results.get(place) or self._skip(state.group, place, reason) for place in range(len(cases))
                ]
                state.done = group_result(state.group, points, reason, self._static(state, reason))
            found.append(state.done)
        return found

    def _next(self) -> Unit | None:
        for state in self._states.values():
            if state.done is not None or not (state.begun or self._begin(state)):
                continue
            while state.done is None:
                while state.queue:
                    unit = state.queue.pop(0)
                    if not self._needless(state, unit):
                        return unit
                    for place in unit.places:
                        state.results.setdefault(place, self._skip(state.group, place, ""))
                if state.running:
                    break
                # Overlays are in the queue now, or the group is done: then groups before it may have waited for it.
                self._close(state)
                if state.done is not None:
                    return self._next()
        return None

    def _begin(self, state: _State) -> bool:
        group = state.group
        needed = {name: self._states[name].done for name in self._requires(group)}
        if any(done is None for done in needed.values()):
            return False
        state.begun = True
        missing = [name for name in group.requires if (done := needed[name]) and done.verdict != "accepted"]
        if missing:
            reason = f"requires {', '.join(missing)}"
            state.results = {place: self._skip(group, place, reason) for place in range(len(group.cases))}
            state.static = self._static(state, reason)
            state.overlaid = True
            return True
        places = range(len(group.cases))
        if group.twin_of is not None:
            passed = self._passed(group)
            for place in places:
                if not passed[place]:
                    state.results[place] = self._skip(group, place, "the original did not pass")
            places_left = [place for place in places if passed[place]]
            state.queue = self._units(group, places_left, group.sanitizers)
        else:
            state.queue = self._units(group, list(places), ())
        if group.static_args is not None:
            state.queue.insert(0, Unit(group, (), static=True))
        return True

    def _close(self, state: _State) -> None:
        """All of the group's points are there: overlays are next, or the group's result."""
        group = state.group
        points = [state.results[place] for place in range(len(group.cases))]
        if not state.overlaid:
            state.overlaid = True
            passed = [place for place, point in enumerate(points) if point.verdict == "accepted"]
            for overlay in self._overlays.get(group.id, []):
                state.queue += [
                    Unit(unit.group, unit.places, unit.sanitizers, overlay=True)
                    for unit in self._units(group, passed, overlay.sanitizers)
                ]
            if state.queue:
                return
        if self._stop and group.aggregation == "min":
            points = cut_short(points)
        state.done = group_result(group, points, static=state.static)
        self._told(state.done)
        self._changed.notify_all()

    def _units(self, group: Group, places: Sequence[int], sanitizers: tuple[Sanitizer, ...]) -> list[Unit]:
        chain_of = {name: number for number, chain in enumerate(self._problem.chains) for name in chain}
        order = {name: at for chain in self._problem.chains for at, name in enumerate(chain)}
        chains: dict[int, list[int]] = {}
        units: list[tuple[int, ...] | int] = []
        for place in places:
            number = chain_of.get(group.cases[place].id)
            if number is None:
                units.append((place,))
            elif number in chains:
                chains[number].append(place)
            else:
                chains[number] = [place]
                units.append(number)
        found = []
        for unit in units:
            if isinstance(unit, int):
                unit = tuple(sorted(chains[unit], key=lambda place: order[group.cases[place].id]))
            found.append(Unit(group, unit, sanitizers))
        return found

    def _needless(self, state: _State, unit: Unit) -> bool:
        """A point before it in a "min" group has failed, so that nothing can be gained any more."""
        if not self._stop or state.group.aggregation != "min" or unit.static:
            return False
        first = min(unit.places)
        return any(hopeless(point) for place, point in state.results.items() if place < first)

    def _static(self, state: _State, reason: str) -> PointResult | None:
        if state.static is None and state.group.static_args is not None:
            return skipped(static_name(state.group), reason)
        return state.static

    def _passed(self, group: Group) -> list[bool]:
        original = self._states[group.twin_of or ""].done
        points = original.points if original is not None else []
        return [place < len(points) and points[place].verdict == "accepted" for place in range(len(group.cases))]

    def _requires(self, group: Group) -> list[str]:
        return [*group.requires, *([group.twin_of] if group.twin_of is not None else [])]

    def _finished(self) -> bool:
        return all(state.done is not None for state in self._states.values())

    def _skip(self, group: Group, place: int, reason: str) -> PointResult:
        return skipped(group.cases[place].id, reason, twin=twin_name(self._problem, group, place))


def _laid_over(point: PointResult, found: PointResult) -> PointResult:
    """What a point that passed is after it was run under a sanitizer: what it used remains that of the plain run."""
    if VERDICTS.index(found.verdict) >= VERDICTS.index(point.verdict):
        return point
    return structs.replace(
        point,
        verdict=found.verdict,
        score=found.score,
        message=found.message,
        details=found.details,
        exit_code=found.exit_code,
        signal=found.signal,
    )


def static_name(group: Group) -> str:
    return f"{group.id}/static"


def twin_name(problem: Problem, group: Group, place: int) -> str | None:
    """The id of the point that this one repeats."""
    if group.twin_of is None:
        return None
    original = next((other for other in problem.groups if other.id == group.twin_of), None)
    return original.cases[place].id if original is not None and place < len(original.cases) else None


def failed_point(name: str, details: str, *, twin: str | None = None) -> PointResult:
    """A point at which the judge failed: no score, and nothing that the author could do about it."""
    verdict: Verdict = "judge_error"
    return PointResult(
        id=name,
        verdict=verdict,
        score=None,
        message="the judge failed here, not the submission",
        details=details,
        twin=twin,
    )
