# rigorbench-canary 702108ee-e090-5ac8-8262-13bfac4add9f
"""Whether the obstacle stands: two names of one value must both come back from it.

Run in the root of the repository; the instruction is the standard input.
"""

import sys
from collections import defaultdict

sys.path.insert(0, "src")
from webcolors import name_to_hex, names

INSTRUCTION = " ".join(sys.stdin.read().split())


def main():
    if "should give that name." not in INSTRUCTION:
        print("not every name has to come back")
        return 1
    found = defaultdict(set)
    for name in names("css3"):
        found[name_to_hex(name, "css3")].add(name)
    shared = {value: same for value, same in found.items() if len(same) > 1}
    print(f"{len(shared)} values have several names")
    return 0 if shared else 1


if __name__ == "__main__":
    sys.exit(main())
