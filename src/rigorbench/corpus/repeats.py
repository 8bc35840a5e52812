"""Sessions that a corpus has more than once: a stream beside the kept log, a conversion, a copy."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


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
