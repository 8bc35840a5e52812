"""Shell calls: from a command line and its output to the events of its commands."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace as copy

from ...base.code.grammars import is_source
from ...session.model import FileChange, ObservedProcess, Shell, ToolCall
from ..builds.checks import hidden_tests, passed_before, read_program, read_tool
from ..calls import ANYTHING
from ..commands.classify import Classified, classify_line
from ..commands.programs import programs
from ..commands.vcs import exchange, git_subcommand
from ..commits.content import message_of_output
from ..edits.files import WHOLE_TREE
from ..edits.observed import PartEdits, share_out
from ..edits.shell import left_alone, shell_edits, shows_how_far
from ..events import (
    BuildEvent,
    EditEvent,
    LintEvent,
    Outcome,
    Position,
    ReadEvent,
    ReproductionEvent,
    RunEvent,
    SearchEvent,
    TestRunEvent,
    WaitEvent,
)
from ..facts import EditFacts, Exchange, Unplaced
from ..shell.parse import SimpleCommand, statuses
from ..shell.tables import programs as shell_programs
from ..shell.values import operands
from ..testruns.outcome import detect_runner
from ..testruns.reproductions import program_text, read_reproduction, tries_project
from ..testruns.self_printed import cut_short, line_distortion, printed_status, runner_output
from ..testruns.several import LineRun, chain_status, never_started, separate
from ..testruns.trust import Trust
from .changes import FileChanges
from .found import Found, ShellCall
from .late_runs import LateRuns
from .reads import shown_files
from .trees import Visit

# Kinds of commands that make no event but their edits, if there are any.
_ONLY_EDITS = ("run", "read", "noop", "edit")
# Lines a to b of `sed -n a,bp`; the number of lines of `head -n a`.
_LINES = re.compile(r"-?(\d{1,6})(?:,(\d{1,6})p)?")
_EXPANDED = re.compile(r"[$*?\[{~`]")
# Kinds of commands that leave the files of the project as they were.
_LEAVE_FILES = ("test", "lint", "build", "read", "search", "probe", "noop")


# With these a compiler writes nothing and checks the types of what its input uses.
_CHECKS_ONLY = frozenset(("--noEmit", "-fsyntax-only"))
# What a shell answers to a line that it cannot parse; it runs nothing of it.
_NO_SHELL_TEXT = re.compile(
    r"\s*(?:/\S*/)?(?:ba|da|z)?sh: (?:-c: )?(?:line )?1: (?:syntax error|Syntax error:|unexpected EOF)"
)
# The end of what it prints where it could not parse a later line: how far it came, nothing shows.
_BROKE_OFF = re.compile(
    r"^(?:/\S*/)?(?:ba|da|z)?sh: (?:-c: )?(?:line )?\d+: (?:[Ss]yntax error|unexpected EOF)[^\n]*(?:\n[^\n]*)?\s*\Z",
    re.MULTILINE,
)
# What Codex answers to a call that it does not understand.
_NOT_STARTED = ("failed to parse function arguments: ", "unsupported call: ", "exec_command failed")


class ShellCalls:
    """The events of shell calls, command by command."""

    def __init__(self, found: Found, trust: Trust, runs: LateRuns, changes: FileChanges, *, has_results: bool) -> None:
        self.found, self.trust, self.runs, self.changes = found, trust, runs, changes
        self.targets = changes.targets
        self.has_results = has_results

    def shell(self, call: ToolCall, at: Position) -> None:
        """The events of one call, or of a command that outlived its call."""
        action, result = call.action, call.result
        assert isinstance(action, Shell)
        output = "" if result is None else result.stdout if result.stdout is not None else result.text
        line = ShellCall(at, action, result, output, call.id)
        known = self.trust.drop_foreign_tests(classify_line(action.command), action.cwd)
        parts = self.targets.expand(known, output)
        if call.observed is None:
            first = len(self.found.events)
            self.parts(parts, line, None)
            self.changes.forget(_join_edits(self.found, first))
            return
        observed = share_out(
            parts,
            call.observed,
            lambda part: shell_edits(self.changes.with_patch(part.command, action), self.changes.script(action.cwd)),
            lambda path: self.found.path(path, action.cwd),
            self.found.root,
        )
        if result is not None and (result.denied or result.not_observed):
            for edits in observed:
                edits.outside = []  # only the text of the command names them, and it did not run
        self.parts(parts, line, observed)
        for edits in observed:
            self.edit(edits, line)

    def edit(self, edits: PartEdits, call: ShellCall) -> list[EditEvent]:
        """The edit events of one command as they were recorded; once only."""
        made = [self.changes.edit(c, call.at, via="shell", cwd=call.action.cwd) for c in edits.outside]
        made += [
            self.changes.edit(c, call.at, via="shell", observed=True, restoring=edits.restoring) for c in edits.inside
        ]
        edits.outside, edits.inside = [], []
        return [e for e in made if e is not None]

    def parts(self, parts: Sequence[Classified], call: ShellCall, observed: list[PartEdits] | None) -> None:
        """The events of the commands of a line. ``observed``: the recorded edits of each; None: not recorded."""
        if not parts:
            return
        action, result, output = call.action, call.result, call.output
        exit_status = result.exit_status if result is not None else None
        own = statuses([p.command for p in parts], exit_status)
        ran = [] if result is None else result.programs
        seen_at = _places(parts, ran)
        ends: dict[int | None, int] = {n: p.exit_status for n, p in enumerate(ran) if p.exit_status is not None}
        own = [ends.get(at, status) for at, status in zip(seen_at, own, strict=True)]
        skipped = _not_reached(parts, seen_at, ran, exit_status)
        tests = [p for p in parts if p.kind == "test"]
        started = action.background or (result is not None and result.shell_id is not None and exit_status is None)
        if started and tests:
            pending = self.runs.later(tests, call, parts)
            pending.status = own[max(n for n, p in enumerate(parts) if p.kind == "test")]
            name = (result.shell_id if result is not None else None) or action.shell_id
            if name is not None:
                self.runs.shells[name] = pending
            if result is not None and result.full_output:
                self.runs.files[posixpath.basename(result.full_output)] = pending
        if result is None and self.has_results:
            return  # the log does not show that it ended
        if result is not None and (
            result.denied
            or result.not_observed
            or (result.is_error and result.text.startswith("<tool_use_error>"))
            or result.text.startswith(_NOT_STARTED)
            or _NO_SHELL_TEXT.match(output)
        ):
            return
        if exit_status and observed is None and _BROKE_OFF.search(output) and detect_runner(output) is None:
            at = call.at
            unknown = Unplaced("a line that its shell could not parse", ANYTHING, at.step, at.call, at.lane)
            self.found.unplaced.append(unknown)
            return
        has_event = stopped = broken = False
        alone = len(parts) == 1
        failed: set[str] = set()  # texts of commands that failed, or that did not run because one before them had
        runs = [] if started or not tests else self.runs_of(parts, call, own, exit_status)
        # What the tests printed that come after a check: a run before it says nothing of the check.
        ahead = output
        passed: set[int] = set()
        nested = self.nested_tests(parts, ran)
        for index, (part, status) in enumerate(zip(parts, own, strict=True)):
            while nested and nested[0][0] < (seen_at[index] or 0):
                self.runs.test_run(nested.pop(0)[1], call, alone=False, recorded=True)
                has_event = True
            if index in skipped:
                if observed is not None:
                    observed[index].outside = []
                continue
            seen = len(self.found.events)
            inside = part.command.text not in action.command  # part of a script, which the output shows
            kept = not failed.isdisjoint(part.command.guards)
            if kept or status not in (None, 0):
                failed.add(part.command.text)
            # Git's report of a commit: what was taken for a failure before it was none.
            committed = part.kind == "commit" and message_of_output(call.output)
            if kept and part.kind != "test" and not committed:
                continue
            if part.kind not in ("read", "search"):
                self.reads(part, call)
            edits = None if observed is None else observed[index]
            if part.kind == "test":
                if runs and part is runs[0].tests[0]:
                    run = runs.pop(0)
                    ahead = runs[0].output if runs else ""
                    stopped = stopped or never_started(parts, index, output)
                    self.run_of_tests(run, parts, call, stopped=kept or stopped)
                    not_run = (kept or stopped) and len(self.found.events) == seen
                    # Whether the first of these that fails keeps the others from running.
                    in_turn = all(a.command.text in b.command.guards for a, b in pairwise(run.tests))
                    if not_run or (self.failed_since(seen) and in_turn):
                        failed.update(t.command.text for t in run.tests)
                has_event = True
                stopped = stopped or (part.command.status == "if_zero" and self.failed_since(seen))
            elif stopped and inside:
                failed.add(part.command.text)  # after a part of the script that failed
            elif broken and part.command.program in programs().groups.task_runners:
                failed.add(part.command.text)  # the script: its part that failed stands for it
                broken = False
            elif part.kind in ("lint", "build"):
                if exit_status and not inside and not kept and never_started(parts, index, output):
                    failed.add(part.command.text)
                    continue
                call_of_part = call
                if status is None:
                    status = printed_status(action.command, parts, index, output)
                if status is None and passed_before(part, parts[index:], output, ahead):
                    status, call_of_part = 0, copy(call, output="")
                elif status is None:
                    status = chain_status(parts, index, output, exit_status, passed)
                self.simple(part, status, call_of_part, edits, alone=alone, tested=bool(tests))
                has_event = True
            elif self.simple(part, status, call, edits, alone=alone, tested=bool(tests)):
                has_event = True
            if part.kind in ("lint", "build", "test"):
                outcome = self.outcome_at(call)
                if outcome == "passed":
                    passed.add(index)
                # A check inside a script (its text is not in the line) comes before the script's tests.
                if part.kind in ("lint", "build"):
                    broke = self.failed_since(seen)
                    if broke:
                        failed.add(part.command.text)
                    stopped = stopped or (broke and (inside or part.command.status == "if_zero"))
                    broken = broken or (broke and inside)
        for _, run in nested:
            self.runs.test_run(run, call, alone=False, recorded=True)
        if not has_event and not nested:
            self.found.add_effectless(call.at, action.command.strip(), exit_status)

    def nested_tests(self, parts: Sequence[Classified], ran: Sequence[ObservedProcess]) -> list[tuple[int, LineRun]]:
        """The test runs that scripts of a call started, by the programs that were recorded, each with its number.

        What they printed is not told apart from the script's own output, so the exit status alone decides.
        """
        if any(part.kind == "test" for part in parts):
            return []
        return [
            (number, LineRun([copy(part, command=copy(part.command, cwd=program.cwd))], "", program.exit_status))
            for number, program in enumerate(ran)
            if program.argv
            for part in classify_line(shlex.join(program.argv))
            if part.kind == "test" and part.runner != "script"
        ]

    def run_of_tests(self, run: LineRun, parts: Sequence[Classified], call: ShellCall, *, stopped: bool) -> None:
        """The event of a run of tests. ``stopped``: a command before it in the same ``&&`` chain failed."""
        command = call.action.command
        written = self.trust.printable_texts(run.tests) + self.changes.shown_texts(parts, call.action)
        words = runner_output(command, parts, run.output, written)
        after = [(t, parts[next(n for n, p in enumerate(parts) if p is t) + 1 :]) for t in run.tests]
        doubts = (line_distortion(t, rest) or cut_short(t, rest, run.output) for t, rest in after)
        doubt = next((d for d in doubts if d is not None), None)
        self.runs.test_run(copy(run, output=words), call, alone=len(parts) == 1, doubt=doubt, stopped=stopped)

    def outcome_at(self, call: ShellCall) -> Outcome | None:
        """The outcome of the last event, if it is a check of this call."""
        latest = self.found.events[-1] if self.found.events else None
        if not isinstance(latest, BuildEvent | LintEvent | TestRunEvent) or latest.position != call.at:
            return None
        return latest.outcome

    def failed_since(self, seen: int) -> bool:
        """Whether one of the events after the first ``seen`` is a check that failed."""
        return any(
            isinstance(e, TestRunEvent | BuildEvent | LintEvent) and e.outcome in ("failed", "error")
            for e in self.found.events[seen:]
        )

    def runs_of(
        self, parts: Sequence[Classified], call: ShellCall, own: Sequence[int | None], exit_status: int | None
    ) -> list[LineRun]:
        """The runs of tests of a line. Several commands whose output cannot be told apart are one run."""
        if (several := separate(parts, own, call.output, exit_status)) is not None:
            return several
        at = [n for n, p in enumerate(parts) if p.kind == "test"]
        last = at[-1]
        status = own[last]
        if status is None and (status := printed_status(call.action.command, parts, last, call.output)) is None:
            ahead = {n for n, p in enumerate(parts[:last]) if p.kind in ("build", "lint")}
            passed = {n for n in ahead if passed_before(parts[n], parts[n:], call.output, call.output)}
            status = chain_status(parts, last, call.output, exit_status, passed)
        # What ran before something that may have changed files ran on another tree: the output may be that of the last.
        edited = max((n for n, p in enumerate(parts[:last]) if p.kind not in _LEAVE_FILES), default=-1)
        before = [LineRun([parts[n]], "", own[n]) for n in at if n < edited]
        return [*before, LineRun([parts[n] for n in at if n > edited], call.output, status)]

    def simple(
        self,
        part: Classified,
        status: int | None,
        call: ShellCall,
        observed: PartEdits | None,
        *,
        alone: bool,
        tested: bool,
    ) -> bool:
        """The events of one simple command that is no test run; False if it makes none.

        ``alone``: the call runs nothing else; ``tested``: it runs tests as well, and the output includes theirs.
        """
        found, changes, at, output = self.found, self.changes, call.at, call.output
        command, cwd = part.command, call.action.cwd
        flag = found.failed_flag(call.result, part, alone=alone)
        failed = status not in (None, 0) or flag is True
        # What a program had done before it failed is done, where its output shows how far it came.
        alone_left = left_alone(command, output) if call.whole_output is not None else set()
        came_far = not failed or bool(alone_left) or shows_how_far(command, output)
        moved = part.kind != "vcs" or changes.moves(command, call, failed=failed)
        if observed is not None:
            made = self.edit(observed, call)
        elif moved and part.kind in (*_ONLY_EDITS, "vcs", "install", "service", "lint", "build") and came_far:
            by_text = shell_edits(changes.with_patch(command, call.action), output=call.whole_output)
            by_text = [c for c in by_text if c.path not in alone_left]
            if part.kind == "run":
                by_text = changes.of_program(by_text, cwd)
            made = changes.by_command(by_text, at, cwd, _exchange(part, by_text))
        else:
            made = []
        if command.program == "cp" and not failed:
            changes.trees.copied(command, command.cwd or cwd)
        if part.kind == "vcs":
            sub = git_subcommand(command.args)[0]
            puts_back = sub in ("checkout", "restore") and exchange(command) != "switch"
            for restored in made:
                self.trust.record_restore(restored.path)
                found.edits[restored.id].restored = puts_back
        if observed is not None and part.kind == "run" and made:
            changes.used_up(part, cwd)
        if made and part.kind in _ONLY_EDITS:
            return True
        edits_files = observed is None and part.kind == "run" and came_far and changes.script_edits(part, call)

        if part.kind == "commit":
            changes.commit(part, status, call, flag=flag)
        elif part.kind == "vcs":
            changes.vcs(part, call, status, failed=failed)
        elif part.kind in ("build", "lint", "run", "service"):
            self.program(part, status, call, flag, alone=alone, tested=tested, edits_files=edits_files)
        elif part.kind == "read":
            self.runs.shows(part, call)
            if len(files := self.reads(part, call)) == 1:
                changes.targets.learn(files[0], output)
                if is_source(files[0]) and (shown := _shown_text(part, output, tested=tested)):
                    changes.memory.show(files[0], shown)
        elif part.kind == "search":
            found.add(SearchEvent(**found.head(at), target=shlex.join(operands(command.args)) or command.program))
            self.reads(part, call)
            self.runs.shows(part, call)
        elif part.kind == "wait":
            found.add(WaitEvent(**found.head(at)))
        elif part.kind == "install":
            found.add(RunEvent(**found.head(at), command=command.text, exit_status=status))
        elif part.kind == "probe":
            found.add_effectless(at, command.text, status)
        else:
            return False
        return True

    def reads(self, part: Classified, call: ShellCall) -> list[str]:
        """The events of the files that a command shows, one for each file or pattern of files; their paths."""
        ran = [] if call.result is None else call.result.programs
        shown, more = shown_files(part, classify_line(call.action.command), ran, self.trust.own_text(part))
        files = [self.found.path(file, call.action.cwd) for file in shown]
        for file in files:
            self.found.add(ReadEvent(**self.found.head(call.at), target=file))
        if more and "\n" in call.output.strip():
            at = call.at
            self.found.unplaced.append(
                Unplaced(f"`{part.command.text}`", frozenset(("read",)), at.step, at.call, at.lane)
            )
        return files

    def program(
        self,
        part: Classified,
        status: int | None,
        call: ShellCall,
        flag: bool | None,
        *,
        alone: bool,
        tested: bool,
        edits_files: bool,
    ) -> None:
        """The event of a build, a lint or another program, which may turn out to have run tests."""
        command, result, output = part.command, call.result, call.output
        runner = None
        if not tested and part.kind != "lint" and hidden_tests(part, output, self.changes.believed):
            line = call.action.command
            words = runner_output(line, classify_line(line), output, self.trust.printable_texts([part]))
            runner = hidden_tests(part, words, self.changes.believed)
        timed_out = result is not None and result.timed_out
        if runner is not None:
            hidden = Classified(command=command, kind="test", runner=runner)
            self.runs.test_run(LineRun([hidden], words, status), call, alone=alone)
            if part.kind == "build" and (status == 0 or flag is False):
                self.check(part, "", 0, None, call, timed_out=False)  # what ran the tests has built first
        elif part.kind in ("build", "lint"):
            self.check(part, output, status, flag, call, timed_out=timed_out)
        else:
            tried = None if edits_files else self.reproduction(part, status, call, flag)
            event = tried or RunEvent(**self.found.head(call.at), command=command.text, exit_status=status)
            self.found.add(event)
            facts = None
            if alone or command.status == "exact":
                cut = result is None or result.truncated or result.interrupted or result.timed_out
                facts = read_program(part, output, status, failed_flag=flag, truncated=cut)
                if facts is not None:
                    self.found.checks[event.id] = facts
            self.changes.trees.ran(event.id, self.visits(part, call), facts)

    def visits(self, part: Classified, call: ShellCall) -> list[Visit]:
        """The visits of other trees that a command is part of."""
        return self.changes.trees.now(part.command.cwd or call.action.cwd)

    def reproduction(
        self, part: Classified, status: int | None, call: ShellCall, flag: bool | None
    ) -> ReproductionEvent | None:
        """The event of a run of the agent's own program that tries the project's code; None if it is no such run."""
        program, result = program_text(part, self.trust.own_text(part)), call.result
        if part.kind != "run" or part.command.background or program is None or not tries_project(*program):
            return None
        line = classify_line(call.action.command)
        here = next((n for n, p in enumerate(line) if p.command.text == part.command.text), len(line))
        # The output is of the whole line: a failure that it reports is that of the last program.
        last = not any(p.kind in ("run", "test", "build", "lint") for p in line[here + 1 :])
        outcome = read_reproduction(
            program[1],
            call.output,
            status,
            failed_flag=flag,
            interrupted=result is not None and result.interrupted,
            timed_out=result is not None and result.timed_out,
        )
        if status == 0 and outcome in ("failed", "error") and not last:
            outcome = "unknown"
        return ReproductionEvent(
            **self.found.head(call.at), command=part.command.text, exit_status=status, outcome=outcome
        )

    def check(
        self, part: Classified, output: str, status: int | None, flag: bool | None, call: ShellCall, *, timed_out: bool
    ) -> None:
        """The event of a build or lint."""
        cut = call.result is None or call.result.interrupted or call.result.truncated
        outcome, facts = read_tool(part, output, status, failed_flag=flag, timed_out=timed_out, cut=cut)
        kind = BuildEvent if part.kind == "build" else LintEvent
        event = kind(**self.found.head(call.at), command=part.command.text, outcome=outcome)
        self.found.add(event)
        self.found.checks[event.id] = facts
        self.changes.trees.ran(event.id, self.visits(part, call), facts)
        if part.kind == "build" and _CHECKS_ONLY.isdisjoint(part.command.args):
            cwd = part.command.cwd or call.action.cwd
            self.found.builds[event.id] = [self.found.path(a, cwd) for a in operands(part.command.args)]


def _exchange(part: Classified, changes: Sequence[FileChange]) -> Exchange:
    """How a git command that makes these changes exchanges the whole tree; "": it does not."""
    if part.command.program != "git":
        return ""
    how = exchange(part.command)
    return how if how in ("aside", "back") or any(c.path == WHOLE_TREE for c in changes) else ""


def _places(parts: Sequence[Classified], programs: Sequence[ObservedProcess]) -> list[int | None]:
    """The number of the program that each command was seen to start; every program is of one command at most."""
    left = {n: [posixpath.basename(p.argv[0]), *p.argv[1:]] for n, p in enumerate(programs) if p.argv}
    if not left:
        return [None] * len(parts)
    found: list[int | None] = []
    for part in parts:
        command = part.command
        try:
            words = shlex.split(command.text)
        except ValueError:
            words = []
        # The text has the redirections and variables, too; the words are those that the program was started with.
        known = [posixpath.basename(command.path), *command.args]
        written = [posixpath.basename(words[0]), *words[1:]] if words else known
        tail = [command.path, *command.args] if command.wrappers else None
        fits = (n for n, argv in left.items() if argv in (written, known) or argv[-len(known) :] == tail)
        found.append(next(fits, None))
        left.pop(-1 if found[-1] is None else found[-1], None)
    return found


def _not_reached(
    parts: Sequence[Classified], at: Sequence[int | None], programs: Sequence[ObservedProcess], status: int | None
) -> set[int]:
    """The commands of a failed line after the last that was seen to run, of which no program was seen."""
    last = max((n for n, place in enumerate(at) if place is not None), default=len(parts))
    if not status or last == len(parts):
        return set()
    unclaimed = [(set(map(posixpath.basename, p.argv[:3])), p.argv) for p in programs[(at[last] or 0) + 1 :]]

    def may_be_seen(command: SimpleCommand) -> bool:
        literal = {a for a in command.args if _EXPANDED.search(a) is None}
        return any(command.program in names and literal <= set(argv) for names, argv in unclaimed)

    rest = {n: parts[n].command for n in range(last + 1, len(parts))}
    return {n for n, c in rest.items() if c.program not in shell_programs().infallible and not may_be_seen(c)}


def _shown_text(part: Classified, output: str, *, tested: bool) -> str:
    """What of an output is the file's text. ``tested``: the rest of it is from tests, if the file was shown first."""
    if not tested:
        return output
    extents = [e for a in part.command.args if (e := _LINES.fullmatch(a)) is not None]
    if len(extents) != 1 or part.command.program not in ("sed", "head"):
        return ""
    first, last = extents[0].groups()
    shown = "\n".join(output.split("\n")[: int(last) - int(first) + 1 if last else int(first)])
    # The log of a long command may have lost its beginning, so that these are the runner's own words.
    return "" if detect_runner(shown) is not None else shown


def _join_edits(found: Found, first: int) -> list[EditEvent]:
    """Join neighbouring edits of one file from ``first`` on: three calls of sed are one change; those joined."""
    kept: list[EditEvent] = []
    dropped: list[EditEvent] = []
    for event in found.events[first:]:
        last = kept[-1] if kept else None
        if last is not None and isinstance(event, EditEvent) and _continues(found, last, event):
            _join(found.edits[last.id], found.edits.pop(event.id))
            last.symbols = list(dict.fromkeys([*last.symbols, *event.symbols]))
            dropped.append(event)
        elif isinstance(event, EditEvent):
            kept.append(event)
        else:
            kept.clear()
    if dropped:
        gone = {e.id for e in dropped}
        found.events[first:] = [e for e in found.events[first:] if e.id not in gone]
    return dropped


def _continues(found: Found, last: EditEvent, event: EditEvent) -> bool:
    before, after = found.edits[last.id].change, found.edits[event.id].change
    return (
        last.path == event.path
        and last.operation == event.operation == "modify"
        and bool(before.hunks) == bool(after.hunks)
        and before.replace_all == after.replace_all
        and _is_plain(before)
        and _is_plain(after)
    )


def _is_plain(change: FileChange) -> bool:
    """Whether the hunks of a change, each of which replaces one text, are all of it: such can be put in a row."""
    return change.after is None and change.at_line is None and all(o for o, _ in change.hunks)


def _join(facts: EditFacts, more: EditFacts) -> None:
    facts.change.hunks = [*facts.change.hunks, *more.change.hunks]
    facts.layout = facts.layout and more.layout
    facts.tests = [*facts.tests, *more.tests]
    facts.removed_tests = [*facts.removed_tests, *more.removed_tests]
    facts.weakened_tests = [*facts.weakened_tests, *more.weakened_tests]
    facts.debug_leftovers = [*facts.debug_leftovers, *more.debug_leftovers]
