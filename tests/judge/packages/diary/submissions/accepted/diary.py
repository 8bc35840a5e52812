import sys
from pathlib import Path

file = Path("diary.txt")
words = file.read_text().split() if file.exists() else []
for line in sys.stdin:
    if line.startswith("add "):
        words.append(line[4:].strip())
    else:
        print(len(words))
file.write_text("\n".join(words))
