import re
import sys

text = sys.stdin.read()
sys.exit(42 if re.fullmatch(r"[1-9][0-9]{0,2}\n", text) and int(text) <= 100 else 43)
