"""The notice board: CSV that is printed and pinned up at the lake."""

from __future__ import annotations

import csv
import io

from . import points, times
from .model import Race
from .places import places

HEADER = ("place", "crew", "club", "time", "points")


def board(race: Race) -> str:
    """The places of a race as CSV with a header; a dash stands for what a crew does not have."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADER)
    awarded = points.award(race)
    for placed in places(race):
        result = placed.result
        place = "-" if placed.place is None else str(placed.place)
        time = "-" if result.time is None else times.show(result.time)
        writer.writerow([place, result.crew, result.club, time, points.show(awarded[result.crew])])
    return out.getvalue()
