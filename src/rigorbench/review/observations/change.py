"""Observations of the change: what was done, and how much."""

from __future__ import annotations

from collections.abc import Sequence

from ...evidence.events import AnyEvent
from ...metrics.session import file_names
from ..size import MEDIUM
from ..work import Work
from .registry import observation, shown_or_open


def _no_change(work: Work) -> str:
    edits = work.session.edits
    return (
        f"the log shows only changes of documents, or of layout ({file_names(edits)})"
        if edits
        else work.session.no_change
    )


@observation("nothing but documents was changed", why=_no_change)
def changed(work: Work) -> Sequence[AnyEvent] | None:
    """Something besides documents was changed, and remains."""
    return shown_or_open(work.edits, work.may_have("edit"))


@observation("nothing was changed", why=_no_change)
def changed_anything(work: Work) -> Sequence[AnyEvent] | None:
    """Something was changed, if only documents, and remains."""
    return shown_or_open(work.production, work.may_have("edit"))


@observation("no production code was changed")
def changed_production(work: Work) -> Sequence[AnyEvent] | None:
    return shown_or_open([e for e in work.edits if e.role == "production"], work.may_have("edit"))


# A closing message of at least this many words explains something: that is an answer, or a reason.
_EXPLAINS = 40


@observation("something was done, asked or explained")
def nothing_done(work: Work) -> bool:
    """A change was asked for, and the agent ended its work without a change, a question or a reason.

    It is only said where the log decides it. Whoever ran a program may have changed what no edit shows. What is said at
    length is an answer, unless it makes claims that the log does not support.
    """
    session = work.session
    if not session.idle or any(map(work.acts, work.events)):
        return False
    unfounded = any(claim.verdict in ("contradicted", "not_shown") for claim in work.claims)
    words = len(work.evidence.closing.split())
    return work.evidence.trajectory.end in ("completed", None) and words > 0 and (words < _EXPLAINS or unfounded)


@observation("something that a solution of the task changes was changed")
def requirements_untouched(work: Work) -> bool:
    """No hidden test that fails on the starter passes at the end, and nothing that any solution changes was changed."""
    session = work.session
    if session.touched is None or session.touched[0]:
        return False
    return not session.code_edits or (session.replay is not None and session.replay.foreign)


@observation("the work is trivial")
def more_than_trivial(work: Work) -> bool | None:
    return None if work.size is None else work.size not in ("none", "trivial")


@observation("several files were changed")
def few_files(work: Work) -> bool:
    """Fewer files than in medium work. Unlike lines, any log that names the edited files shows them."""
    return len({e.new_path or e.path for e in work.production}) < MEDIUM[0]
