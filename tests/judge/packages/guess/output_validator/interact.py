import sys
from pathlib import Path

secret = int(Path(sys.argv[1]).read_text())
feedback = sys.argv[3]


def end(status: int, text: str) -> None:
    Path(feedback + "judgemessage.txt").write_text(text + "\n")
    sys.exit(status)


for count in range(1, 101):
    line = sys.stdin.readline(64)
    try:
        guess = int(line)
    except ValueError:
        end(43, "no guess" if not line else "a guess that is no number")
    if not 1 <= guess <= 100:
        end(43, "a guess out of range")
    answer = "right" if guess == secret else "higher" if guess < secret else "lower"
    try:
        print(answer, flush=True)
    except BrokenPipeError:
        end(43, "went away before the answer")
    if guess == secret:
        Path(feedback + "score.txt").write_text(f"{count}\n")
        end(42, f"{count} guesses")
end(43, "too many guesses")
