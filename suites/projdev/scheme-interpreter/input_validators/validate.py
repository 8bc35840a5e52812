# rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
"""Accepts (status 42) a program whose tokens and parentheses are those of the statement; else ends with 43."""

import re
import sys

TOKEN = re.compile(
    r"""[ \n]+|;[^\n]*|,@|['`,()]|#[tf](?=[\s()";]|$)|"(?:[^"\\\n]|\\["\\n])*"|[A-Za-z0-9!$&*/:<=>?^_~+.-]+"""
)
INTEGER = re.compile(r"[+-]?[0-9]+")


def complaint(data):
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError:
        return "not ASCII"
    if not text.endswith("\n"):
        return "the last line has no end"
    if len(text) > 200_000:
        return f"{len(text)} characters"
    place = depth = 0
    last = ""
    while place < len(text):
        match = TOKEN.match(text, place)
        if match is None:
            return f"character {place}: {text[place]!r} starts no token"
        token = match[0]
        if token == "(":
            depth += 1
        elif token == ")":
            depth -= 1
            if last in {"'", "`", ",", ",@"}:
                return f"character {place}: nothing is quoted"
        elif INTEGER.fullmatch(token) and not -(2**63) <= int(token) < 2**63:
            return f"{token} does not fit"
        if depth < 0 or depth > 1000:
            return f"character {place}: {depth} open parentheses"
        if not token.isspace():
            last = token
        place = match.end()
    return f"{depth} parentheses are open at the end" if depth else None


reason = complaint(sys.stdin.buffer.read())
if reason:
    sys.stderr.write(f"{reason}\n")
    sys.exit(43)
sys.exit(42)
