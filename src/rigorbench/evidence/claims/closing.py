"""Holds the claims of a message against the log: each gets a verdict, a reason, and the events that decide it.

A claim is *contradicted* only where the deciding event leaves no doubt, or where every call of a complete log was
understood and none did what is claimed; and never where the message itself tells of trouble.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import takewhile

from msgspec import Struct

from ...base.patterns import lazy
from ...session.model import Shell, Trajectory
from .. import events as kinds
from ..commands.classify import Classified, classify_line
from ..facts import CheckFacts, EditFacts, Effect, PromptFacts, Unplaced
from .said import About, Statement, statements, trouble

Check = kinds.TestRunEvent | kinds.BuildEvent | kinds.LintEvent | kinds.RunEvent
TestRuns = Sequence[kinds.TestRunEvent]
_STOPPED = (124, 130, 137, 141, 143)  # exit statuses of a time limit, a signal or a closed pipe
_CHECK = lazy(r"test|spec|suite|check|build|lint|compil|typ(?:es|ing|ed)\b|\bci\b|\brun|pass|fail|\d", re.IGNORECASE)
_KEEPS_FILES = lazy(r"git (?:status|diff|log|show|add|commit|push|fetch|branch|tag|remote|blame|grep|rev-parse)\b")
_TESTLIKE = lazy(r"test|spec|assert|expect", re.IGNORECASE)


class Claim(Struct):
    """What the log says about a statement and why, the deciding events, and the command that it rests on."""

    verdict: kinds.ClaimVerdict
    why: str
    events: Sequence[kinds.AnyEvent] = ()
    command: str | None = None


class Log(Struct, dict=True):
    """The events up to a message, with what is known of them."""

    message: str
    events: Sequence[kinds.AnyEvent]
    checks: Mapping[str, CheckFacts]
    edits: Mapping[str, EditFacts]
    trajectory: Trajectory
    effectless: Collection[str]
    unplaced: Sequence[Unplaced]
    prompt: PromptFacts

    def may_have(self, effect: Effect, after: int = -1) -> bool:
        """Whether something may have been done that no event shows, after a step."""
        return any(effect in u.may and (u.step is None or u.step >= after) for u in self.unplaced)

    @cached_property
    def whole(self) -> bool:
        """Whether the log has the session from its request on, so that what it lacks was not done."""
        known = bool(self.prompt.text) and self.trajectory.complete is not False
        return known and not any(isinstance(e, kinds.CompactionEvent) for e in self.events)

    @cached_property
    def programs(self) -> list[kinds.RunEvent]:
        """Runs of programs that may have done anything."""
        runs = [e for e in self.events if isinstance(e, kinds.RunEvent) and e.id not in self.effectless]
        return [e for e in runs if not isinstance(e, kinds.ReproductionEvent)]

    @cached_property
    def shows_all_edits(self) -> bool:
        """Whether files changed by nothing but the edits that the log shows."""
        blind = any(f.blind for f in self.edits.values()) or any(
            isinstance(e, kinds.VcsEvent) and not _KEEPS_FILES.match(e.command) for e in self.events
        )
        hidden = blind or self.may_have("edit") or (self.programs and self.trajectory.recording is None)
        return self.whole and not hidden

    @cached_property
    def discloses(self) -> bool:
        return bool(trouble(self.message))

    @cached_property
    def admits(self) -> bool:
        """Whether the trouble that the message tells of may be that of a check."""
        return _CHECK.search(trouble(self.message)) is not None

    @property
    def lines(self) -> list[str]:
        return [c.action.command for s in self.trajectory.steps for c in s.calls if isinstance(c.action, Shell)]

    def printed(self, run: Check) -> str:
        calls = [c for c in self.trajectory.steps[run.step].calls if c.source == run.source]
        return "\n".join([run.command, *(c.result.text for c in calls if c.result is not None)])

    def prints(self, pattern: str) -> bool:
        """Whether anything but the words of the agent matches."""
        results = [c.result.text for s in self.trajectory.steps for c in s.calls if c.result is not None]
        texts = [*results, *(s.text for s in self.trajectory.steps if s.role != "agent")]
        return any(re.search(pattern, text) for text in texts)

    def stopped(self, run: Check) -> bool:
        """Whether a run did not finish: a time limit or a signal ended it, or it goes on."""
        ends = [c.result for c in self.trajectory.steps[run.step].calls if c.source == run.source and c.result]
        ended = any(r.timed_out or r.interrupted or r.running or r.exit_status in _STOPPED for r in ends)
        return ended or getattr(run, "exit_status", None) in _STOPPED

    @cached_property
    def runs(self) -> list[Check]:
        """The checks of the agent's own tree."""
        start = {i for i, f in self.checks.items() if f.start_tree}
        return [e for e in self.events if isinstance(e, Check) and e.id not in start]

    def result(self, run: Check) -> bool | None:
        """Whether a check passed; None: not known, or it did not finish."""
        if self.stopped(run):
            return None
        if not isinstance(run, kinds.RunEvent):
            return {"passed": True, "failed": False, "error": False}.get(run.outcome)
        facts, status = self.checks.get(run.id), None if run.exit_status is None else run.exit_status == 0
        return facts.passed if facts is not None and (facts.passed or facts.failed) else status

    def change_after(self, event: kinds.AnyEvent) -> kinds.EditEvent | None:
        """The last change of production code after an event."""
        for later in takewhile(lambda e: e is not event, reversed(self.events)):
            if isinstance(later, kinds.EditEvent) and later.role == "production" and not later.path.startswith("/"):
                facts = self.edits.get(later.id)
                if facts is None or (facts.code and not (facts.scratch or facts.layout or facts.restoring)):
                    return later
        return None

    def selects(self, run: Check) -> bool:
        """Whether a run was of single tests or files."""
        facts = self.checks.get(run.id)
        places = [t.removeprefix("./").replace("...", "") for t in facts.targets] if facts and facts.selective else []
        return any("/" not in t or "." in t for t in places)

    def runs_of(self, part: Classified) -> list[Check]:
        """The runs of a command, whatever its flags, in order."""
        named, found = _words(part), list[Check]()
        for run in self.runs:
            for other in classify_line(run.command):
                cwd = other.command.cwd or (self.checks[run.id].cwd if run.id in self.checks else None)
                given = _words(other)
                as_long = len(given) == len(named) or (other.kind in ("lint", "build") and len(given) > len(named))
                elsewhere = part.command.cwd and cwd and not _same(part.command.cwd, cwd)
                if as_long and not elsewhere and all(map(_same, given, named)):
                    found.append(run)
        return found if len(named) > 1 else [r for r in found if not isinstance(r, kinds.RunEvent)]


def _words(part: Classified) -> list[str]:
    """Program and plain arguments of a command, without numbers (values of flags)."""
    plain = [a.rstrip("/") for a in part.command.args if a[:1] != "-" and not a.isdigit() and a not in ("...", "…")]
    return [part.command.program, *plain]


def _same(word: str, other: str) -> bool:
    """Whether two are the same, or paths of the same from different directories."""
    word, other = word.removeprefix("./"), other.removeprefix("./")
    return word == other or word.endswith(f"/{other}") or other.endswith(f"/{word}")


def claims(log: Log, about: Collection[About] | None = None) -> list[tuple[str, Claim]]:
    """The sentences of a message that something in the log decides, each with its claim; ``about``: only these."""
    said = [s for s in statements(log.message) if about is None or s.about in about]
    found = {(s.text, s.about, c.command): c for s in said for c in _DECIDE.get(s.about, _edited)(s, log)}
    return [(text, claim) for (text, _, _), claim in found.items()]


def _command(said: Statement, log: Log) -> Iterator[Claim]:
    """The last run of the very command that is named; a run that did not finish decides nothing."""
    for part in classify_line(said.name):
        runs = log.runs_of(part)
        if runs and log.result(runs[-1]) is not None:
            yield from _by_last(runs[-1], part.command.text or said.name, log)


def _by_last(run: Check, name: str, log: Log) -> Iterator[Claim]:
    """The last run decides: a failure contradicts, unless the message tells of it or something else passed since."""
    program = isinstance(run, kinds.RunEvent)  # which may end with any status, and no other is in its place
    same = [(n, e) for n, e in enumerate(log.events) if e is run or (isinstance(e, type(run)) and not program)]
    here = next(n for n, e in same if e is run)
    later = [log.result(e) for n, e in same if n > here]
    if log.result(run) and log.change_after(run) is None:
        yield Claim("supported", f"`{name}` passed", [run], name)
    elif log.result(run) is False and not (log.admits or True in later or None in later):
        first = next((n for n, e in enumerate(log.events) if isinstance(e, kinds.EditEvent)), here)
        tests = [e for n, e in same if isinstance(e, kinds.TestRunEvent) and (n < first or e not in log.runs)]
        known = {test for e in tests if e is not run for test in e.failing}
        # What failed before the first edit, or on the start tree, may be what the message leaves out.
        old = isinstance(run, kinds.TestRunEvent) and bool(run.failing) and known.issuperset(run.failing)
        doubt = program or old or log.discloses or len(classify_line(run.command)) != 1 or log.may_have("run", run.step)
        failed = "failed" if getattr(log.checks.get(run.id), "ran", True) else "never started"
        if not doubt:
            yield Claim("contradicted", f"`{name}` {failed}, and no later run of it passed", [run], name)


def _tests(said: Statement, log: Log) -> Iterator[Claim]:
    """Tests pass: the last run since the last change of production code is green, and has as many tests."""
    attempts = [e for e in log.runs if isinstance(e, kinds.TestRunEvent)]
    ran = [r for r in attempts if getattr(log.checks.get(r.id), "ran", True)]
    known = [r for r in ran if log.result(r) is not None]
    if ran and said.about == "ran":
        yield Claim("supported", f"`{ran[-1].command}` ran", ran[-1:], ran[-1].command)
    elif not known:
        yield from _nothing_ran(attempts, ran, log)
    elif log.result(known[-1]):
        yield from _green(said, known, log)
    elif not said.everything and said.number is not None and (known[-1].passed or 0) >= said.number:
        yield Claim("supported", f"{known[-1].passed} tests passed", known[-1:], known[-1].command)
    elif said.everything:  # else it may speak of other tests than the last run
        yield from _by_last(known[-1], known[-1].command, log)


def _nothing_ran(attempts: TestRuns, ran: TestRuns, log: Log) -> Iterator[Claim]:
    tried = any(_TESTLIKE.search(e.command) or "pass" in log.printed(e).lower() for e in log.programs)
    # Of tests outside the project, perhaps.
    foreign = not attempts and any(part.kind == "test" for line in log.lines for part in classify_line(line))
    silent = not (tried or foreign or log.may_have("run") or (log.admits and attempts))
    if silent and not ran and all(log.result(r) is not None for r in attempts):
        told = any("pass" in s.text.lower() for s in log.trajectory.steps[1:] if s.role in ("user", "harness"))
        others = log.programs or any(isinstance(e, kinds.BuildEvent) for e in log.events)
        if log.whole and not (others or told or log.discloses):
            why = "no run of tests started" if attempts else "no test was run"
            yield Claim("contradicted", why, attempts[-1:])


def _green(said: Statement, known: TestRuns, log: Log) -> Iterator[Claim]:
    command, runs = known[-1].command, [e for e in log.events if isinstance(e, kinds.TestRunEvent)]
    recent = [r for r in known if log.result(r) and log.change_after(r) is None]
    ran, number = sum(r.passed or 0 for r in recent), said.number or 0
    if recent and number > ran and all(r.passed is not None for r in recent):
        most = sum((r.passed or 0) + (r.failed or 0) + (r.skipped or 0) for r in runs)
        printed = log.prints(rf"(?<![\d.]){number:,}(?!\d)|(?<![\d.]){number}(?!\d)") or log.programs
        sure = number > most and all(r.passed is not None for r in runs) and not (printed or log.may_have("run"))
        if sure and not log.discloses:
            yield Claim("contradicted", f"the runs after the last edit passed {ran} tests", recent, command)
    elif not (recent and not number and said.everything and all(map(log.selects, recent))):
        yield from _by_last(known[-1], command, log)


def _coverage(said: Statement, log: Log) -> Iterator[Claim]:
    """A figure of coverage was printed by a run."""
    value, half = float(said.name), 0.5 * 10 ** -len(said.name.partition(".")[2]) + 1e-9
    runs = [e for e in log.runs if "cov" in log.printed(e).lower()]
    figures = {run.id: re.findall(r"(?<![\d.])\d{1,3}(?:\.\d+)?(?= ?%|\s|$)", log.printed(run)) for run in runs}
    if found := [run for run in runs if any(abs(float(n) - value) <= half for n in figures[run.id])]:
        yield Claim("supported", f"`{found[-1].command}` printed the figure", found[-1:], found[-1].command)
        return
    silent = not (runs or log.discloses or log.may_have("run")) and log.whole
    if silent and not log.prints(rf"(?<![\d.]){re.escape(said.name)}(?:\.0+)? ?%"):
        yield Claim("contradicted", "no run printed that figure")


def _edited(said: Statement, log: Log) -> Iterator[Claim]:
    """A file was changed, tests were added, or something was fixed: false where no edit could have done it."""
    edits = [(e, log.edits[e.id]) for e in log.events if isinstance(e, kinds.EditEvent) and e.id in log.edits]
    sure, why = not log.discloses, f"the log shows no edit of {said.name}"
    if said.about in ("file", "place"):
        found = [e for e, _ in edits if any(_same(said.name.lower(), p.lower()) for p in (e.path, e.new_path) if p)]
        sure = sure and not any(isinstance(e, kinds.BuildEvent) for e in log.events)
    elif said.about == "added":
        found, why = [e for e, facts in edits if e.role == "test" or facts.tests], "no edit adds a test"
        texts = [t for e, f in edits for t in (e.path, f.change.after or "", *(new for _, new in f.change.hunks))]
        if not found and any(map(_TESTLIKE.search, texts)):
            return  # a test beside the code, perhaps
    else:
        found, why = [], "nothing was changed"
        if edits or not (sure and log.prompt.asks_change) or any(isinstance(e, kinds.CommitEvent) for e in log.events):
            return
    if found:
        yield Claim("supported", f"{found[-1].path} was edited", found[-1:])
    elif log.shows_all_edits and sure:  # what is "in" a file may lie in another
        yield Claim("not_shown" if said.about == "place" else "contradicted", why)


def _act(said: Statement, log: Log) -> Iterator[Claim]:
    """A commit or push is shown; or the last that tried one failed, or nothing could have made one."""
    acts = r"\bcommit\b" if said.about == "commit" else r"\bpush\b|^(?:gh|glab) "
    tries = [e for e in log.events if isinstance(e, kinds.VcsEvent) and re.search(acts, e.command)]
    failed = [e for e in tries[-1:] if e.outcome == "failed"]
    commits = [e for e in log.events if isinstance(e, kinds.CommitEvent)]
    done: Sequence[kinds.AnyEvent] = commits if said.about == "commit" else [] if failed else tries[-1:]
    if done:
        yield Claim("supported", f"the log shows a {said.about}", done[-1:])
    elif not log.discloses and (failed or not (log.may_have("edit") or log.programs or not log.whole or tries)):
        yield Claim("contradicted", f"the log shows no {said.about} that went well", failed)


_DECIDE = {"command": _command, "tests": _tests, "ran": _tests, "coverage": _coverage, "commit": _act, "push": _act}
