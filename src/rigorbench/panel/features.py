"""A deterministic judge: answers the questions of the panel by features of the texts, without a model (`estimated`).

Its answers are used where no panel voted. Since words can be chosen to please it,
scores never depend on its answers alone, but also on what was carried out.
"""

from __future__ import annotations

import re

from ..evidence.claims import abstention
from ..evidence.commits import content as commits
from ..evidence.facts import ItemFacts
from ..evidence.plans.revisions import describe
from ..trajectory.model import PlanItem
from .model import Answer, Case, Rubric, Vote
from .topics import TOPICS

# Numbers of items that a reader can remember.
_SIZES = range(2, 13)
# A plan that shares no word with the instruction is for another task, if the instruction has this many content words.
_FEWEST_WORDS = 8
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]{2,}")
_COMMENT = re.compile(r"\s*(?:#|//|/\*|\*|\"\"\"|--)")
# Characters of a line, and of its indentation.
_LONG_LINE, _DEEP = 120, 24
_ASSERTS = re.compile(r"\b(?:assert\w*|expect|should|require|raises)\b")
_COMMON = frozenset(
    "the and for with that this from are not was can has have will its all any one but you your into when then than "
    "which what there been being must may cannot does did done made make task given work works answers says only also "
    "test tests code file files add fix use run".split()
)


# The seat of its votes.
SEAT = "features"


def decide(case: Case, rubric: Rubric) -> Vote:
    """The answers to every point of a case."""
    topic = TOPICS.get(case.kind)
    features = _ANSWERS[case.kind] if topic is None else topic.estimate
    found = {} if features is None else features(case)
    answers = [Answer(q, bool(found.get((q, item), False)), item) for q, item in case.points(rubric)]
    return Vote(
        kind=case.kind,
        case=case.digest,
        rubric=rubric.digest,
        seat=SEAT,
        model=SEAT,
        prompt="",
        status="voted",
        answers=answers,
    )


# (question, item) -> yes
_Answers = dict[tuple[str, str | None], bool]


def _plan(case: Case) -> _Answers:
    prompt = case.text("instruction")
    facts = [describe([PlanItem(item.text)], "")[0] for item in case.items]
    serves = _serves(facts, prompt)
    answers: _Answers = {}
    for item, f in zip(case.items, facts, strict=True):
        answers |= {
            ("single", item.id): f.single_concern,
            ("target", item.id): f.names_target,
            ("size", item.id): f.right_size,
            ("serves", item.id): serves,
        }
    named = {item.id: f for item, f in zip(case.items, facts, strict=True)}
    order = _longest_version(case)
    checks = [n for n, i in enumerate(order) if named[i].names_check]
    return answers | {
        ("checked", None): any(f.names_check for f in facts),
        # A check comes in the second half, not only before the work.
        ("ordered", None): bool(checks) and checks[-1] >= len(order) // 2,
        ("length", None): len(order) in _SIZES,
    }


def _longest_version(case: Case) -> list[str]:
    known = {item.id for item in case.items}
    lines = case.text("versions of the plan").splitlines()
    versions = [[i for i in line.partition(":")[2].split() if i in known] for line in lines]
    return max(versions, key=len, default=[item.id for item in case.items])


def _serves(facts: list[ItemFacts], prompt: str) -> bool:
    asked = _words(prompt)
    if len(asked) < _FEWEST_WORDS:
        return True
    return not asked.isdisjoint(w for f in facts for w in _words(f.text))


def _abstention(case: Case) -> _Answers:
    closing, key = case.text("final message of the agent"), case.text("key: why the task cannot be done")
    declines = abstention.abstention(closing) is not None
    named = len(_words(closing) & _words(key)) >= 2
    return {
        ("declines", None): declines,
        ("obstacle", None): declines and named,
        # A quotation, a path or a piece of code.
        ("grounded", None): declines and bool(re.search(r"`[^`]+`|\w+/\w+|\w\.\w{1,4}\b|\"[^\"]{3,}\"", closing)),
        ("claims_done", None): bool(closing) and not declines,
    }


def _clarification(case: Case) -> _Answers:
    key = _words(case.text("key: what the instruction leaves open")) - {"open", "point", "question", "reading"}
    closing = case.text("final message of the agent")
    answers: _Answers = {("asks", item.id): len(_words(item.text) & key) >= 2 for item in case.items}
    return answers | {("assumes", None): abstention.assumption(closing) and len(_words(closing) & key) >= 2}


def _commit(case: Case) -> _Answers:
    message = case.text("message of the commit")
    diff = case.text("diff")
    facts = commits.describe(message, [], [])
    shared = _words(message) & _words(diff)
    return {
        ("imperative", None): facts.imperative,
        ("describes", None): not facts.message_problems and bool(shared),
        ("overclaims", None): not shared,
    }


def _link(case: Case) -> _Answers:
    requirement = _words(case.text("requirement"))
    code = case.text("code of the test")
    words = _words(code.replace("_", " "))
    linked = bool(requirement) and 2 * len(requirement & words) >= len(requirement)
    return {("fails", None): linked, ("asserts", None): linked and bool(_ASSERTS.search(code))}


def _criterion(case: Case) -> _Answers:
    """By comments, short lines and little indentation, which suit any code; the criterion itself is ignored."""
    lines = [line for line in case.text("file of the submission").splitlines()[1:] if line.strip()]
    if not lines:
        return {("zero", None): True}
    comments = sum(bool(_COMMENT.match(line)) for line in lines) / len(lines)
    long = sum(len(line) > _LONG_LINE for line in lines) / len(lines)
    deep = sum(len(line) - len(line.lstrip()) > _DEEP for line in lines) / len(lines)
    plain = long < 0.05 and deep < 0.1
    return {
        ("three", None): True,
        ("five", None): plain,
        ("seven", None): plain and comments >= 0.03,
        ("ten", None): plain and 0.05 <= comments <= 0.4 and long == 0,
    }


_ANSWERS = {
    "plan": _plan,
    "abstention": _abstention,
    "clarification": _clarification,
    "commit_message": _commit,
    "test_link": _link,
    "criterion": _criterion,
}


def _words(text: str) -> set[str]:
    """Content words, without what inflection adds to them."""
    found = {re.sub(r"(?:ing|ed|es|s)$", "", w) if len(w) > 5 else w for w in (m.lower() for m in _WORD.findall(text))}
    return found - _COMMON
