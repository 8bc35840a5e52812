"""What a panel's votes say of a session: the findings of every topic that a panel can be asked about."""

from __future__ import annotations

from collections.abc import Iterator

from ...panel.model import Case
from ...panel.topic import SILENT, Finding, Topic
from ...panel.topics import TOPICS
from ..registry import Rule, Seen, check
from ..work import Work


def _rule(topic: Topic, finding: Finding) -> Rule:
    def rule(work: Work) -> Iterator[Seen]:
        session = work.session
        # Without votes there is no need to look for the cases.
        for case in topic.cases(session) if session.verdicts is not None else ():
            verdict = session.verdict(topic.kind, case.subject)
            if verdict is None:
                continue
            shown = [work.events[work.at[i]] for i in case.events if i in work.at]
            for item, about in _parts(topic, finding, case):
                if finding.holds(verdict, item):
                    yield Seen(f"{finding.message}: {about}" if about else finding.message, shown)

    return rule


def _parts(topic: Topic, finding: Finding, case: Case) -> list[tuple[str | None, str]]:
    """What a finding is about: each item of a case if its questions are, else the whole."""
    if any(q.each and q.id in finding.when for q in topic.rubric.questions):
        return [(item.id, item.text) for item in case.items]
    return [(None, case.about)]


for _topic in TOPICS.values():
    for _finding in _topic.findings:
        check(
            _finding.id,
            pillar=_finding.pillar,
            severity=_finding.severity,
            sentence=_finding.sentence,
            did=_finding.did,
            applies=_finding.applies,
            blind=SILENT,
            advice=_finding.advice,
        )(_rule(_topic, _finding))
