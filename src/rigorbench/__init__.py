"""RigorBench measures how AI coding agents work, not only what they produce.

import rigorbench
for trajectory in rigorbench.read("session.jsonl"):
    report = rigorbench.score(trajectory)
    print(report.score.rigor_score, report.score.pillars["VC"].submetrics["TCR"].reason)
"""

from .api import extract, read, read_all, reward, score
from .base.version import __version__

__all__ = ["__version__", "extract", "read", "read_all", "reward", "score"]
