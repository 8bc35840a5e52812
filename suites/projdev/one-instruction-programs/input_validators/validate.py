# rigorbench-canary db51cb59-97c0-4244-bd0e-38998cd92480
"""Accepts (status 42) the tests of a task: ``par LENGTH`` and lines of numbers; else ends with 43."""

import re
import sys

NUMBER = r"(?:0|[1-9][0-9]{0,9})"
TEXT = re.compile(rf"par [1-9][0-9]{{0,2}}\n(?:(?:{NUMBER}(?: {NUMBER}){{0,50}})?\n){{1,20}}")

sys.exit(42 if TEXT.fullmatch(sys.stdin.buffer.read().decode("latin-1")) else 43)
