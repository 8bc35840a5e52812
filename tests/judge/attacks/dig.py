"""Looks through all files that can be seen, beside the system's own, for the words on the command line."""

import os
import sys

words = [word.encode() for word in sys.argv[1:]]
own = os.path.realpath(__file__).encode()
seen = 0


def look(path: bytes) -> None:
    global seen
    try:
        with open(path, "rb") as file:
            text = file.read(1 << 16)
    except OSError:
        return
    seen += 1
    if path != own and any(word in text or word in path for word in words):
        sys.stdout.write(f"REACHED {path!r}\n")


for top, directories, files in os.walk(b"/"):
    if top == b"/":
        directories[:] = [name for name in directories if name not in (b"usr", b"proc", b"dev")]
    for name in files:
        look(os.path.join(top, name))
for process in (b"self", b"1", b"2", b"3"):
    # What it was given itself is no find.
    for name in (b"environ", b"mountinfo", b"cgroup", b"maps", b"status", b"stat", b"comm", b"root/w/answer"):
        look(b"/proc/" + process + b"/" + name)
sys.stdout.write(f"looked at {seen > 50}\n")
