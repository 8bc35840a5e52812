"""The whole report of an experiment, from what lies on disk: every table, the figure, and what they rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from ...experiment.analysis import Analysis, analyse
from ...experiment.compare import Comparison, compare
from ...panel.model import Kind
from ...stats.agreement import Agreement
from ..text.cells import Table
from .conditions import table_3, table_5, table_6, token_table
from .figure import Figure, figures
from .gather import Gathered, Inputs, gather, inputs
from .judges import table_7
from .measures import Part, parts
from .pooled import table_4
from .suite import table_2

SCHEMA = "rigor-report/1"
FORMATS = ("md", "csv", "tex", "html")


class BaselineError(ValueError):
    """No condition has the name that was given for the baseline. One line that lists the names there are."""


class Report(Struct):
    """What the files of a report are made from."""

    gathered: Gathered
    comparison: Comparison
    tables: list[Table]
    figures: list[Figure]
    inputs: Inputs

    def analysis(self) -> Analysis:
        """What the tables leave out; it takes longer than all of them."""
        return analyse(self.gathered.manifest, self.gathered.results)


def build(outs: Sequence[Path], *, baseline: str | None = None, formats: Sequence[str] = FORMATS) -> Report:
    """The report of one experiment, or of several that may be merged.

    Args:
        outs: ``--out`` directories of `rigor run`.
        baseline: what the conditions are compared with: a harness, or a model or agent where they differ in that.
            Default: the harness "baseline".
        formats: of the tables; noted in what the report rests on.

    Raises:
        StoreError: a directory holds no manifest, or a damaged one.
        NotComparable: the experiments may not be merged.
        BaselineError: no condition has this name.
    """
    gathered = gather(outs)
    comparison = compare(gathered.manifest, gathered.results)
    sides = parts(gathered, comparison, baseline)
    if baseline is not None and not any(_known(side, baseline) for side in sides):
        names = list(dict.fromkeys(name for side in sides for name in side.names()))
        raise BaselineError(
            f"--baseline {baseline}: no condition has this name; there are {', '.join(names) or 'none'}"
        )
    tables = [table_2(gathered.manifest, gathered.results)]
    for make in (table_3, table_4, table_5, table_6):
        tables += [make(side) for side in sides]
    tables.append(table_7(agreements(gathered.votes)))
    tables += [token_table(side) for side in sides]
    return Report(
        gathered,
        comparison,
        tables,
        figures(gathered.manifest, gathered.results, comparison),
        inputs(gathered, baseline, formats),
    )


def _known(side: Part, name: str) -> bool:
    return any(side.baseline_of(c.key) is not None for c in side.group.conditions) and name != ""


def agreements(votes: Sequence[Path]) -> Mapping[Kind, Agreement]:
    """How far the judges agree, by kind of case, over the votes that count in all the directories."""
    if not votes:
        return {}
    from ...panel.agreement.validate import inter_judge
    from ...panel.votes import VoteStore

    found = {vote.key: vote for directory in votes for vote in VoteStore(directory).all(counting=True)}
    return inter_judge(list(found.values()))
