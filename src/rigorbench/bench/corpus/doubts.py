"""What a corpus should be looked at for: values that are the same in all sessions of a format, as what a reader of logs
cannot see often is, and sessions that are there more than once (a stream beside the kept log, a conversion, a copy)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from ...review.result import WEIGHTS
from ...review.review import GRADES
from .schema import EXTENDED, column

# In fewer sessions, equal values show nothing.
_FEWEST = 10


class Constant(Struct, frozen=True):
    """A column of the scores whose value is the same in all ``n`` sessions of a format that have one."""

    column: str
    format: str
    value: float
    n: int


def constants(parts: Iterable[Path]) -> list[Constant]:
    """The constants of tables of scores, by format and column."""
    import pyarrow.parquet as pq

    names = ["overall", *GRADES, "rigor_score"]
    for pillar, (_, weights) in WEIGHTS.items():
        names += [column(pillar), *(column(pillar, sub) for sub in weights)]
    names += [column("ext", sub) for sub in EXTENDED]
    found: dict[tuple[str, str], tuple[float, float, int]] = {}
    for part in parts:
        table = pq.read_table(part, columns=["format", *names])
        wanted = [(name, kind) for name in names for kind in ("min", "max", "count")]
        for row in table.group_by("format").aggregate(wanted).to_pylist():
            for name in names:
                low, high, n = row[f"{name}_min"], row[f"{name}_max"], row[f"{name}_count"]
                if n:
                    before = found.get((row["format"], name), (low, high, 0))
                    found[row["format"], name] = min(low, before[0]), max(high, before[1]), n + before[2]
    order = {name: number for number, name in enumerate(names)}
    return [
        Constant(name, kind, low, n)
        for (kind, name), (low, high, n) in sorted(found.items(), key=lambda i: (i[0][0], order[i[0][1]]))
        if low == high and n >= _FEWEST
    ]


def repeats(parts: Iterable[Path]) -> int:
    """How many sessions of tables of scores have the id of another one.

    Ids without a digit are left out: they are names of files ("trajectory"), which many logs share.
    """
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    chunks = [chunk for part in parts for chunk in pq.read_table(part, columns=["id"])["id"].chunks]
    ids = pa.chunked_array(chunks, pa.string())
    ids = ids.filter(pc.match_substring_regex(ids, "[0-9]"))
    return len(ids) - int(pc.count_distinct(ids).as_py())
