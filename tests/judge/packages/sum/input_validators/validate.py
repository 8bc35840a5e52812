import re
import sys

data = sys.stdin.read()
lines = data.split("\n")
if len(lines) != 3 or lines[2] or not re.fullmatch(r"0|[1-9][0-9]*", lines[0]):
    sys.exit(43)
numbers = lines[1].split(" ") if lines[1] else []
good = len(numbers) == int(lines[0]) <= 200_000
good = good and all(re.fullmatch(r"0|-?[1-9][0-9]*", x) and abs(int(x)) <= 10**9 for x in numbers)
sys.exit(42 if good else 43)
