# rigorbench-canary 3946732e-f346-4ca6-977b-b81bb144cf12
"""Writes data/: gardens from fixed seeds, and what the informed gardener collects. `python generators/generate.py`"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from world import Garden, drawn, informed

DATA = Path(__file__).resolve().parent.parent / "data"
# Three barrels and five hours, small enough to follow by hand.
SAMPLE = Garden(5, 2, 1, 0, 5, "ooooo", (1000, 400, 2500), ((300, 300), (250, 250), (200, 200)))


def cases() -> Iterable[tuple[str, Garden]]:
    yield "sample/1", SAMPLE
    sizes = [("a", 8, 200, 40), ("b", 12, 400, 80), ("c", 24, 500, 100), ("d", 40, 700, 70)]
    for group, options in (
        ("1-even", {}),
        ("2-changing", {"gusts": 40, "weather": True}),
        ("3-turning", {"gusts": 40, "weather": True, "turns": True}),
    ):
        for name, barrels, hours, looks in sizes:
            seed = 7919 * int(group[0]) + barrels
            yield f"secret/{group}/{name}", drawn(seed, barrels=barrels, hours=hours, looks=looks, **options)
    for name, barrels, hours, looks in [("a", 60, 1000, 0), ("b", 6, 100, 0), ("c", 50, 120, 60), ("d", 4, 300, 300)]:
        garden = drawn(40000 + barrels, barrels=barrels, hours=hours, looks=looks, gusts=60, weather=True, turns=True)
        yield f"secret/4-edges/{name}", garden


def main() -> int:
    for old in [*DATA.rglob("*.in"), *DATA.rglob("*.ans")]:
        old.unlink()
    for name, garden in cases():
        place = DATA / f"{name}.in"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(garden.text())
        place.with_suffix(".ans").write_text(f"{informed(garden)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
