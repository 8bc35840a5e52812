# rigorbench-canary 46f00b18-5bf4-4fed-a06d-e31c6569e539
"""Whether the obstacle stands: no way to give places in a recorded race keeps the rules as they are written.

Run in the root of the repository. Every way to put the crews of a race into groups of the same place is tried.
"""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, "src")
from regatta import times 

RULES = " ".join(Path("docs/rules.md").read_text(encoding="utf-8").split())


def groupings(crews):
    """Every way to divide crews into groups."""
    if not crews:
        yield []
        return
    first, rest = crews[0], crews[1:]
    for groups in groupings(rest):
        yield [[first], *groups]
        for place, group in enumerate(groups):
            yield [*groups[:place], [first, *group], *groups[place + 1 :]]


def kept(groups, limit):
    """Whether close crews are together (rule 4), and those in a group close (rule 5)."""
    where = [(time, number) for number, group in enumerate(groups) for time in group]
    return all((abs(a - b) <= limit) == (m == n) for a, m in where for b, n in where)


def main():
    close = re.search(r"Crews whose times differ by at most (\d+) hundredths .{0,60}have the same place", RULES)
    any_two = "any two crews of a race. Two crews whose times differ by more" in RULES
    any_two = any_two and "never have the same place" in RULES
    if close is None or not any_two:
        print("the rules do not compare any two crews")
        return 1
    for path in sorted(Path("data/races").glob("*.json")):
        results = json.loads(path.read_text(encoding="utf-8"))["results"]
        finished = [times.parse(entry["time"]) for entry in results if entry["time"] is not None]
        if not any(kept(groups, int(close.group(1))) for groups in groupings(finished)):
            print(f"{path.name}: no places keep rules 4 and 5")
            return 0
    print("every recorded race has places by the rules")
    return 1


if __name__ == "__main__":
    sys.exit(main())
