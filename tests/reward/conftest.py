"""The attacks, the players and the readings of other tests are used here too."""

from __future__ import annotations

import sys
from pathlib import Path

_TESTS = Path(__file__).parents[1]
for _place in (_TESTS / "metrics", _TESTS / "bench" / "gaming", _TESTS / "review"):
    if str(_place) not in sys.path:
        sys.path.append(str(_place))
