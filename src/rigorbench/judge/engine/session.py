"""One submission on its way through the judge."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from msgspec import structs

from ...problems.model import Case, Problem, Sanitizer
from ...problems.verdicts import VERDICTS
from ...sandbox.cell.spec import CellError
from ..build.compile import build
from ..build.model import Built, Variant
from ..model import Compilation, GroupResult, JudgeError, Judgement, PointResult
from ..submission import Submission
from .cells import SubmissionCells
from .checking import Broken
from .job import Job, Tools, Trial
from .machine import machine
from .schedule import Schedule, Unit, failed_point, static_name, twin_name
from .scoring import skipped, total
from .static import validate
from .trial import output_only, program_of, run_trial
from .verdicts import STRETCH

if TYPE_CHECKING:
    from .observer import Observer
    from .resources import Resources

# Seconds between two looks whether the judging was cancelled.
_LOOK = 0.2
# Idle points of a submission that are tried again, alone.
_SLOW = 4


class Session:
    def __init__(
        self,
        resources: Resources,
        problem: Problem,
        submission: Submission,
        observer: Observer,
        cancelled: Callable[[], bool] | None,
    ) -> None:
        self._resources = resources
        self._problem = problem
        self._submission = submission
        self._observer = observer
        self._cancelled = cancelled
        self._stopped = False
        self._slow = 0
        self._trust = resources.settings.trust
        self._cells = SubmissionCells(resources.workspace, self._trust)
        self._built: dict[tuple[Variant, str | None], Built] = {}
        self._building: dict[tuple[Variant, str | None], threading.Lock] = {}
        self._lock = threading.Lock()
        self._telling = threading.Lock()
        self._errors: list[BaseException] = []
        self._tools: Tools | None = None

    def close(self) -> None:
        self._cells.close()

    def run(self) -> Judgement:
        """Raises: JudgeError."""
        compilation = self._compile()
        if compilation is not None and not compilation.ok:
            groups = [GroupResult(group.id, "compile_error", 0.0, group.full) for group in self._problem.groups]
            return self._judgement(groups, compilation, [])
        notes: list[str] = []
        schedule = Schedule(self._problem, stop_at_first=self._resources.settings.stop_at_first, told=self._tell_group)
        self._work_off(schedule)
        if self._errors:
            raise self._errors[0]
        if self._stopped:
            notes.append("cancelled")
        groups = schedule.results("cancelled")
        if self._cells.limits_by == "rlimit":
            notes.append("no control groups here: memory is that of the largest process, and processes cannot be made")
        return self._judgement(groups, compilation, notes)

    def _judgement(self, groups: list[GroupResult], compilation: Compilation | None, notes: list[str]) -> Judgement:
        verdict, score, full = total(groups)
        plain = self._plain()
        language = plain.language if plain is not None and plain.language else self._submission.language
        limits_by = self._cells.limits_by
        return Judgement(
            problem=self._problem.id,
            package=self._problem.digest,
            submission=self._submission.digest,
            language=language,
            verdict=verdict,
            score=score,
            full=full,
            groups=groups,
            compilation=compilation,
            sandbox="" if limits_by is None else limits_by if "trusted" in limits_by else f"bwrap, {limits_by}",
            machine=machine(language),
            notes=notes,
        )

    def _compile(self) -> Compilation | None:
        with self._resources.slots.one() as slot:
            try:
                self._tools = self._resources.tools(self._problem, slot)
                if self._problem.build.kind == "output-only":
                    return None
                compilation = self._variant("plain", slot).compilation
            except CellError as error:
                raise JudgeError(str(error)) from None
        self._observer.compiled(compilation.ok)
        return compilation

    def _variant(self, variant: Variant, slot: int, driver: str | None = None) -> Built:
        """Built when first needed. ``driver``: of all drivers only this one; sanitized builds are dear."""
        key = (variant, driver)
        with self._lock:
            building = self._building.setdefault(key, threading.Lock())
        with building:
            built = self._built.get(key)
            if built is None:
                problem = self._problem
                if driver is not None:
                    # A driver that the package does not have is told of where the program is looked up.
                    drivers = {name: path for name, path in problem.build.drivers.items() if name == driver}
                    problem = structs.replace(problem, build=structs.replace(problem.build, drivers=drivers))
                built = build(problem, self._submission, variant=variant, slot=slot, trust=self._trust)
                self._built[key] = built
            return built

    def _plain(self) -> Built | None:
        return self._built.get(("plain", None))

    def _work_off(self, schedule: Schedule) -> None:
        points = sum(len(group.cases) for group in self._problem.groups)
        count = max(1, min(self._resources.slots.count, points))
        if count == 1 and self._cancelled is None:
            self._worker(schedule)
            return
        workers = [
            threading.Thread(target=self._worker, args=(schedule,), name="judge-worker", daemon=True)
            for _ in range(count)
        ]
        for worker in workers:
            worker.start()
        try:
            while not schedule.wait(_LOOK if self._cancelled is not None else 60.0):
                if self._cancelled is not None and self._cancelled():
                    break
        finally:
            # Also when interrupted: nothing that runs is left to itself.
            if not schedule.wait(0):
                self._stopped = True
                schedule.end()
            while any(worker.is_alive() for worker in workers):
                if self._stopped:
                    self._cells.cancel()
                for worker in workers:
                    worker.join(_LOOK)

    def _worker(self, schedule: Schedule) -> None:
        slot: int | None = None
        try:
            while (unit := schedule.take()) is not None:
                with self._resources.slots.one(slot) as slot:
                    results, retry = self._perform(unit, slot, 1.0)
                if retry and not self._stopped and self._may_try_again(results):
                    with self._resources.slots.alone():
                        results, _ = self._perform(unit, slot, STRETCH)
                    results = [structs.replace(result, runs=2) for result in results]
                if self._stopped:
                    return
                with self._telling:
                    for result in results:
                        self._observer.point(unit.group.id, result)
                schedule.give(unit, results)
        except BaseException as error:
            self._errors.append(error)
        finally:
            if self._errors or self._stopped:
                schedule.end()

    def _may_try_again(self, results: list[PointResult]) -> bool:
        """Whoever works a little and then sleeps would hold all slots, at several times the limit, at every point."""
        if all(result.verdict != "idleness_limit_exceeded" for result in results):
            return True
        with self._telling:
            self._slow += 1
            return self._slow <= _SLOW

    def _tell_group(self, result: GroupResult) -> None:
        with self._telling:
            self._observer.group(result)

    def _perform(self, unit: Unit, slot: int, stretch: float) -> tuple[list[PointResult], bool]:
        """Run a unit; whether it should be run again, alone. A sandbox that fails gets one more chance."""
        for attempt in (1, 2):
            try:
                return self._run(unit, slot, stretch)
            except (CellError, JudgeError) as error:
                if attempt == 2 or isinstance(error, JudgeError):
                    failed = str(error)
        if unit.static:
            return [failed_point(static_name(unit.group), failed)], False
        return [failed_point(case.id, failed, twin=self._twin(unit, at)) for at, case in enumerate(unit.cases)], False

    def _look_at_files(self, unit: Unit, slot: int) -> PointResult:
        """Raises: CellError, JudgeError."""
        name = static_name(unit.group)
        assert self._tools is not None
        try:
            if self._tools.static is None:
                raise Broken(f"{unit.group.id} is to be judged by a static validator, and the package has none")
            plain = self._plain()
            language = plain.language if plain is not None else self._submission.language
            trial = validate(
                self._problem,
                unit.group,
                self._tools.static,
                self._submission,
                language,
                slot,
                self._resources.workspace,
                trust=self._trust,
            )
        except Broken as error:
            return failed_point(name, str(error))
        return trial.result(name)

    def _run(self, unit: Unit, slot: int, stretch: float) -> tuple[list[PointResult], bool]:
        if unit.static:
            return [self._look_at_files(unit, slot)], False
        rounds: list[list[PointResult]] = []
        retry = False
        for sanitizer in unit.sanitizers or (None,):
            results: list[PointResult] = []
            with ExitStack() as after:
                if len(unit.places) > 1:
                    after.callback(self._cells.clear, slot)
                for at, case in enumerate(unit.cases):
                    if results and results[-1].verdict != "accepted":
                        results.append(
                            skipped(case.id, "an earlier run of its chain failed", twin=self._twin(unit, at))
                        )
                        continue
                    try:
                        trial = self._one(unit, case, sanitizer, slot, stretch)
                    except Broken as error:
                        results.append(failed_point(case.id, str(error), twin=self._twin(unit, at)))
                        continue
                    retry |= trial.retry is not None
                    result = trial.result(case.id, twin=self._twin(unit, at))
                    if case.hint and result.verdict != "accepted":
                        result.message = "; ".join(part for part in (result.message, case.hint) if part)
                    results.append(result)
            rounds.append(results)
        worst = [min(row, key=lambda result: VERDICTS.index(result.verdict)) for row in zip(*rounds, strict=True)]
        return worst, retry

    def _one(self, unit: Unit, case: Case, sanitizer: Sanitizer | None, slot: int, stretch: float) -> Trial:
        """Raises: CellError, Broken, JudgeError."""
        assert self._tools is not None
        station = self._resources.stations[slot]
        job = Job(
            problem=self._problem,
            group=unit.group,
            case=case,
            tools=self._tools,
            sanitizer=sanitizer,
            fresh=len(unit.places) == 1,
            stretch=stretch,
        )
        if self._problem.build.kind == "output-only":
            return output_only(job, self._submission.root, station)
        variant: Variant = sanitizer or "plain"
        built = self._variant(variant, slot, case.driver if sanitizer is not None else None)
        if not built.compilation.ok:
            raise JudgeError(f"it compiles, but not for the {variant} check: {built.compilation.log[-300:]}")
        program = program_of(built, case)
        if sanitizer is not None and program.reports is None:
            return Trial("accepted", 1.0, message=f"{program.language} manages memory: nothing to check")
        trial = run_trial(job, program, self._cells.of(slot, program), station)
        if trial.unchecked and program.reports == "sanitizer":
            # valgrind looks at memory from outside: nothing that the program does can keep it from that.
            watched = program_of(self._variant("uninitialised", slot, case.driver), case)
            trial = run_trial(job, watched, self._cells.of(slot, watched), station)
        if trial.unchecked:
            trial.verdict, trial.score = "runtime_error", 0.0
            trial.message = "the program left in a way that its memory could not be checked"
        return trial

    def _twin(self, unit: Unit, at: int) -> str | None:
        return twin_name(self._problem, unit.group, unit.places[at])
