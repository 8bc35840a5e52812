import sys
from pathlib import Path

total = int(Path(sys.argv[1]).read_text())
feedback = sys.argv[3]
words = sys.stdin.read(1 << 16).split()


def message(text: str) -> None:
    Path(feedback + "judgemessage.txt").write_text(text + "\n")


try:
    a, b = map(int, words)
except ValueError:
    message("not two integers")
    sys.exit(43)
if a < 1 or b < 1 or a + b != total:
    message("not positive, or another sum")
    sys.exit(43)
Path(feedback + "score_multiplier.txt").write_text("1\n" if abs(a - b) <= 1 else "0.5\n")
sys.exit(42)
