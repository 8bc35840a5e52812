"""Failures of the start tree: what fails without the agent's changes, and which of it the agent set out to repair."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ...base.code.grammars import is_source
from ..events import AnyEvent, TestRunEvent
from ..facts import PromptFacts
from ..testruns.ids import place_and_title, same_place, same_test, selected, short
from .records import CheckRecord

_TESTS_FAIL = re.compile(
    r"\b(?:tests?|specs?|suite|ci|build|checks?)\b[^.\n]{0,50}\b(?:fail\w*|broken|red)\b|"
    r"\b(?:failing|broken|red) (?:\w+ )?(?:tests?|specs?|suite|build|checks?)\b",
    re.IGNORECASE,
)


class StartTree:
    """What is known of the start tree.

    Attributes:
        failures: what fails on it, with the checks that show it, by check; test runs are one.
    """

    def __init__(self, checks: Mapping[int, CheckRecord], prompt: PromptFacts) -> None:
        self.checks, self.prompt = checks, prompt
        self.failures: dict[str, dict[str, list[AnyEvent]]] = {}

    def note(self, check: CheckRecord, ids: Iterable[str]) -> None:
        """A check of the start tree failed."""
        known = self.failures.setdefault(_check(check), {})
        for failure in ids:
            known.setdefault(failure, []).append(check.event)

    def known(self, check: CheckRecord, ids: Iterable[str]) -> dict[str, list[AnyEvent]]:
        """Those of these failures that the start tree has, with the checks that show it."""
        known = self.failures.get(_check(check), {})
        found: dict[str, list[AnyEvent]] = {}
        for failure in ids:
            shown = known.get(failure)
            if shown is None and check.facts.family == "test":
                shown = next((es for i, es in known.items() if same_test(i, failure) or _is_in(failure, i, es)), None)
            if shown is not None:
                found[failure] = shown
        return found

    def pursued(self, check: CheckRecord, ids: set[str], *, shown: bool = False) -> set[str]:
        """The failures of the start tree that the agent works on.

        These are all of them if the run selects nothing but failing tests, or if the request is about failing tests.
        Else they are those that the request names and those that are green later. If there are none, the request is
        about a failure, and no failure of the start tree ever turns green, they are all of them; but not once the agent
        has ``shown`` them on the untouched tree.
        """
        facts = check.facts
        only_failures = isinstance(check.event, TestRunEvent) and not check.event.passed and facts.targets
        if not ids or (not shown and ((facts.selective and only_failures) or _TESTS_FAIL.search(self.prompt.text))):
            return ids
        found = {i for i in ids if len(short(i)) > 4 and short(i) in self.prompt.text}
        found |= self._green(ids - found, check, after=check.position)
        known = set(self.failures.get(_check(check), ()))
        if not found and not shown and self.prompt.names_failure and not self._green(known, check, after=-1):
            return ids
        return found

    def _green(self, ids: set[str], check: CheckRecord, *, after: int) -> set[str]:
        """The ids that pass in some later run."""
        green: set[str] = set()
        for other in self.checks.values():
            facts = other.facts
            if other.position <= after or not facts.ran or _check(other) != _check(check):
                continue
            if facts.passed:
                green |= {i for i in ids if selected(i, facts.targets)} if facts.selective else ids
            elif facts.failing_known and not facts.names_some and not facts.selective:
                green |= {i for i in ids - facts.failing if not any(_is_in(i, f, [other.event]) for f in facts.failing)}
            if len(green) == len(ids):
                break
        return green


def _is_in(test: str, failure: str, shown: Iterable[AnyEvent]) -> bool:
    """Whether a failure is that of a test's package, in which tests failed that the output does not name."""
    package, title = place_and_title(failure)
    failed = any(isinstance(e, TestRunEvent) and e.outcome == "failed" for e in shown)
    return failed and not (title or is_source(package)) and same_place(package, place_and_title(test)[0])


def _check(check: CheckRecord) -> str:
    return "test" if check.facts.family == "test" else check.facts.key
