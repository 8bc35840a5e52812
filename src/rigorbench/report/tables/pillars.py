"""Table VI: RigorScore and pillars of each condition, with their evidence shares."""

from __future__ import annotations

from msgspec.structs import replace

from ...experiment.compare import Condition
from ...experiment.model import RunResult
from ...metrics.result import PILLAR_TITLES, WEIGHTS
from .groups import GroupData
from .measures import entry, rounded
from .model import Column, Entry, Table
from .spec import TableSpec, per_group

_CAPTION = (
    "The composite of a row is the weighted mean of the pillars in it (weights "
    + ", ".join(f"{name} {weight:.2f}" for name, (weight, _) in WEIGHTS.items())
    + "; renormalised where a pillar has no value). The RigorScore is another mean: of the runs, each by the pillars "
    "that apply to it. e: evidence share, how much of the weight that applies the evidence covers, over the runs to "
    "which the pillar applies. n: runs behind a figure where not all count. AQ is Youden's J over unsolvable tasks and "
    "their solvable twins. Bold: the best of its column."
)
_COLUMNS = [
    Column("composite", "composite of the row", best="most"),
    Column("rigor_score", "RigorScore (mean of runs)", evidence=True, best="most"),
    *(Column(name, f"{name} {title}", evidence=True, best="most") for name, title in PILLAR_TITLES.items()),
]
_NOBODY = (
    "No reader was asked, so there is no Table VII: decomposition and commit messages are estimated by rules, and what "
    "only words decide of abstention is unscorable."
)
# A difference of less is not seen at two decimals.
_VISIBLE = 0.005


def composite(pillars: dict[str, Entry]) -> Entry:
    """The weighted mean of the pillars of a row."""
    known = {name: float(e.value) for name, e in pillars.items() if isinstance(e.value, int | float)}
    if not known:
        return Entry(None, reason="no pillar has a value")
    weight = sum(WEIGHTS[name][0] for name in known)
    missing = [name for name in pillars if name not in known]
    reason = f"without {', '.join(missing)}, which {'has' if len(missing) == 1 else 'have'} no value" if missing else ""
    return Entry(rounded(sum(WEIGHTS[name][0] * v for name, v in known.items()) / weight), reason=reason)


def _table(group: GroupData) -> Table:
    def entries(condition: Condition, runs: list[RunResult]) -> list[Entry]:
        pillars = {
            name: entry(group, group.runs_for(condition.key, name), name, mean=condition.means[name])
            for name in PILLAR_TITLES
        }
        row, score = composite(pillars), entry(group, runs, "rigor_score")
        if row.value is not None and score.value is not None and abs(float(row.value) - float(score.value)) >= _VISIBLE:
            why = _why_not_the_composite(pillars, runs)
            score = replace(score, reason="; ".join(filter(None, [why, score.reason])))
        return [row, score, *pillars.values()]

    read = any(r.reading is not None and r.reading.points for r in group.gathered.reviews.values())
    notes = [] if read else [_NOBODY]
    return TABLE.table(_CAPTION, _COLUMNS, group.rows(entries), notes=notes, group=group)


def _why_not_the_composite(pillars: dict[str, Entry], runs: list[RunResult]) -> str:
    """Why the mean of the runs is not the composite of their mean pillars."""
    partly = [name for name, e in pillars.items() if name != "AQ" and e.value is not None and e.runs != len(runs)]
    parts = [f"{', '.join(partly)} apply to some of the runs only"] if partly else []
    if pillars["AQ"].value is not None:
        parts.append("AQ of a run is no Youden's J")
    return f"not the composite of the row: {' and '.join(parts)}" if parts else "not the composite of the row"


TABLE = TableSpec(
    stem="table-6",
    number="VI",
    title="Pillars",
    about="each pillar of each condition, with its evidence share; the composite that follows from the row, and why "
    "the RigorScore differs from it",
    build=per_group(_table),
)
