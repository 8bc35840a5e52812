import re
import sys

sys.exit(42 if re.fullmatch(r"((add [a-z]+|count)\n)+", sys.stdin.read()) else 43)
