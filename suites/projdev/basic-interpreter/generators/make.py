# rigorbench-canary a434b772-c12c-41be-acce-e6e88575a926
"""Writes data/sample and data/secret: sessions by hand and by seeded chance, and what they write.

Usage: ``python3 generators/make.py [DIRECTORY [GROUP...]]`` (default: the package's ``data``, all groups). The output comes from the model; that of
long sessions is computed in another way.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import cases
import long_cases
from model import answers
from sessions import Writer

GROUPS = {"1-basic": 15, "2-errors": 15, "3-loops": 15, "4-editing": 15, "5-data": 10, "6-volume": 10}
# Seeds, rounds, share of errors.
DRAWN = {
    "2-errors": [(21, 3, 0.1), (22, 4, 0.05)],
    "3-loops": [(31, 3, 0.0), (32, 4, 0.0)],
    "4-editing": [(41, 4, 0.02), (42, 5, 0.02)],
    "5-data": [(51, 4, 0.02)],
}


def write(directory: Path, number: int, name: str, session: str, output: str) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{number:02}-{name}"
    path.with_suffix(".in").write_text(session, "ascii")
    path.with_suffix(".ans").write_text(output, "ascii")


def main() -> None:
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent / "data"
    for number, (name, session) in enumerate(cases.SAMPLES.items(), 1):
        write(data / "sample", number, name, session, answers(session))
    for group in sys.argv[2:] or GROUPS:
        by_hand = [(name, session, answers(session)) for name, session in cases.GROUPS.get(group, {}).items()]
        for seed, rounds, errors in DRAWN.get(group, []):
            session = Writer(random.Random(seed), errors).session(rounds)
            by_hand.append((f"drawn-{seed}", session, answers(session)))
        by_hand += [(name, *make()) for name, make in long_cases.GROUPS.get(group, {}).items()]
        for number, each in enumerate(by_hand, 1):
            write(data / "secret" / group, number, *each)
        needs = "" if group == "1-basic" else "require_pass: secret/1-basic\n"
        (data / "secret" / group / "test_group.yaml").write_text(
            "# rigorbench-canary a434b772-c12c-41be-acce-e6e88575a926\n"
            f"max_score: {GROUPS[group]}\nscore_aggregation: min\n{needs}"
        )


if __name__ == "__main__":
    main()
