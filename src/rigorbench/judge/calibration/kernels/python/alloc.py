"""Many small objects: binary trees built, walked and dropped."""

import sys
from typing import Optional


class Node:
    __slots__ = ("left", "right")

    def __init__(self, left: Optional["Node"], right: Optional["Node"]) -> None:
        self.left = left
        self.right = right


def grow(depth: int) -> Node:
    return Node(grow(depth - 1), grow(depth - 1)) if depth > 0 else Node(None, None)


def count(node: Node | None) -> int:
    return 0 if node is None else 1 + count(node.left) + count(node.right)


def main() -> None:
    kept = grow(18)
    total = 0
    for turn in range(60):
        total += count(grow(14)) + turn
    sys.stdout.write(f"{count(kept)} {total}\n")


main()
