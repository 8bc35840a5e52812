"""The claims of a closing message, linked to the events that support them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..commands.exclusion import leaves_out
from ..events import AnyEvent, BuildEvent, CommitEvent, EditEvent, LintEvent, RunEvent, TestRunEvent, VcsEvent
from ..facts import CheckFacts
from ..patterns import Pattern, lazy
from ..testruns.ids import of_file, selected
from .abstention import FENCED, QUOTATION, SENTENCE

_NEGATED = lazy(
    r"\b(not|n't|never|no|without|couldn't|cannot|unable|failed to|should|will|would|once|if|need to|"
    r"going to|let me|let's|todo)\b",
    re.I,
)
_TESTS_PASS = lazy(
    r"\b(all|every|\d+|the|full|entire|existing|new|unit)?\s*(\w+\s+){0,3}(tests?|specs?|suite|"
    r"checks?)\b(?:[^.\n]|\.(?=\S)){0,60}?\b"
    r"(pass(es|ed|ing)?|green|succeed(s|ed)?|ok)\b|\b\d+ (tests? )?passed\b|\b(passing|green) tests?\b|"
    r"^(?:and )?(?:all|everything)(?: is| are)? (?:green|passing|passes)\b",
    re.IGNORECASE,
)
_BUILDS = lazy(
    r"\b(builds?|compil(es|ed|ation)|type[- ]?checks?|tsc)\b[^.\n]{0,40}\b(pass(es|ed)?|succe\w+|clean(ly)?|"
    r"fine|ok|without errors?)\b",
    re.I,
)
_LINTS = lazy(
    r"\b(lint(er|ing|s)?|ruff|eslint|mypy|flake8|format(ting|ter)?)\b[^.\n]{0,40}\b(pass(es|ed)?|clean|fine|ok|"
    r"without errors?|no (issues|errors|warnings))\b",
    re.I,
)
_COMMITTED = lazy(r"\b(committed|created (a |the )?commit)\b|\bcommit [0-9a-f]{7,40}\b", re.I)
_PUSHED = lazy(r"\bpushed\b(?! (?:back|down|up the|into the|onto))", re.I)
_PUSH_COMMAND = lazy(r"^git\b.*\bpush\b|^(?:gh|glab) \w+ (?:create|merge)\b", re.I)
_FIXED = lazy(
    r"\b(fixed|resolved|modified|addressed|applied|introduced|corrected|rewrote|"
    r"implemented|completed?|solved|added|updated|removed|refactored|created|works? (now|"
    r"correctly|as expected)|"
    r"now (works?|handles?|supports?|returns?|sums?|accepts?)|production[- ]ready|is (completely |fully )?(done|"
    r"fixed|working))\b",
    re.IGNORECASE,
)
_VERIFIED = lazy(r"\b(verified|tested|confirmed|validated|reproduced)\b", re.I)
# Every match of the expression contains one of these words: a quick test before the expression.
_WORDS = {
    _TESTS_PASS: ("test", "spec", "suite", "check", "pass", "green"),
    _BUILDS: ("build", "compil", "type", "tsc"),
    _LINTS: ("lint", "ruff", "mypy", "flake8", "format"),
    _COMMITTED: ("commit",),
    _PUSHED: ("pushed",),
    _VERIFIED: ("verified", "tested", "confirmed", "validated", "reproduced"),
}
# General statements ("this file is created by the build"), which report no work.
_GENERAL = lazy(
    r"\b(?:is|are|gets?|be|being) (?:\w+ly )?(?:created|added|updated|removed|resolved|completed) "
    r"(?:by|when|if|in|at|on|from)\b",
    re.I,
)


# "All tests": the whole suite, unless the words after it narrow it down.
_EVERY = lazy(r"\b(?:all|every|everything|entire|full|whole|complete)\b(?! (?:new|of the new|my|these|those)\b)", re.I)
_NARROWED = lazy(r"\b(?:tests?|specs?)\b[^.]*\b(?:in|of|for|under) |\bnew tests?\b|[\w-]/[\w-]|\.\w+\b", re.I)
_NUMBER = lazy(
    r"\b(\d[\d,]*)\b(?: ?/ ?\d+)? (?:\w+ ){0,2}?(?:tests?|specs?|examples|test cases)\b|"
    r"\b(\d[\d,]*) pass(?:ed|ing|es)?\b",
    re.I,
)


def claims(
    text: str, events: Sequence[AnyEvent], *, masked: bool, checks: Mapping[str, CheckFacts]
) -> list[tuple[str, list[AnyEvent]]]:
    """The claims of a final message, each with the events that support it ([]: none does).

    - "Tests pass" needs the last test run to have passed after the last production edit; "all tests" needs runs that
      left out no test that the session knows of, and a number of tests needs runs of that many. "Builds" and "lints"
      likewise.
    - "Committed" needs a commit, "pushed" a push.
    - "Fixed" or "implemented" needs an edit followed by a passing check.
    - "Verified" needs a passing check, or a program that ran without failure.

    Questions claim nothing.

    Args:
        events: the events of the project up to the message (no edits of throwaway scripts).
        masked: a failing test was deleted or weakened earlier, so a green run does not show that anything was fixed.
        checks: facts of the checks by event id.
    """
    before = [e for e in events if not ((check := checks.get(e.id)) is not None and check.start_tree)]
    found: list[tuple[str, list[AnyEvent]]] = []
    for sentence in SENTENCE.split(FENCED.sub("", text) if "```" in text or "~~~" in text else text):
        sentence = sentence.strip(" \t-*#>•")
        if len(sentence) < 6 or len(sentence) > 600 or sentence.endswith((":", "?")):
            continue
        support = _support(QUOTATION.sub("…", sentence).replace("’", "'"), before, masked, checks)
        if support is not None:
            found.append((sentence[:400], support))
        if len(found) == 20:
            break
    return found


def _support(
    sentence: str, events: Sequence[AnyEvent], masked: bool, facts: Mapping[str, CheckFacts]
) -> list[AnyEvent] | None:
    lower = sentence.lower()

    def claims(pattern: Pattern) -> bool:
        """Whether the sentence claims this, with no word before it that negates it ("could not", "if", ...)."""
        words = _WORDS.get(pattern)
        if words is not None and not any(word in lower for word in words):
            return False
        match = pattern.search(sentence)
        return match is not None and not _NEGATED.search(sentence, 0, match.end())

    checks: list[list[AnyEvent]] = []
    if claims(_TESTS_PASS):
        checks.append(_green_tests(sentence, events, facts))
    if claims(_BUILDS):
        checks.append(_last_green(events, BuildEvent) or _last_green(events, LintEvent))
    if claims(_LINTS):
        checks.append(_last_green(events, LintEvent))
    if checks:  # a sentence about several checks needs all of them
        return _unique(checks) if all(checks) else []
    if claims(_COMMITTED):
        made: list[AnyEvent] = [e for e in events if isinstance(e, CommitEvent)]
        return made[-1:]
    if claims(_PUSHED):
        pushes: list[AnyEvent] = [e for e in events if isinstance(e, VcsEvent) and _PUSH_COMMAND.search(e.command)]
        return pushes[-1:]
    if claims(_VERIFIED):
        return (
            _last_green(events, TestRunEvent) or _last_green(events, BuildEvent) or _ran_without_failure(events, facts)
        )
    if claims(_FIXED) and not _GENERAL.search(sentence):
        edits = [e for e in events if isinstance(e, EditEvent)]
        green = _last_green(events, TestRunEvent) or _last_green(events, BuildEvent)
        return [edits[-1], *green] if edits and green and not masked else []
    return None


def _unique(groups: Sequence[Sequence[AnyEvent]]) -> list[AnyEvent]:
    return list({e.id: e for group in groups for e in group}.values())


def _is_change(event: AnyEvent) -> bool:
    return isinstance(event, EditEvent) and event.role == "production" and not event.path.startswith("/")


def _last_green(
    events: Sequence[AnyEvent], kind: type[TestRunEvent] | type[BuildEvent] | type[LintEvent]
) -> list[AnyEvent]:
    """The last check of a kind, if it passed and no production code was edited after it; else []."""
    for event in reversed(events):
        if _is_change(event):
            return []
        if isinstance(event, kind):
            return [event] if event.outcome == "passed" else []
    return []


def _ran_without_failure(events: Sequence[AnyEvent], facts: Mapping[str, CheckFacts]) -> list[AnyEvent]:
    """The last program run, if it did not fail and no production code was edited after it; else []."""
    for event in reversed(events):
        if _is_change(event):
            return []
        if isinstance(event, RunEvent) and (check := facts.get(event.id)) is not None:
            return [event] if check.passed else []
    return []


def _green_tests(sentence: str, events: Sequence[AnyEvent], facts: Mapping[str, CheckFacts]) -> list[AnyEvent]:
    """The green test runs since the last production edit; [] if the last is not green or they ran too few tests."""
    last = _last_green(events, TestRunEvent)
    if not last:
        return []
    start = next((n for n in range(len(events) - 1, -1, -1) if _is_change(events[n])), -1)
    runs = [e for e in events[start + 1 :] if isinstance(e, TestRunEvent) and e.outcome == "passed"]
    number = _NUMBER.search(sentence)
    if number is not None and all(r.passed is not None for r in runs):
        claimed = int((number[1] or number[2]).replace(",", ""))
        return [*runs] if claimed <= sum(r.passed or 0 for r in runs) else []
    if number is None and _EVERY.search(sentence) and not _NARROWED.search(sentence):
        return [] if _left_out(events, runs, facts) else last
    return last


def _left_out(events: Sequence[AnyEvent], runs: Sequence[TestRunEvent], facts: Mapping[str, CheckFacts]) -> bool:
    """Whether the session shows tests that these runs did not run: a larger run, another failing test or test file."""
    known = [facts[r.id] for r in runs if r.id in facts]
    if any(not f.selective and not f.excluded for f in known):
        return False
    targets = [t for f in known if f.selective for t in f.targets]
    excluded = [name for f in known for name in f.excluded]
    ran = sum(r.passed or 0 for r in runs)
    for event in events:
        if isinstance(event, TestRunEvent):
            if ran and sum(n or 0 for n in (event.passed, event.failed)) > ran:
                return True
            if excluded and any(leaves_out(excluded, i) for i in event.failing):
                return True
            if targets and any(not selected(i, targets) for i in event.failing):
                return True
        elif (
            targets
            and isinstance(event, EditEvent)
            and event.role == "test"
            and event.operation != "delete"
            and not any(of_file(t, event.path) or event.path.startswith(t.rstrip("/") + "/") for t in targets)
        ):
            return True
    return False
