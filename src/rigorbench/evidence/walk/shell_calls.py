"""Shell calls: from a command line and its output to the events of its commands."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Sequence
from typing import Any

from ...trajectory.model import FileChange, ObservedProcess, Result, Shell
from ..builds.checks import hidden_tests, read_program, read_tool, worked_before
from ..code.grammars import is_source
from ..commands.classify import Classified, classify_line
from ..edits.observed import PartEdits, share_out
from ..edits.shell import shell_edits
from ..events import BuildEvent, EditEvent, LintEvent, ReadEvent, RunEvent, SearchEvent, WaitEvent
from ..shell.parse import statuses
from ..testruns.echoes import heard, reshaped, status_by_hand
from ..testruns.trust import Trust
from .changes import Changes
from .late_runs import Runs
from .ledger import Ledger


class ShellCalls:
    """The events of shell calls, command by command."""

    def __init__(self, ledger: Ledger, trust: Trust, runs: Runs, changes: Changes, *, has_results: bool) -> None:
        self.ledger, self.trust, self.runs, self.changes = ledger, trust, runs, changes
        self.has_results = has_results
        # Of the call at hand: the edits that were seen, by command (None: nobody watched), and the command's number.
        self.seen: list[PartEdits] | None = None
        self.at = 0
        self.call: str | None = None

    def shell(
        self,
        action: Shell,
        result: Result | None,
        place: dict[str, Any],
        observed: list[FileChange] | None = None,
        call: str | None = None,
    ) -> None:
        """The events of one call. ``observed``: what a witness saw it do to files; None: nobody watched."""
        self.call = call
        parts = self.trust.sift(classify_line(action.command), action.cwd)
        self.seen = None if observed is None else self.shares(parts, observed, action)
        self.parts(parts, action, result, place)
        for edits in self.seen or ():
            self.make(edits, place, action)

    def shares(self, parts: Sequence[Classified], observed: list[FileChange], action: Shell) -> list[PartEdits]:
        return share_out(
            parts,
            observed,
            lambda part: shell_edits(self.changes.with_patch(part.command, action)),
            lambda path: self.ledger.path(path, action.cwd),
            self.ledger.root,
        )

    def make(self, edits: PartEdits, place: dict[str, Any], action: Shell) -> list[EditEvent]:
        """The edit events of one command as they were seen; once only."""
        made = [self.changes.edit(c, place, via="shell", cwd=action.cwd) for c in edits.outside]
        made += [self.changes.edit(c, place, via="shell", observed=True, restoring=edits.restoring) for c in edits.seen]
        edits.outside, edits.seen = [], []
        return [e for e in made if e is not None]

    def parts(self, parts: Sequence[Classified], action: Shell, result: Result | None, place: dict[str, Any]) -> None:
        if not parts:
            return
        exit_status = result.exit_status if result is not None else None
        output = "" if result is None else result.stdout if result.stdout is not None else result.text
        own = statuses([p.command for p in parts], exit_status)
        if result is not None and result.programs:
            own = _witnessed(parts, own, result.programs)
        tests = [p for p in parts if p.kind == "test"]
        started = action.background or (result is not None and result.shell_id is not None and exit_status is None)
        if started and tests:
            pending = self.runs.later(tests, place)
            name = (result.shell_id if result is not None else None) or action.shell_id
            if name is not None:
                self.runs.shells[name] = pending
        if result is not None and result.full_output and tests:
            self.runs.files.setdefault(posixpath.basename(result.full_output), self.runs.later(tests, place))
        if result is None and self.has_results:
            return  # never finished as far as the log knows: nothing happened that could be shown
        if result is not None and (
            result.denied or result.not_observed or (result.is_error and result.text.startswith("<tool_use_error>"))
        ):
            return
        told = stopped = False
        for index, (part, status) in enumerate(zip(parts, own, strict=True)):
            self.at = index
            if part.kind == "test":
                if part is tests[0] and not started:
                    at = parts.index(tests[-1])
                    last = own[at]
                    if last is None:
                        last = status_by_hand(action.command, parts, at, output)
                    written = self.trust.texts(tests) + self.changes.shown_texts(parts, action)
                    words = heard(action.command, parts, output, written)
                    doubt = next((d for t in tests if (d := reshaped(t, parts[parts.index(t) + 1 :]))), None)
                    self.runs.test_run(
                        tests, last, words, result, place, alone=len(parts) == 1, doubt=doubt, stopped=stopped
                    )
                told = True
                continue
            if part.kind in ("lint", "build") and worked_before(part, parts, output):
                self.check(part, "", 0, None, None, place)
                told = True
                continue
            told = (
                self.simple(part, status, output, result, action, place, alone=len(parts) == 1, tested=bool(tests))
                or told
            )
            if part.kind in ("lint", "build") and part.command.status == "if_zero":
                latest = self.ledger.events[-1]
                stopped = isinstance(latest, BuildEvent | LintEvent) and latest.outcome in ("failed", "error")
        if not told:
            self.ledger.effectless_run(RunEvent(**place, command=action.command.strip(), exit_status=exit_status))

    def simple(
        self,
        part: Classified,
        status: int | None,
        output: str,
        result: Result | None,
        action: Shell,
        place: dict[str, Any],
        *,
        alone: bool,
        tested: bool,
    ) -> bool:
        """The events of one simple command that is no test run; False if it makes none.

        ``alone``: the call runs nothing else; ``tested``: it runs tests as well, whose output this is.
        """
        command = part.command
        flag = self.ledger.failed_flag(result, part, alone=alone)
        failed = status not in (None, 0) or flag is True
        if self.seen is not None:
            made = self.make(self.seen[self.at], place, action)
            if part.kind == "vcs":
                for put_back in made:
                    self.trust.restored(put_back.path)
            if part.kind == "run" and made and self.changes.workspace.scripts:
                self.changes.used_up(part, action.cwd)
            if made and part.kind in ("run", "read", "noop", "edit"):
                return True
        elif part.kind in ("edit", "vcs", "run", "read", "noop", "install", "service", "lint", "build") and not failed:
            edited = [
                self.changes.edit(c, place, via="shell", cwd=action.cwd)
                for c in shell_edits(self.changes.with_patch(command, action))
            ]
            if part.kind == "vcs":
                for restored in edited:
                    if restored is not None:
                        self.trust.restored(restored.path)
            if any(edited) and part.kind in ("run", "read", "noop", "edit"):
                return True
            if part.kind == "run" and self.changes.workspace.scripts:
                self.changes.script_edits(part, output, place, action.cwd)
        if part.kind == "commit":
            self.changes.commit(part, status, output, action, place, call=self.call, flag=flag)
        elif part.kind == "vcs":
            self.changes.vcs(part, place, failed=failed)
        elif part.kind in ("build", "lint", "run", "service"):
            runner = None
            if not tested and part.kind != "lint" and hidden_tests(part, output, self.changes.believed):
                words = heard(action.command, classify_line(action.command), output, self.trust.texts([part]))
                runner = hidden_tests(part, words, self.changes.believed)
            if runner is not None:
                hidden = Classified(command=command, kind="test", runner=runner)
                self.runs.test_run([hidden], status, words, result, place, alone=alone)
                if part.kind == "build" and (status == 0 or flag is False):
                    self.check(part, "", 0, None, None, place)  # what ran the tests has built first
            elif part.kind in ("build", "lint"):
                self.check(part, output, status, flag, result, place)
            else:
                run = RunEvent(**place, command=command.text, exit_status=status)
                self.ledger.add(run)
                cut = result is None or result.truncated or result.interrupted or result.timed_out
                facts = (
                    read_program(part, output, status, failed_flag=flag, truncated=cut)
                    if alone or command.status == "exact"
                    else None
                )
                if facts is not None:
                    self.ledger.check_facts[id(run)] = facts
        elif part.kind == "read":
            self.ledger.add(ReadEvent(**place, target=_targets(part)))
            self.runs.shows(part, result, output, action, place)
            if alone_file := _one_file(part):
                path = self.ledger.path(alone_file, command.cwd or action.cwd)
                if is_source(path):
                    self.changes.memory.show(path, output)
        elif part.kind == "search":
            self.ledger.add(SearchEvent(**place, target=_targets(part)))
            self.runs.shows(part, result, output, action, place)
        elif part.kind == "wait":
            self.ledger.add(WaitEvent(**place))
        elif part.kind == "install":
            self.ledger.add(RunEvent(**place, command=command.text, exit_status=status))
        elif part.kind == "probe":
            self.ledger.effectless_run(RunEvent(**place, command=command.text, exit_status=status))
        else:
            return False
        return True

    def check(
        self,
        part: Classified,
        output: str,
        status: int | None,
        flag: bool | None,
        result: Result | None,
        place: dict[str, Any],
    ) -> None:
        """The event of a build or lint."""
        outcome = read_tool(part, output, status, failed_flag=flag, timed_out=result is not None and result.timed_out)
        kind = BuildEvent if part.kind == "build" else LintEvent
        event = kind(**place, command=part.command.text, outcome=outcome.outcome)
        self.ledger.add(event)
        self.ledger.check_facts[id(event)] = outcome.facts


def _witnessed(
    parts: Sequence[Classified], own: Sequence[int | None], programs: Sequence[ObservedProcess]
) -> list[int | None]:
    """The commands' exit statuses, those that a witness saw in place of what the line's own status tells."""
    left = [(posixpath.basename(p.argv[0]), p.argv[1:], p.exit_status) for p in programs if p.argv]
    found: list[int | None] = []
    for part, status in zip(parts, own, strict=True):
        try:
            words = shlex.split(part.command.text)
        except ValueError:
            words = []
        wanted = (posixpath.basename(words[0]), words[1:]) if words else None
        seen = next((p for p in left if (p[0], p[1]) == wanted), None)
        if seen is not None:
            left.remove(seen)
        found.append(status if seen is None or seen[2] is None else seen[2])
    return found


def _one_file(part: Classified) -> str | None:
    """The one file that a reading command shows, if it is one."""
    files = [a for a in part.command.args if "." in a and not a.startswith("-") and not a.endswith("p")]
    return files[0] if len(files) == 1 else None


# Not what is read but how much of it: `sed -n 10,20p`, `head -n 30`.
_EXTENT = re.compile(r"\d+(?:,[+~]?\d+)?p?|\d+,\$p|\$p")


def _targets(part: Classified) -> str:
    words = [a for a in part.command.args if not a.startswith("-")]
    if part.kind == "read":
        words = [w for w in words if not _EXTENT.fullmatch(w)] or words
    return shlex.join(words) if words else part.command.program
