"""Small cases, votes and judges for the tests of the panel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from rigorbench.panel.judges.config import PanelConfig, checked
from rigorbench.panel.judges.llm import LlmJudge, judges, record
from rigorbench.panel.model import Answer, Case, Excerpt, Kind, Question, Rubric, Vote
from rigorbench.panel.votes import PANEL_SCHEMA, PanelRecord, SeatRecord, VoteStore
from rigorbench.reader.backends.seat import Price, Seat

RUBRIC = Rubric("plan", 1, "A plan", (Question("checked", "Is it checked?", "A check is named.", "None is."),))
RUBRICS: dict[Kind, Rubric] = {"plan": RUBRIC}
YES = '{"answers": [{"point": "checked", "why": "item 2", "yes": true}]}'


def case(number: int = 0) -> Case:
    return Case("plan", f"s{number}", (Excerpt("instruction", f"Repair part {number}."),))


def vote(number: int = 0, *, model: str = "x/one", yes: bool = True, **changes: Any) -> Vote:
    found = Vote(
        kind="plan",
        case=case(number).digest,
        rubric=RUBRIC.digest,
        seat=model.partition("/")[2],
        model=model,
        prompt="p",
        status="voted",
        answers=[Answer("checked", yes)],
        answered_by=model,
        time=1.0,
    )
    return msgspec.structs.replace(found, **changes)


def panel_record(*models: str, quorum: int = 1) -> PanelRecord:
    return PanelRecord(PANEL_SCHEMA, [SeatRecord(m.partition("/")[2], m, "") for m in models], quorum, 1)


def seat(url: str, name: str = "one", **changes: Any) -> Seat:
    found = Seat(name, f"local/{name}", base_url=url, price=Price(1.0, 10.0))
    return msgspec.structs.replace(found, **changes)


def llm_judges(
    directory: Path, *seats: Seat, environment: dict[str, str] | None = None, **changes: Any
) -> tuple[list[LlmJudge], VoteStore]:
    """The judges of a panel with pauses too short to notice, and its store with the panel written."""
    config = checked(msgspec.structs.replace(PanelConfig(list(seats), retries=2, timeout=20.0), **changes))
    store = VoteStore(directory)
    store.write_panel(record(config))
    return judges(config, store, environment=environment or {}, pause=0.001), store
