import re
import sys

text = sys.stdin.read()
sys.exit(42 if re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,6})?\n", text) and float(text) <= {{largest}} else 43)
