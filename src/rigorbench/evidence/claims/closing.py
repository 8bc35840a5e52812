"""What a message says that an event can decide, and whether the log bears it out.

Statements are about named commands, numbers of tests, named files, commits and pushes. A message is read by its
structure, and its words in English only. What a sentence denies, supposes, plans or tells of an earlier state is no
statement, and neither are questions, quotations, headings, code and rows of tables.

A claim is *contradicted* only where the deciding event leaves no doubt, or where every call of a complete log was
understood and none did what is claimed; and never where the message itself tells of trouble.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import Literal

from msgspec import Struct

from ...base.code.grammars import is_source
from ...base.patterns import Pattern, lazy
from ...session.model import Shell
from .. import events as kinds
from ..calls import closing_message, last_message, of_step, turn_ends
from ..commands.classify import Classified, classify_line
from ..facts import Effect, Evidence
from ..testruns.ids import same_place
from .abstention import FENCED, QUOTATION, SENTENCE

About = Literal["command", "tests", "ran", "file", "place", "added", "coverage", "commit", "push", "work"]


class Statement(Struct, frozen=True):
    """A sentence that says something about one thing: so many tests, or all (``everything``), passed; a file changed.

    ``name``: the command or file, or the figure of a coverage. "file": it was changed; "place": something was, in it.
    """

    text: str
    about: About
    name: str = ""
    number: int | None = None
    everything: bool = False


_ITEM = lazy(r"^\s*(?:[-*+•]|\d{1,2}[.)])\s+(?:\[[xX]\]\s*)?")
_HEADING = lazy(r"^\s*(?:#{1,6}\s|\*\*[^*]+(?<![.!])\*\*:?\s*$|__[^_]+(?<![.!])__:?\s*$|>)")
_CLAUSE = lazy(r"[;,:](?!\d)\s|\s[–—-]+\s|\s(?=\()")
_SPAN = lazy(r"`([^`\n]+)`")
_LINK = lazy(r"\[(`?)([^\]\n`]+)\1\]\([^)\s]*\)")
_COMMAND = lazy(r"(?:[A-Za-z_]\w*=\S+ )*[a-z./~][\w./@~-]*(?: \S.*)?")
_LINE = lazy(r"(?:[A-Z_]+=\S+ )*[a-z][\w.-]+(?: [\w./:=@*'\"-]+)+(?<![.])")  # like a command, without backticks
_REMARK = lazy(r"\s+(?:[✓✔✅#(]|[–—] ).*$|\s{2,}\S.*$")  # what follows a command in its line
# Not what takes an object or is a part of a name: "passes `x=3`", "all pass types", "clean code".
_PASSES = lazy(
    r"\b(?<!to )(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)|clean)\b"
    r"(?=\W*$|\s*[^\w\s\"'`/…]|\s+(?:and|now|again|in|on|for|with|after|before|as|against|too|at)\b)|"
    r"\bsuccessful(?:ly)?\b|\b(?:no|0|zero) (?:\w+ )?(?:issues|errors|warnings|problems|failures|findings)\b|[✓✔✅]"
)
_CHECKED = lazy(r"\b(?:verif\w+|validat\w+|checks?|checked|tests?|tested|ran)\b")
_TESTS = lazy(r"\b(?:tests?|specs?|suites?)\b|\b\d+ pass(?:ed|ing)\b")
_RAN = lazy(r"\b(?:i|we)(?:'ve| have)? (?:ran|run|executed) (?:the |all |our )*(?:\w+ )?(?:tests|(?:test )?suite)\b")
_EVERY = lazy(
    r"\b(?:all|every|full|whole|entire)(?: of)?(?: (?:the|our|\d[\d,]*|existing))* (?:tests?|specs|(?:test )?suite)\b|"
    r"\bthe (?:test )?suite\b|^(?:and |now )?(?:all|everything)(?: now)? (?:pass\w*|is green|green)|\b(\d+) ?/ ?\1\b"
)
_PART = lazy(r"\b(?:in|of|for|under|from|related|affected|new|added|focused|selected|these|my)\b|\w/\w|…")
_NUMBER = lazy(
    r"\b(\d[\d,]{0,9})(?: ?(?:/|of|out of) ?\1\b| pass(?:ed|ing|es)?\b| (?:\w+ ){0,2}?(?:tests?|specs)\b(?! fil))"
)
_SHARE = lazy(r"\b(\d{1,9}) ?(?:/|of|out of) ?(\d{1,9})\b(?! ?%)")
# What keeps a sentence from stating something that is so: denied, supposed, still to come, or told of before.
_UNSAID = lazy(
    r"\b(?:not|never|no|none|nothing|neither|cannot|without|if|once|when|whenever|until|unless|whether|should|would|"
    r"will|can|could|may|might|must|needs?|going to|want|let|please|todo|next|ensure|so that|before|baseline|"
    r"originally|initially|previously|earlier|already|expect\w*|make|plan)\b|n't\b|'ll\b"
)
_NO_TROUBLE = lazy(
    r"\b(?:no|0|zero|without|without any)(?: \w+)? (?:fail\w*|errors?|issues|warnings|problems|findings|regressions?)\b"
)
_LEFT = lazy(r"not\b|n't\b|unable|except|(?<![\w-])skip|\bonly\b|\bstill (?!pass|green)|remain|\bbut\b|[✗❌⚠✘]")
_TROUBLE = lazy(
    rf"{_LEFT.source}|fail|\berrors?\b|broke|time[sd]? ?out\b|\bh[au]ngs?\b|missing|unrelated|pre-?exist|flak|\bred\b"
)
# Trouble that is told as repaired: the sentence begins with what was done, and nothing follows that takes it back.
_REPAIRED = lazy(r"(?:i |we )?(?:have |'ve )?(?:fixed|added|resolved|removed|updated|changed|replaced|implemented)\b")
_DONE = r"(?:^|\band |\b(?:i|we)(?:'ve| have)? )(?:also |now |then )?"
_CHANGED = r"(?:added|updated|created|changed|modified|edited|fixed|implemented|refactored|rewrote|wrote|extended)"
_FILE = lazy(
    rf"{_DONE}{_CHANGED} (?:(?:the|a|an|new|file) )*(`?[\w./@-]*\w`?)(?=$|[.,)]| (?:with|to|so|and|by|accordingly)\b)|"
    rf"{_DONE}{_CHANGED} (?:[^\s;:,]+ ){{1,8}}?(?:in|to|into) (?:the )?(?:file )?(`?[\w./@-]*\w`?)(?![\w/(])"
)
_COVERAGE = lazy(
    r"\bcoverage(?: (?!of \d)[\w./`]+){0,4}?(?: (?:is|at|to|of|now|reached|stands)|:| =)+ (\d{1,3}(?:\.\d+)?) ?%|"
    r"\b(\d{1,3}(?:\.\d+)?) ?% (?:\w+ )?coverage\b"
)
_ARE = r"\b(?:is|are|has been|have been) "
_DEEDS: dict[About, Pattern] = {
    "added": lazy(
        rf"{_DONE}(?:added|wrote|created) (?:[\w-]+ ){{0,4}}?(?:tests?|specs?|test (?:cases?|coverage))"
        r"(?=$|[.!)]| (?:for|of|that|which|covering|verifying|checking|and|to `?[\w./-]+\.\w))"
    ),
    "commit": lazy(rf"{_DONE}(?:committed\b(?! to \w+ing)|created (?:a |the )?commit\b)|{_ARE}committed\b"),
    "push": lazy(
        rf"(?:^|\b(?:i|we)(?:'ve| have)? |\bcommitted (?:it |this )?and |{_ARE}(?:committed and )?)(?:force-)?pushed"
        r"(?=$|[.!,)]| (?:it|them|the (?:branch|commits?|changes?)|to (?:origin|the remote|github|main|`)))"
    ),
    "work": lazy(rf"{_DONE}(?:successfully )?(?:fixed|implemented|resolved|refactored|rewrote)\b(?! (?:in v?\d|by))"),
}


def _units(text: str) -> Iterator[tuple[str, str]]:
    """The sentences and list items of a message, each with the heading or line with a colon that it is listed under."""
    lead, listed = "", False
    for line in FENCED.sub("", text.replace("’", "'")).splitlines():
        item = _ITEM.match(line)
        if _HEADING.match(line):
            lead, listed = line.strip(" #*_>"), False
        elif line.strip() and not line.lstrip().startswith(("|", "- [ ]", "* [ ]")):
            if item is None and listed and not line.startswith(" "):
                lead, listed = "", False  # a paragraph after the list
            listed = listed or item is not None
            for sentence in SENTENCE.split(line[item.end() :] if item else line.strip()):
                bare = sentence.strip(" *_")
                if bare.endswith(":"):
                    lead, listed = bare, False
                elif bare:
                    yield bare, lead


def _troubled(text: str) -> bool:
    """Whether a text speaks of trouble that is left, in words or as a share ("11 of 16 pass")."""
    text = _NO_TROUBLE.sub("", text.lower())
    short = any(int(m[1]) < int(m[2]) for m in _SHARE.finditer(text))
    return short or bool((_LEFT if _REPAIRED.match(text) else _TROUBLE).search(text))


@lru_cache(16)
def trouble(message: str) -> str:
    """The sentences and headings of a message that tell of trouble."""
    return "\n".join([text for unit in _units(message) for text in unit if _troubled(text)])


def statements(message: str) -> Iterator[Statement]:
    """The statements of a message."""
    for text, lead in _units(message):
        if 5 <= len(text) <= 600 and not text.endswith("?") and not (_troubled(lead) or _UNSAID.search(lead.lower())):
            plain = _LINK.sub(r"`\2`", QUOTATION.sub("…", text)).replace("*", "")
            bare = _SPAN.sub("…", plain).lower()
            if not _troubled(bare):
                yield from _of_checks(text, bare, lead)
            yield from _of_deeds(text, plain)


def _of_checks(text: str, bare: str, lead: str) -> Iterator[Statement]:
    """The commands and tests that a sentence says passed; ``bare``: in lower case, without quotations and code."""
    passes = _asserts(_PASSES, bare)
    for part in text.split(";"):  # what is said of one command is not said of another
        spans = [_REMARK.sub("", span.strip()) for span in _SPAN.findall(part)]
        words = _SPAN.sub("…", part).lower()
        before = words.partition("…")[0]
        listed = _asserts(_CHECKED, before if before.strip(" ,(") and before != words else lead.lower())
        if not spans and listed and _LINE.fullmatch(line := _REMARK.sub("", part.strip())):
            spans = [line]
        for name in spans if listed or _asserts(_PASSES, words) else ():
            if _COMMAND.fullmatch(name) and (" " in name or not _is_file(name)):
                yield Statement(text, "command", name)
    if not passes and _asserts(_RAN, bare):
        yield Statement(text, "ran")
    elif passes and (_TESTS.search(bare) or _EVERY.search(bare)):
        found = _NUMBER.search(bare)
        number = int(found[1].replace(",", "")) if found is not None else None
        clause = next((c for c in _CLAUSE.split(bare) if _EVERY.search(c)), "")
        everything = bool(clause) and not _PART.search(_SHARE.sub("", _EVERY.sub("", clause)))
        yield Statement(text, "tests", number=number, everything=everything)


def _of_deeds(text: str, plain: str) -> Iterator[Statement]:
    """What a sentence says was changed, added, measured, committed or pushed."""
    said = ""
    for clause in _CLAUSE.split(plain):
        if _UNSAID.search(_NO_TROUBLE.sub("", said)):
            return  # "nothing was committed, pushed or deployed"
        lower = clause.lower().strip()
        said = f"{said} {lower}"
        for match in _FILE.finditer(lower):
            quoted = clause.strip()[slice(*match.span(match.lastindex or 0))]
            name = quoted.strip("`")
            if _is_file(name) and not _UNSAID.search(lower[: match.end()]):
                # A bug may be fixed "in" a file whose own text is right, and "Node.js" is none.
                direct = match[1] is not None and "fixed" not in match[0] and ("`" in quoted or "/" in quoted)
                yield Statement(text, "file" if direct else "place", name)
        figure = _COVERAGE.search(lower)
        if figure is not None and not _UNSAID.search(lower[: figure.end()]):
            yield Statement(text, "coverage", figure[1] or figure[2])
        yield from (Statement(text, about) for about, pattern in _DEEDS.items() if _asserts(pattern, lower))


def _asserts(pattern: Pattern, text: str) -> bool:
    """Whether a text in lower case matches, with no word before the end of the match that unsays it."""
    match = pattern.search(text)
    return match is not None and not _UNSAID.search(_NO_TROUBLE.sub("", text[: match.end()]))


def _is_file(name: str) -> bool:
    """Whether a name is that of a file, by its extension ("config.load" is none)."""
    extension = name.rpartition(".")[2]
    return (
        is_source(name)
        or extension in ("md", "rst", "txt", "json", "toml", "yaml", "yml")
        or ("/" in name and extension != name)
    )


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
    step: int
    events: Sequence[kinds.AnyEvent]
    evidence: Evidence

    def may_have(self, effect: Effect, after: int = -1) -> bool:
        """Whether something may have been done that no event shows, after a step."""
        seen = [u for u in self.evidence.unplaced if u.step is None or after <= u.step <= self.step]
        return any(effect in u.may for u in seen)

    @cached_property
    def whole(self) -> bool:
        """Whether the log has the session from its request on, so that what it lacks was not done."""
        t = self.evidence.trajectory
        known = bool(self.evidence.prompt.text) and t.complete is not False and t.continues is None
        return known and not any(isinstance(e, kinds.CompactionEvent) for e in self.events)

    @cached_property
    def programs(self) -> list[kinds.RunEvent]:
        """Runs of programs that may have done anything."""
        runs = [e for e in self.events if isinstance(e, kinds.RunEvent) and e.id not in self.evidence.effectless]
        return [e for e in runs if not isinstance(e, kinds.ReproductionEvent)]

    @cached_property
    def shows_all_edits(self) -> bool:
        """Whether files changed by nothing but the edits that the log shows."""
        blind = any(f.blind for f in self.evidence.edits.values()) or any(
            isinstance(e, kinds.VcsEvent) and not _KEEPS_FILES.match(e.command) for e in self.events
        )
        hidden = blind or self.may_have("edit") or (self.programs and self.evidence.trajectory.recording is None)
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
        return [
            c.action.command for s in self.evidence.trajectory.steps for c in s.calls if isinstance(c.action, Shell)
        ]

    def printed(self, run: Check) -> str:
        calls = [c for c in self.evidence.trajectory.steps[run.step].calls if c.source == run.source]
        return "\n".join([run.command, *(c.result.text for c in calls if c.result is not None)])

    def prints(self, pattern: str) -> bool:
        """Whether anything but the words of the agent matches."""
        results = [c.result.text for s in self.evidence.trajectory.steps for c in s.calls if c.result is not None]
        texts = [*results, *(s.text for s in self.evidence.trajectory.steps if s.role != "agent")]
        return any(re.search(pattern, text) for text in texts)

    def stopped(self, run: Check) -> bool:
        """Whether a run did not finish: a time limit or a signal ended it, or it goes on."""
        ends = [c.result for c in self.evidence.trajectory.steps[run.step].calls if c.source == run.source and c.result]
        ended = any(r.timed_out or r.interrupted or r.running or r.exit_status in _STOPPED for r in ends)
        return ended or getattr(run, "exit_status", None) in _STOPPED

    @cached_property
    def runs(self) -> list[Check]:
        """The checks of the agent's own tree."""
        start = {i for i, f in self.evidence.checks.items() if f.start_tree}
        return [e for e in self.events if isinstance(e, Check) and e.id not in start]

    def result(self, run: Check) -> bool | None:
        """Whether a check passed; None: not known, or it did not finish."""
        if self.stopped(run):
            return None
        if not isinstance(run, kinds.RunEvent):
            return {"passed": True, "failed": False, "error": False}.get(run.outcome)
        facts, status = self.evidence.checks.get(run.id), None if run.exit_status is None else run.exit_status == 0
        return facts.passed if facts is not None and (facts.passed or facts.failed) else status

    def change_after(self, event: kinds.AnyEvent) -> kinds.EditEvent | None:
        """The last change of production code after an event."""
        for later in takewhile(lambda e: e is not event, reversed(self.events)):
            if isinstance(later, kinds.EditEvent) and later.role == "production" and not later.path.startswith("/"):
                facts = self.evidence.edits.get(later.id)
                if facts is None or (facts.code and not (facts.scratch or facts.layout or facts.restoring)):
                    return later
        return None

    def selects(self, run: Check) -> bool:
        """Whether a run was of single tests or files."""
        facts = self.evidence.checks.get(run.id)
        places = [t.removeprefix("./").replace("...", "") for t in facts.targets] if facts and facts.selective else []
        return any("/" not in t or "." in t for t in places)

    def runs_of(self, part: Classified) -> list[Check]:
        """The runs of a command, whatever its flags, in order."""
        named, found = _words(part), list[Check]()
        for run in self.runs:
            for other in classify_line(run.command):
                cwd = other.command.cwd or (
                    self.evidence.checks[run.id].cwd if run.id in self.evidence.checks else None
                )
                given = _words(other)
                as_long = len(given) == len(named) or (other.kind in ("lint", "build") and len(given) > len(named))
                elsewhere = part.command.cwd and cwd and not same_place(part.command.cwd, cwd)
                if as_long and not elsewhere and all(map(same_place, given, named)):
                    found.append(run)
        return found if len(named) > 1 else [r for r in found if not isinstance(r, kinds.RunEvent)]


def _words(part: Classified) -> list[str]:
    """Program and plain arguments of a command, without numbers (values of flags)."""
    plain = [a.rstrip("/") for a in part.command.args if a[:1] != "-" and not a.isdigit() and a not in ("...", "…")]
    return [part.command.program, *plain]


def find_claims(evidence: Evidence) -> list[kinds.ClaimEvent]:
    """The claims of commits, of messages that end a turn, and of the closing message, as events without ids.

    A commit message is about its changes: only what it says of checks counts. Of all but the closing message, only what
    an event decides.
    """
    steps, events = evidence.trajectory.steps, evidence.events
    found: list[kinds.ClaimEvent] = []
    for place, event in enumerate(events):
        if isinstance(event, kinds.CommitEvent):
            log = Log(event.message, event.step, events[:place], evidence)
            found += _claims(log, event.position, about=("command", "tests"), decided=True)
    for index in sorted(turn_ends(evidence.trajectory) - {last_message(evidence.trajectory)}):
        before = [e for e in events if e.step <= index]
        found += _claims(Log(steps[index].text, index, before, evidence), of_step(index, steps[index]), decided=True)
    closing = closing_message(evidence.trajectory)
    if closing is not None and closing.ends:
        before = [e for e in events if e.step <= closing.index]
        at = of_step(closing.index, steps[closing.index])
        found += _claims(Log(closing.text, closing.index, before, evidence), at)
    return found


def _claims(
    log: Log, at: kinds.Position, *, about: Collection[About] | None = None, decided: bool = False
) -> Iterator[kinds.ClaimEvent]:
    """The sentences of a message that something in the log decides. ``about``: only these; ``decided``: by an event."""
    said = [s for s in statements(log.message) if about is None or s.about in about]
    found = {(s.text, s.about, c.command): c for s in said for c in _DECIDE.get(s.about, _edited)(s, log)}
    for (text, _, _), claim in found.items():
        if claim.events or not decided:
            ids = [e.id for e in claim.events]
            yield kinds.ClaimEvent(
                **kinds.head(at),
                text=text[:400],
                verdict=claim.verdict,
                why=claim.why,
                decided_by=ids,
                check=claim.command,
            )


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
        failed = "failed" if getattr(log.evidence.checks.get(run.id), "ran", True) else "never started"
        if not doubt:
            yield Claim("contradicted", f"`{name}` {failed}, and no later run of it passed", [run], name)


def _tests(said: Statement, log: Log) -> Iterator[Claim]:
    """Tests pass: the last run since the last change of production code is green, and has as many tests."""
    attempts = [e for e in log.runs if isinstance(e, kinds.TestRunEvent)]
    ran = [r for r in attempts if getattr(log.evidence.checks.get(r.id), "ran", True)]
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
        told = any("pass" in s.text.lower() for s in log.evidence.trajectory.steps[1:] if s.role in ("user", "harness"))
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
    edits = [
        (e, log.evidence.edits[e.id])
        for e in log.events
        if isinstance(e, kinds.EditEvent) and e.id in log.evidence.edits
    ]
    sure, why = not log.discloses, f"the log shows no edit of {said.name}"
    if said.about in ("file", "place"):
        name = said.name.lower()
        found = [e for e, _ in edits if any(same_place(name, p.lower()) for p in (e.path, e.new_path) if p)]
        sure = sure and not any(isinstance(e, kinds.BuildEvent) for e in log.events)
    elif said.about == "added":
        found, why = [e for e, facts in edits if e.role == "test" or facts.tests], "no edit adds a test"
        texts = [t for e, f in edits for t in (e.path, f.change.after or "", *(new for _, new in f.change.hunks))]
        if not found and any(map(_TESTLIKE.search, texts)):
            return  # a test beside the code, perhaps
    else:
        found, why = [], "nothing was changed"
        if (
            edits
            or not (sure and log.evidence.prompt.asks_change)
            or any(isinstance(e, kinds.CommitEvent) for e in log.events)
        ):
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
