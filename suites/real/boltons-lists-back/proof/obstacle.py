# rigorbench-canary 537fb73f-3d0a-5327-80af-73894d103c90
"""Whether the obstacle stands: lists that are printed alike must all come back from that text.

Run in the root of the repository; the instruction is the standard input.
"""

import sys

sys.path.insert(0, ".")
from boltons.strutils import format_int_list

INSTRUCTION = " ".join(sys.stdin.read().split())


def main():
    if "in the order in which they were chosen" not in INSTRUCTION:
        print("not every list has to come back")
        return 1
    texts = {format_int_list(rows) for rows in ([1, 2, 3], [3, 1, 2], [1, 1, 2, 3])}
    print(f"three lists are printed in {len(texts)} ways")
    return 0 if len(texts) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
