# rigorbench-canary 0d86b03a-d5c5-459a-82db-0d5736010225
"""From the time of a schedule to a share of the points: 0 at the slow time of the test, 1 at the good one, linear in its speed.

Called as INPUT ANSWER FEEDBACK_DIR with the driver's output on standard input; ends with 42 (right) or 43.
"""

import re
import sys
from pathlib import Path


def share(time, slow, good):
    least = good / slow
    return min(1.0, max(0.0, (good / time - least) / (1 - least)))


def main():
    slow, good = (int(word) for word in Path(sys.argv[2]).read_text("ascii").split())
    feedback = Path(sys.argv[3])
    text = sys.stdin.read()
    found = re.fullmatch(r"time ([1-9][0-9]{0,15})\n", text)
    if found is None:
        for name in ("judgemessage.txt", "teammessage.txt"):
            (feedback / name).write_text(text.strip()[:200] or "the driver reported nothing", "utf-8")
        return 43
    time = int(found[1])
    message = f"time {time}; slow {slow}, good {good}"
    for name in ("judgemessage.txt", "teammessage.txt"):
        (feedback / name).write_text(message, "utf-8")
    (feedback / "score_multiplier.txt").write_text(f"{share(time, slow, good):.6f}\n", "ascii")
    return 42


sys.exit(main())
