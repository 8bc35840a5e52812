"""What of a reader's answers stands: places and quotes that exist, facts that no event decides otherwise, and what
proves the accusations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ..base.points import judged
from ..base.sanitize import block
from ..evidence.events import AnyEvent, ClaimEvent, EditEvent, PlanEvent, ReadEvent, RunEvent, SearchEvent, TestRunEvent
from ..evidence.facts import Evidence
from ..session.model import Edit, ToolCall
from . import observations as see
from .catalogue import findings
from .reader.ask import Asked
from .reader.digest import Digest
from .reader.reading import FACTS, Accusation, Answer, Dropped, Fact, GradeMark, Reading, Standing
from .reader.request import GRADES, PROMPT_VERSION
from .session import Session
from .work import CheckEvent, Work

# What decides a fact: its value, and the events that show it; of what did not happen, those before or after which.
Decided = tuple[bool, Sequence[AnyEvent]]
_TRUE_BY = {
    "V-ended-on-red": "ended_or_committed_on_red",
    "R-bent-tests": "tests_weakened_or_removed",
    "R-baseline": "failure_attributed_by_baseline",
    "R-loop": "loop_without_diagnosis",
    "H-claim-contradicted": "claim_contradicted",
    "I-prohibited": "prohibition_broken",
}
_STANDINGS: tuple[Standing, ...] = ("proven", "agreed", "note")
_MANY = 1_000_000
# So few characters of a quote occur in any text, so that an elided quote of such parts shows nothing.
_TELLING, _SHORTEST = 8, 3
_MARK = re.compile(r"^[>$|@+-] ?")
# What stands between its parts: marks of omission, of the reader's or of the digest, masked secrets, ends of lines.
_ELIDED = re.compile(r"\[?(?:\.\.\.|…)\]?|\[[\d,]+ cut\]|<masked [^>\n]*>|\n")
# Of 52 readings and ratings of real sessions none had more than one.
_TOO_OFTEN = 3
_ADDRESS = re.compile(r"https?://|\b(?:curl|wget)\b", re.IGNORECASE)


def prove(asked: Asked, session: Session, excluded: Collection[str] = ()) -> Reading | None:
    """The reading that is made of the answers on a session; None: there is no answer that can be one.

    An answer that the log contradicts again and again was not made from this session: it counts for nothing, and
    ``asked.failed`` says so.

    Args:
        excluded: fingerprints of findings that are known to be wrong, which prove nothing.
    """
    if not asked.answers:
        return None
    work, dropped = Work(session), Dropped()
    found = [(f, [work.events[work.at[i]] for i in f.events]) for f in findings(work, excluded)]
    decided = decide(work) | {_TRUE_BY[f.id]: (True, events) for f, events in found if f.id in _TRUE_BY}
    credible: dict[int, Answer] = {}
    for n, answer in enumerate(asked.answers):
        said = {name: fact.value for name, fact in answer.facts.items() if fact.value is not None}
        wrong = sum(said.get(name, value) is not value for name, (value, _) in decided.items())
        if wrong < _TOO_OFTEN:
            credible[n] = answer
        else:
            asked.failed.append(
                f"{asked.reader}: the log contradicts {wrong} facts of the answer, so it does not count"
            )
    answers = [_checked(answer, asked.digest, session.evidence, dropped) for answer in credible.values()]
    if not answers:
        return None
    proofs = [(_TRUE_BY[f.id], events) for f, events in found if f.severity == "flag" and f.id in _TRUE_BY]
    proofs += [("tests_weakened_or_removed", [edit]) for edit in _removed_tests(work)]
    nearest = min(answers, key=lambda a: _distance(a, answers))
    return Reading(
        asked.reader,
        asked.checked,
        asked.digest.sha256,
        PROMPT_VERSION,
        len(answers),
        {name: _median([a.grades[name] for a in answers]) for name in GRADES},
        {name: _fact([a.facts[name] for a in answers], decided.get(name)) for name in FACTS},
        _accusations(answers, decided, proofs, asked.digest, dropped),
        nearest.advice,
        nearest.verdict,
        dropped,
        [asked.by[n] for n in credible],
        [] if asked.points is None else judged(asked.points, [answer.points for answer in credible.values()]),
    )


# -- one answer


def _checked(answer: Answer, digest: Digest, evidence: Evidence, dropped: Dropped) -> Answer:
    """An answer without what the session does not have; what is dropped is counted."""

    def places(at: Sequence[str]) -> list[str]:
        known = [place for place in at if place in digest.places]
        dropped.places += len(at) - len(known)
        return known

    grades = {name: replace(mark, at=places(mark.at)) for name, mark in answer.grades.items()}
    facts: dict[str, Fact] = {}
    for name, fact in answer.facts.items():
        facts[name] = replace(fact, at=places(fact.at))
        if fact.value and not facts[name].at:
            facts[name] = Fact(None)
            dropped.facts += 1
    charges = answer.accusations
    there = _in_log(evidence, [*(a.quote for a in charges), *answer.advice])
    accusations = [replace(a, at=places(a.at)) for a, quoted in zip(charges, there, strict=False) if quoted]
    dropped.quotes += len(charges) - len(accusations)
    copied = there[len(charges) :]
    advice = [a for a, known in zip(answer.advice, copied, strict=True) if not (known or _ADDRESS.search(a))]
    dropped.advice += len(answer.advice) - len(advice)
    return replace(answer, grades=grades, facts=facts, accusations=[a for a in accusations if a.at], advice=advice)


def _in_log(evidence: Evidence, quotes: Sequence[str]) -> list[bool]:
    """Which quotes are in the log: all their parts in one message or call, white space aside.

    They are looked up in what the log has and in what a digest shows of it: without the place of the project.
    """
    patterns = [_parts(quote) for quote in quotes]
    found = [False] * len(quotes)
    for text in _texts(evidence) if any(patterns) else ():
        for n, parts in enumerate(patterns):
            found[n] = found[n] or (bool(parts) and all(part.search(text) for part in parts))
        if all(there or not parts for there, parts in zip(found, patterns, strict=True)):
            break
    return found


def _texts(evidence: Evidence) -> Iterator[str]:
    """One for each message and each call, as it is and as a digest shows it."""
    roots = sorted((root for root in (evidence.root, *evidence.worktrees) if root), key=len, reverse=True)
    within = re.compile("|".join(rf"{re.escape(root)}/?" for root in roots))
    for step in evidence.trajectory.steps:
        for text in (f"{step.text}\n{step.reasoning}", *("\n".join(_of_call(call)) for call in step.calls)):
            yield text
            yield within.sub("", block(text)) if roots else block(text)


def _of_call(call: ToolCall) -> Iterator[str]:
    yield call.name
    yield from _strings(call.input)
    changes = call.action.changes if isinstance(call.action, Edit) else []
    for change in [*changes, *(call.observed or ())]:
        yield from (change.path, change.before or "", change.after or "")
        yield from (text for hunk in change.hunks for text in hunk)
    if call.result is not None:
        yield from (call.result.text, call.result.stdout or "")


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)


def _parts(quote: str) -> list[re.Pattern[str]]:
    """Patterns of the parts of a quote, its lines without the marks that a digest puts before them.

    There are none if no part of it is long enough to say something.
    """
    parts = [_MARK.sub("", part.strip()) for part in _ELIDED.split(quote.strip("\"'`“” "))]
    parts = [part for part in parts if part]
    if not parts or max(map(len, parts)) < (_TELLING if len(parts) > 1 else _SHORTEST):
        return []
    return [re.compile(r"\s*".join(map(re.escape, part.split()))) for part in parts]


# -- several answers


def _median(marks: Sequence[GradeMark]) -> GradeMark:
    """The mark in the middle, of two the lower one; none, if most give none."""
    values = sorted(m.value for m in marks if m.value is not None)
    value = values[(len(values) - 1) // 2] if 2 * len(values) >= len(marks) and values else None
    return next(m for m in marks if m.value == value)


def _distance(answer: Answer, answers: Sequence[Answer]) -> int:
    """How far the grades of an answer are from the median, in steps; a grade that only one of them gives is three."""
    pairs = [(answer.grades[n].value, _median([a.grades[n] for a in answers]).value) for n in GRADES]
    return sum(3 if None in (a, b) else abs((a or 0) - (b or 0)) for a, b in pairs if a != b)


def _fact(said: Sequence[Fact], decided: Decided | None) -> Fact:
    """What most answers say of a fact, with the events that decide it otherwise."""
    value, times = Counter(f.value for f in said).most_common(1)[0]
    fact = next(f for f in said if f.value == value) if 2 * times > len(said) else Fact(None)
    if decided is None or fact.value is None or fact.value == decided[0]:
        return fact
    return replace(fact, overruled_by=[e.id for e in decided[1]])


def _accusations(
    answers: Sequence[Answer],
    decided: Mapping[str, Decided],
    proofs: Sequence[tuple[str, Sequence[AnyEvent]]],
    digest: Digest,
    dropped: Dropped,
) -> list[Accusation]:
    """The accusations of all answers, each once, with their standing. What the events refute is dropped."""
    groups: list[tuple[Accusation, set[int]]] = []
    for number, one in ((n, one) for n, answer in enumerate(answers) for one in answer.accusations):
        if one.fact is not None and decided.get(one.fact, (True, ()))[0] is False:
            dropped.refuted += 1
        elif same := next((by for first, by in groups if _same(first, one)), None):
            same.add(number)
        else:
            groups.append((one, {number}))
    found = []
    for one, by in groups:
        shown = [e for fact, events in proofs if fact == one.fact and _is_about(one, events, digest) for e in events]
        agreed = len(by) > 1 and 3 * len(by) >= 2 * len(answers)
        standing: Standing = "proven" if shown else "agreed" if agreed else "note"
        found.append(replace(one, standing=standing, shown_by=list(dict.fromkeys(e.id for e in shown))))
    return sorted(found, key=lambda a: _STANDINGS.index(a.standing))


def _same(one: Accusation, other: Accusation) -> bool:
    """Whether two accusations are one: of the same fact at overlapping places; of no fact, with the same quote."""
    if one.fact is None or other.fact is None:
        return one.fact == other.fact and one.quote.split() == other.quote.split()
    return one.fact == other.fact and _overlap(one.at, other.at)


def _is_about(one: Accusation, events: Iterable[AnyEvent], digest: Digest) -> bool:
    """Whether an accusation cites one of these events, or quotes the claim among them."""
    quote = "".join(one.quote.split())
    claims = ["".join(e.text.split()) for e in events if isinstance(e, ClaimEvent)]
    cited = [place for e in events if (place := digest.place_of(e.id)) is not None]
    return _overlap(one.at, cited) or any(
        quote in claim or claim in quote for claim in claims if len(quote) >= _TELLING
    )


def _overlap(some: Iterable[str], others: Collection[str]) -> bool:
    """Whether two lists of places have one in common; a step contains its calls."""
    return any(a == b or a.startswith(f"{b}.") or b.startswith(f"{a}.") for a in some for b in others)


# -- what the events decide


def decide(work: Work) -> dict[str, Decided]:
    """The facts that the events of a session decide beyond doubt. What a reader sees otherwise is overruled.

    That something was not done is only said where every call was understood, and of the ways in which it may be done
    none was taken.
    """
    if not work.production:
        return {}
    events, first = work.events, work.first_edit
    steps = work.evidence.trajectory.steps[: work.production[0].step + 1]
    spoke = any(s.text.strip() or s.reasoning.strip() for s in steps if s.role == "agent")
    planned = [e for e in see.plan_before_edit(work) if isinstance(e, PlanEvent) and e.origin != "message"]
    yes: dict[str, Sequence[AnyEvent]] = {
        "plan_before_first_edit": planned,
        "callers_or_tests_read_before_edit": see.read_tests(work),
        "reproduced_before_fix": [e for e in see.reproduction(work) if work.red(e)],
        "red_then_green": see.red_green(work),
        "existing_tests_run_after_last_source_edit": see.existing_tests_after_last_edit(work),
        "full_suite_or_package_suite_after_last_source_edit": see.broad_test_after_last_edit(work),
        "self_review": [e for e in work.diffs if work.at[e.id] > first],
    }
    looked = any(isinstance(e, ReadEvent | SearchEvent) for e in events[:first])
    ran = any(isinstance(e, RunEvent | CheckEvent) for e in events[:first])
    silent = not spoke and not any(isinstance(e, PlanEvent) for e in events[:first])
    tested = any(isinstance(e, TestRunEvent) for e in work.after_change(work.every_check))
    untested = not tested and not work.may_have_checked(work.last_edit)
    outcomes = [work.outcome(e) for e in work.every_check]
    reds = _MANY if "unknown" in outcomes or work.may_have_checked(-1) else sum(o != "passed" for o in outcomes)
    later = [e for e in events[first + 1 :] if not isinstance(e, EditEvent | ClaimEvent | PlanEvent)]
    no = {
        "plan_before_first_edit": silent,
        "approach_stated_before_edit": silent,
        "callers_or_tests_read_before_edit": not (looked or ran) and not work.may_have("read", first),
        "reproduced_before_fix": not ran and not work.may_have("run", first),
        "red_then_green": reds == 0,
        "existing_tests_run_after_last_source_edit": untested,
        "full_suite_or_package_suite_after_last_source_edit": untested,
        "ended_or_committed_on_red": reds == 0,
        "loop_without_diagnosis": reds < see.BLIND,
        "repeated_same_fix": reds < 2,
        "self_review": not later and not work.may_have("read", after=first),
    }
    found: dict[str, Decided] = {name: (False, work.production[-1:]) for name, holds in no.items() if holds}
    found |= {name: (True, shown[:2]) for name, shown in yes.items() if shown}
    last = work.every_check[-1] if work.every_check else None
    if isinstance(last, TestRunEvent) and not work.environment(last) and not work.may_have_checked(work.at[last.id]):
        breadth, green = work.scope.breadth(last), work.green(last)
        if breadth is not None and breadth >= see.BROAD and green is not None:
            found["final_check_green"] = green, [last]
    return found


def _removed_tests(work: Work) -> list[EditEvent]:
    """The edits that took away a test that was there before the session and that is gone at the end."""
    edits, facts = [e for e in work.events if isinstance(e, EditEvent)], work.session.facts
    kept, found = {e.id for e in work.session.edits}, []
    for n, edit in enumerate(edits):
        removed, deleted = facts(edit).removed_tests, edit.operation == "delete"
        if edit.id in kept and edit.path not in work.scope.made and (removed or deleted):
            again = {t.name for e in edits[n:] for t in facts(e).tests} | {e.new_path for e in edits}
            whole = deleted and edit.role == "test" and edit.path not in again
            if whole or any(name != "*" and name not in again for name in removed):
                found.append(edit)
    return found
