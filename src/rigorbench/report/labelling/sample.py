"""What is put to labellers: the cases of the judges, error episodes, the review, and a sample over all of them."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence

from ...evidence.events import AnyEvent, EpisodeEvent
from ...evidence.facts import Evidence
from ...metrics.cases import cases
from ...metrics.session import Session
from ...panel.labels.model import LabelKind, Sheet
from ...panel.model import Case, Excerpt
from .excerpts import CLOSING, REQUEST, Shown, cut
from .reviewed import review_sheets

# An episode with more edits and checks than this is shown by its beginning and its end.
_MOST_PARTS = 24


def case_sheet(case: Case, session: str, model: str | None) -> Sheet:
    """A case of the judges, put to people."""
    return Sheet(
        kind=case.kind,
        session=session,
        subject=case.subject,
        excerpts=case.excerpts,
        items=case.items,
        events=case.events,
        model=model,
    )


def sheets(session: Session, further: Sequence[Case] = ()) -> list[Sheet]:
    """Everything of a session that can be labelled. An episode that rigor did not see is not among it.

    ``further``: cases that are not in the log, such as the criteria of a project's code review.
    """
    evidence = session.evidence
    trajectory = evidence.trajectory
    # A log without an id of its own is told apart by what its first steps say.
    name = trajectory.id or _hash(*(step.text for step in trajectory.steps[:3]))[:16]
    found = [case_sheet(case, name, trajectory.model) for case in [*cases(session), *further]]
    episodes = [e for e in evidence.events if isinstance(e, EpisodeEvent) and e.counts]
    return [*found, *(_episode(evidence, e, name) for e in episodes), *review_sheets(session, name)]


def sample(found: Iterable[Sheet], number: int | None, seed: int) -> list[Sheet]:
    """``number`` sheets (None: all), each content once: kinds take turns, and within a kind sessions do.

    The same sheets, number and seed give the same sample, in whatever order the sheets come.
    """
    unique: dict[str, Sheet] = {}
    for sheet in found:
        unique.setdefault(sheet.digest, sheet)
    drawn = sorted(unique.values(), key=lambda s: _hash(seed, s.digest))
    kinds: dict[LabelKind, list[Sheet]] = defaultdict(list)
    for sheet in drawn:
        kinds[sheet.kind].append(sheet)
    turns = _in_turn([_in_turn(_groups(own)) for own in kinds.values()])
    return turns if number is None else turns[:number]


def shuffled(found: Iterable[Sheet], labeller: str, seed: int) -> list[Sheet]:
    """In the order of one labeller: random, yet the same again tomorrow and when cases are added."""
    return sorted(found, key=lambda s: _hash(seed, labeller, s.digest))


def _groups(own: Sequence[Sheet]) -> list[list[Sheet]]:
    sessions: dict[str, list[Sheet]] = defaultdict(list)
    for sheet in own:
        sessions[sheet.session].append(sheet)
    return list(sessions.values())


def _in_turn(groups: Sequence[Sequence[Sheet]]) -> list[Sheet]:
    longest = max((len(g) for g in groups), default=0)
    return [group[n] for n in range(longest) for group in groups if n < len(group)]


def _hash(*parts: object) -> str:
    return hashlib.sha256("\0".join(str(part) for part in parts).encode(errors="surrogatepass")).hexdigest()


def _episode(evidence: Evidence, episode: EpisodeEvent, session: str) -> Sheet:
    """The failing check, the edits and checks that followed, and the last words; outcomes are not told."""
    wanted = {*episode.checks, *(e for attempt in episode.attempt_edits for e in attempt)}
    events = [e for e in evidence.events if e.id in wanted]
    shown: list[AnyEvent | None] = [*events]
    if len(events) > _MOST_PARTS:
        shown = [*events[: _MOST_PARTS // 2], None, *events[-_MOST_PARTS // 2 :]]
    texts = Shown(evidence)
    excerpts = [Excerpt("what the user asked for", cut(evidence.prompt.text, REQUEST))]
    for event in shown:
        if event is None:
            left = f"{len(events) - _MOST_PARTS} edits and checks between"
            excerpts.append(Excerpt("left out", left, untrusted=False))
        elif (excerpt := texts.excerpt(event)) is not None:
            excerpts.append(excerpt)
    if evidence.closing:
        excerpts.append(Excerpt("the agent's last message", cut(evidence.closing, CLOSING)))
    return Sheet(
        kind="episode",
        session=session,
        subject=episode.id,
        excerpts=tuple(excerpts),
        events=(episode.id, *(e.id for e in events)),
        model=evidence.trajectory.model,
        found={"error": True, "resolved": episode.resolved, "attempts": min(5, episode.attempts)},
    )
