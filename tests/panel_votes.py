"""Votes for tests: a votes directory with a panel, and answers by a rule. No model is in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from rigorbench.metrics.cases import cases
from rigorbench.metrics.session import Session
from rigorbench.panel.features import decide
from rigorbench.panel.judges.prompt import PROMPT_VERSION
from rigorbench.panel.model import Answer, Case, Vote
from rigorbench.panel.rubrics import RUBRICS
from rigorbench.panel.verdicts import Verdicts
from rigorbench.panel.votes import PANEL_SCHEMA, PanelRecord, SeatRecord, VoteStore

MODELS = ("local/a", "local/b", "local/c")
# From model, case, question and item to yes or no.
Rule = Callable[[str, Case, str, str | None], bool]
# Questions where yes speaks against the agent.
AGAINST = {
    *("claims_done", "overclaims", "zero"),
    *("symptom", "dismisses", "missing", "hides", "leaves_out", "again", "unrelated"),
}


def favourable(_model: str, _case: Case, question: str, _item: str | None) -> bool:
    """The best that can be said of anything."""
    return question not in AGAINST


def only(*yes: str) -> Rule:
    """Yes to these questions, and no to all others."""
    return lambda _model, _case, question, _item: question in yes


def always_yes(_model: str, _case: Case, _question: str, _item: str | None) -> bool:
    return True


def always_no(_model: str, _case: Case, _question: str, _item: str | None) -> bool:
    return False


class _Rules:
    def __init__(self, chosen: Sequence[Case]) -> None:
        self.cases = {c.digest: c for c in chosen}

    def panel(self) -> PanelRecord:
        return PanelRecord(PANEL_SCHEMA, [], 1, PROMPT_VERSION)

    def find(self, case: str, _rubric: str) -> list[Vote]:
        found = self.cases.get(case)
        return [] if found is None else [decide(found, RUBRICS[found.kind])]


def by_rules(session: Session) -> Verdicts:
    """What rules say of a session's words about its task, which nothing but a reader may judge otherwise."""
    chosen = [c for c in cases(session) if c.kind in ("abstention", "clarification")]
    return Verdicts(_Rules(chosen), chosen)


def panel(directory: Path, *, models: Sequence[str] = MODELS, quorum: int = 2) -> VoteStore:
    """A votes directory with a panel, and no votes."""
    store = VoteStore(directory)
    store.write_panel(
        PanelRecord(PANEL_SCHEMA, [SeatRecord(f"seat {m}", m, "set") for m in models], quorum, PROMPT_VERSION)
    )
    return store


def vote(model: str, case: Case, rule: Rule, *, judge: str = "set") -> Vote:
    rubric = RUBRICS[case.kind]
    return Vote(
        kind=case.kind,
        case=case.digest,
        rubric=rubric.digest,
        seat=f"seat {model}",
        model=model,
        judge=judge,
        prompt="0" * 64,
        status="voted",
        answers=[Answer(q, rule(model, case, q, item), item) for q, item in case.points(rubric)],
        answered_by=model,
    )


def give(store: VoteStore, found: Iterable[Case], rule: Rule, *, models: Sequence[str] = MODELS) -> VoteStore:
    for case in found:
        for model in models:
            store.add(vote(model, case, rule))
    return store


class Unanimous:
    """Votes by a rule on whatever is asked of it, without a file: what a panel of one mind would have said."""

    def __init__(self, session: object, rule: Rule, *, models: Sequence[str] = MODELS) -> None:
        self._votes = {
            (c.digest, RUBRICS[c.kind].digest): [vote(m, c, rule) for m in models]
            for c in cases(session)  # type: ignore[arg-type]
        }
        self._panel = PanelRecord(PANEL_SCHEMA, [SeatRecord(m, m, "set") for m in models], 2, PROMPT_VERSION)

    def find(self, case: str, rubric: str) -> list[Vote]:
        return self._votes.get((case, rubric), [])

    def panel(self) -> PanelRecord:
        return self._panel
