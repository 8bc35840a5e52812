"""Judges submissions to problems on this machine."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing

from msgspec import structs

from ...base.version import __version__
from ...sandbox.cell.spec import CellError, CellSpec
from ...sandbox.kit.mount import Mount
from ...sandbox.kit.trees import remove
from ..build.compile import build
from ..build.program import Built, Variant
from ..build.unit import BuildStopped, Stop
from ..files import copy_readable
from ..judgement import Compilation, GroupResult, JudgeError, Judgement, PointResult, Submission
from ..problems.problem import Case, PointGroup, Problem, Sanitizer
from ..problems.verdicts import VERDICTS
from .cells import ReusableCell, SubmissionCells
from .checking import Job, ToolError, Tools, checker_limits, decision
from .resources import Resources, machine
from .schedule import CaseChain, Schedule, failed_point, static_name, twin_name
from .trial import Trial, output_only, program_of, run_trial
from .verdicts import clamp, skipped, total, usage

# Seconds between two checks whether the judging was cancelled.
_POLL = 0.2


# Hears of the end of compiling (None) and of each group, from one thread at a time. It must be quick.
Progress = Callable[[GroupResult | None], None]


class Judge(Resources):
    """Judges submissions; several threads may each judge one at the same time. Close it at the end."""

    def judge(
        self,
        problem: Problem,
        submission: Submission,
        cancelled: Callable[[], bool] | None = None,
        *,
        progress: Progress = lambda _: None,
    ) -> Judgement:
        """Build, run all test points, check, score.

        A failure of the judge is the verdict ``judge_error`` without a score. Nothing that a submission does raises.

        `cancelled`: asked from time to time; once it is true, the rest is skipped, and a note says so. Raises:
        JudgeError: this machine cannot judge it at all (no sandbox, no compiler for the language).
        """
        started, clock = time.time(), time.perf_counter()
        session = JudgingSession(self, problem, submission, progress, cancelled)
        with closing(session.cells):
            judgement = session.run()
        judgement.judge = __version__
        judgement.started = started
        judgement.seconds = time.perf_counter() - clock
        return judgement


class JudgingSession:
    """Builds a submission, runs its test points in the slots of `resources`, and scores them."""

    def __init__(
        self,
        resources: Resources,
        problem: Problem,
        submission: Submission,
        progress: Progress,
        cancelled: Callable[[], bool] | None,
    ) -> None:
        self._resources, self._problem, self._submission = resources, problem, submission
        self._progress, self._cancelled = progress, cancelled
        self._stopped = False
        self._trust = resources.settings.trust
        self.cells = SubmissionCells(resources.idle_cells)
        self._compiles = Stop()
        self._built: dict[tuple[Variant, str | None], Built] = {}
        self._building: dict[tuple[Variant, str | None], threading.Lock] = {}
        self._lock = threading.Lock()
        self._errors: list[BaseException] = []
        self._tools: Tools | None = None

    def run(self) -> Judgement:
        """Raises: JudgeError."""
        schedule = Schedule(self._problem, self._progress)
        over = threading.Event()
        watcher = threading.Thread(target=self._watch, args=(schedule, over), name="judge-cancelling", daemon=True)
        watcher.start()
        try:
            try:
                compilation = self._compile()
            except BuildStopped:
                return self._judgement(schedule.results("cancelled"), None, ["cancelled"])
            if compilation is not None and not compilation.ok:
                groups = [GroupResult(group.id, "compile_error", 0.0, group.full) for group in self._problem.groups]
                return self._judgement(groups, compilation, [])
            self._run_workers(schedule)
        finally:
            over.set()
            watcher.join()
        if self._errors:
            raise self._errors[0]
        notes = ["cancelled"] if self._stopped else []
        groups = schedule.results("cancelled")
        if self.cells.limits_by == "rlimit":
            notes.append("no control groups here: memory is that of the largest process; programs cannot start others")
        return self._judgement(groups, compilation, notes)

    def _watch(self, schedule: Schedule, over: threading.Event) -> None:
        """Ask whether judging was cancelled, and end what runs if it was."""
        while self._cancelled is not None and not over.wait(_POLL):
            if self._stopped or self._cancelled():
                self._stop(schedule)  # each time: what is just starting may not hear the first

    def _stop(self, schedule: Schedule) -> None:
        self._stopped = True
        schedule.end()
        self._compiles.stop()
        self.cells.cancel()

    def _judgement(self, groups: list[GroupResult], compilation: Compilation | None, notes: list[str]) -> Judgement:
        verdict, score, full = total(groups)
        language = self._language()
        limits_by = self.cells.limits_by
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
        self._progress(None)
        return compilation

    def _variant(self, variant: Variant, slot: int, driver: str | None = None) -> Built:
        """The build of a variant, made when it is first needed.

        `driver`: build only this driver: sanitized builds take long.
        """
        key = (variant, driver)
        with self._lock:
            building = self._building.setdefault(key, threading.Lock())
        with building:
            built = self._built.get(key)
            if built is None:
                problem = self._problem
                if driver is not None:
                    # program_of reports a driver that the package does not have.
                    drivers = {name: path for name, path in problem.build.drivers.items() if name == driver}
                    problem = structs.replace(problem, build=structs.replace(problem.build, drivers=drivers))
                built = build(
                    problem, self._submission, variant=variant, slot=slot, trust=self._trust, stop=self._compiles
                )
                self._built[key] = built
            return built

    def _language(self) -> str:
        plain = self._built.get(("plain", None))
        return (plain.language if plain is not None else "") or self._submission.language

    def _run_workers(self, schedule: Schedule) -> None:
        points = sum(len(group.cases) for group in self._problem.groups)
        workers = [
            threading.Thread(target=self._worker, args=(schedule,), name="judge-worker", daemon=True)
            for _ in range(max(1, min(self._resources.slots.count, points)))
        ]
        for worker in workers:
            worker.start()
        try:
            for worker in workers:
                worker.join()
        except BaseException:
            # After an interrupt nothing is left running.
            while any(worker.is_alive() for worker in workers):
                self._stop(schedule)
                for worker in workers:
                    worker.join(_POLL)
            raise

    def _worker(self, schedule: Schedule) -> None:
        slot: int | None = None
        try:
            while (unit := schedule.take()) is not None:
                with self._resources.slots.one(slot) as slot:
                    results, retry = self._run_with_retry(unit, slot)
                if retry and not self._stopped:
                    with self._resources.slots.alone():
                        results, _ = self._run_with_retry(unit, slot)
                    results = [structs.replace(result, runs=2) for result in results]
                if self._stopped:
                    return
                schedule.report(unit, results)
        except BaseException as error:
            self._errors.append(error)
        finally:
            if self._errors or self._stopped:
                schedule.end()

    def _run_with_retry(self, unit: CaseChain, slot: int) -> tuple[list[PointResult], bool]:
        """(results of a unit, whether it should be repeated alone). A sandbox that fails gets a second attempt."""
        failure = ""
        for _ in range(2):
            try:
                results, retry = self._run(unit, slot)
                break
            except (CellError, JudgeError) as error:
                failure = str(error)
        else:
            names = [static_name(unit.group)] if unit.static else [case.id for case in unit.cases]
            results, retry = [failed_point(name, failure) for name in names], False
        for position, result in zip(unit.positions, results, strict=False):
            result.twin = twin_name(self._problem, unit.group, position)
        return results, retry

    def _run(self, unit: CaseChain, slot: int) -> tuple[list[PointResult], bool]:
        if unit.static:
            try:
                return [self._validate_files(unit.group, slot)], False
            except ToolError as error:
                return [failed_point(static_name(unit.group), str(error))], False
        rounds: list[list[PointResult]] = []
        retry = False
        for sanitizer in unit.sanitizers or (None,):
            results: list[PointResult] = []
            with ExitStack() as after:
                if len(unit.positions) > 1:
                    after.callback(self.cells.clear, slot)
                for case in unit.cases:
                    if results and results[-1].verdict != "accepted":
                        results.append(skipped(case.id, "an earlier run of its chain failed"))
                        continue
                    try:
                        trial = self._run_case(unit, case, sanitizer, slot)
                    except ToolError as error:
                        results.append(failed_point(case.id, str(error)))
                        continue
                    retry |= trial.retry
                    point = trial.point
                    if case.hint and point.verdict != "accepted":
                        point.message = "; ".join(part for part in (point.message, case.hint) if part)
                        point.told = "; ".join(part for part in (point.told, case.hint) if part)
                    results.append(point)
            rounds.append(results)
        return [min(row, key=lambda point: VERDICTS.index(point.verdict)) for row in zip(*rounds, strict=True)], retry

    def _validate_files(self, group: PointGroup, slot: int) -> PointResult:
        """The result of a group's static test point.

        The validator runs in a copy of the submission; its arguments are the language, the name of the only file (empty
        if there are several), the feedback directory and the group's arguments. It ends like a checker.

        Raises: CellError, ToolError: the sandbox, or the validator, failed.
        """
        program = self._tools.static if self._tools is not None else None
        if program is None:
            raise ToolError(f"{group.id} needs a static validator, and the package has none")
        workspace = self._resources.workspace
        files = workspace.directory("files")
        try:
            copy_readable(self._submission.root, files)
            names = [path.name for path in files.rglob("*") if path.is_file()]
            entry = names[0] if len(names) == 1 else ""
            limits = checker_limits(self._problem.limits)
            spec = CellSpec(slot=slot, role="checker", mounts=(*program.mounts, Mount(str(files), "/submission")))
            arguments = (self._language(), entry, "/w/", *(group.static_args or ()))
            run = program.run(arguments, limits, cwd="/submission", fresh=False)
            with closing(ReusableCell(spec, workspace, self._trust)) as cell:
                measured = cell.run(run)
                checked = decision(measured, "static validator", "kattis", cell.work, limits)
        finally:
            remove(files)
        share = 1.0 if checked.share is None else clamp(checked.share, 1.0)
        if checked.points is not None and group.static_full > 0:
            share = clamp(checked.points / group.static_full, 1.0)
        score, message = share if checked.verdict == "accepted" else 0.0, checked.message
        used = usage(measured)
        return PointResult(static_name(group), checked.verdict, score, message, checked.details, message, used)

    def _run_case(self, unit: CaseChain, case: Case, sanitizer: Sanitizer | None, slot: int) -> Trial:
        """Raises: CellError, ToolError, JudgeError."""
        assert self._tools is not None
        slot_tools = self._resources.slot_tools[slot]
        fresh = len(unit.positions) == 1
        job = Job(self._problem, unit.group, case, self._tools, sanitizer, fresh)
        if self._problem.build.kind == "output-only":
            return output_only(job, self._submission.root, slot_tools)
        variant: Variant = sanitizer or "plain"
        built = self._variant(variant, slot, case.driver if sanitizer is not None else None)
        if not built.compilation.ok:
            raise JudgeError(f"it does not compile for the {variant} check: {built.compilation.log[-300:]}")
        program = program_of(built, case)
        if sanitizer is not None and program.reports is None:
            return Trial(PointResult(case.id, "accepted", 1.0, f"{program.language} manages memory: nothing to check"))
        trial = run_trial(job, program, self.cells.of(slot, program), slot_tools)
        if trial.unchecked and program.reports == "sanitizer":
            # Under valgrind a program cannot avoid the check.
            watched = program_of(self._variant("uninitialised", slot, case.driver), case)
            trial = run_trial(job, watched, self.cells.of(slot, watched), slot_tools)
        if trial.unchecked:
            trial.point.verdict, trial.point.score = "runtime_error", 0.0
            trial.point.message = "the program exited in a way that its memory could not be checked"
        return trial
