"""Secrets in a text, masked: keys, tokens and passwords, by the rules of gitleaks, by their names and by their look.

The rules are the file of gitleaks as it is published (``gitleaks.toml``; MIT, ``gitleaks.LICENSE``): a new release
replaces it. Rules that need the name of a file are left out, and those below, which our own take the place of.
"""

from __future__ import annotations

import re
import tomllib
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from math import log2
from pathlib import Path
from typing import Any

# Generic ones mask parts of names and of code; the last one, every commit where its product is spoken of.
_REPLACED = {"generic-api-key", "curl-auth-header", "curl-auth-user", "private-key", "sourcegraph-access-token"}
_BEGIN, _END = (rf"-----{side}[ A-Z0-9_-]{{0,60}}PRIVATE KEY(?: BLOCK)?-----" for side in ("BEGIN", "END"))
_CHUNK = r"[A-Za-z0-9+/=]{16,}"
_NAME = (
    r"passw(?:or)?d|passwd|passphrase|\bpwd|[_-]pwd|_pass\b|secret|token|api[_-]?key|access[_-]?key|account[_-]?key|"
    r"signing[_-]?key|encryption[_-]?key|private[_-]?key|credential|auth[_-]?key|client[_-]?key|bearer"
)
# (rule, words of which the text has one, expression: its last group is the secret, or all of it.)
_OWN: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("private-key", ("-----begin",), rf"{_BEGIN}(?:(?!-----BEGIN)[\s\S]){{0,12000}}?{_END}"),
    ("private-key", ("-----begin",), rf"{_BEGIN}(?:[^A-Za-z0-9+/=]{{0,40}}{_CHUNK})*"),
    (
        "private-key",
        ("-----end",),
        rf"(?:{_CHUNK}[^A-Za-z0-9+/=]{{1,40}})*[A-Za-z0-9+/=]*[^A-Za-z0-9+/=]{{0,40}}{_END}",
    ),
    ("url", ("://",), r"://[^\s/:@'\"<>]{0,100}:(?!\d+/)([^\s'\"<>@]{3,200})@(?=[\w\[])"),
    ("url", ("://",), r"://([A-Za-z0-9_~.-]{20,200})@(?=\w)"),
    (
        "authorization",
        ("authorization", "bearer", "cookie", "api-key", "token"),
        r"(?i)(?:\b(?:authorization|x-[a-z-]*(?:key|token))[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:(?:bearer|basic|token)\s+)?"
        r"|\bbearer\s+)([\w.~+/=-]{12,4000})",
    ),
    ("cookie", ("cookie",), r"(?i)\bset-cookie:\s*[\w.-]{1,80}=([^\s;'\"]{12,4000})"),
    (
        "argument",
        ("--",),
        r"(?i)--(?:[a-z-]{0,30}(?:password|passphrase|secret|token|api-key|access-key))[= ]\s?['\"]?"
        r"([^\s'\"<>$({-][^\s'\"]{5,400})",
    ),
    ("argument", ("mysql", "psql", "sshpass"), r"\b(?:mysql\w*|mariadb|sshpass)\s[^\n|;]{0,120}?-p([^\s'\"$]{4,100})"),
    (
        "argument",
        ("curl", "wget", "http"),
        r"\b(?:curl|wget|https?)\s[^\n|;]{0,300}?(?:-u|--user)[ =]?['\"]?[^\s:'\"]{1,80}:([^\s'\"$]{3,200})",
    ),
)
_ASSIGNED = re.compile(
    rf"(?i)(?P<name>(?:{_NAME})[\w-]{{0,30}})(?P<shut>[\"'`\]]{{0,3}})(?P<sign>\s{{0,3}}(?:=>|:=|[=:])\s{{0,3}})"
    r"(?:[rbuf]?(?P<quote>[\"'`])(?P<in>[^\"'`\n]{4,400})(?P=quote)|(?P<out>[^\s\"'`,;&|<>(){}\[\]]{6,400})(?![(\[]))"
)
_PASSWORD = re.compile(r"(?i)passw|passphrase|pwd|_pass\b")
# What stands where a secret would, and is none.
_PLACE_HOLDER = re.compile(
    r"(?i)[<${%*]|^[./~]|^(?:x{4,}|\.{3,}|-+|_+|null|none|true|false|undefined|string|str|bytes|optional|required)$|masked|redacted|"
    r"(?:your|my|the|some|an?)[_-]|placeholder|process\.env|environ|getenv|^[a-z_]+(?:\.[a-z_]+)+$|^\d{1,9}[.,]?\d*[kKmM]?$|://"
)
_BLOB = re.compile(
    r"(?<![\w+/=-])(?!(?:toolu|call|msg|req|resp|chatcmpl|fc|rs)_)[A-Za-z0-9_+/-]{28,2000}={0,2}(?![\w+/=])"
)
_KNOWN = re.compile(r"(?i)(?:sha\d+|md5|integrity)[-:=\"' ]*$")
_ESCAPE = re.compile(r"\\+(?:u([0-9a-fA-F]{4})|([nrtbf\"'/]))")
_NAMED = {"n": "\n", "r": "\n", "t": "\t", "b": " ", "f": " "}


def mask(text: str, found: Callable[[str, str], str]) -> str:
    """``text`` with ``found(rule, secret)`` in the place of each secret."""
    plain, at = _decode(text)
    out: list[str] = []
    done = 0
    for start, end, rule in _merged(sorted(_spans(plain))):
        low, high = (at[start], at[end]) if at else (start, end)
        out += [text[done:low], found(rule, text[low:high])]
        done = high
    return "".join(out) + text[done:] if out else text


def _decode(text: str) -> tuple[str, list[int]]:
    """The text as it was before it was written as a string of JSON or of a program, and where each character was."""
    if "\\" not in text or _ESCAPE.search(text) is None:
        return text, []
    out: list[str] = []
    at: list[int] = []
    done = 0
    for match in _ESCAPE.finditer(text):
        out.append(text[done : match.start()])
        at += range(done, match.start())
        code, name = match.groups()
        out.append(chr(int(code, 16)) if code else _NAMED.get(name, name))
        at.append(match.start())
        done = match.end()
    return "".join(out) + text[done:], [*at, *range(done, len(text) + 1)]


def _merged(spans: list[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """Spans that overlap, as one."""
    last: tuple[int, int, str] | None = None
    for span in spans:
        if last is not None and span[0] < last[1]:
            last = (last[0], max(last[1], span[1]), last[2])
            continue
        if last is not None:
            yield last
        last = span
    if last is not None:
        yield last


def _spans(text: str) -> Iterator[tuple[int, int, str]]:
    lower = text.lower()
    # Each word is looked for once; few rules have one in common with a text.
    present = {word for word in _words() if word in lower}
    for rule, words, source, least in _rules():
        if not present.isdisjoint(words):
            for match in _compiled(source).finditer(text):
                group = next((n for n in range(len(match.groups()), 0, -1) if match[n]), 0)
                if match.end(group) > match.start(group) and _entropy(match[group]) >= least:
                    yield match.start(group), match.end(group), rule
    for match in _ASSIGNED.finditer(text):
        side = "in" if match["in"] else "out"
        if _assigns_secret(match, match[side]):
            yield match.start(side), match.end(side), "assigned"
    for match in _BLOB.finditer(text):
        if _is_random(match[0]) and not _KNOWN.search(text, max(0, match.start() - 20), match.start()):
            yield match.start(), match.end(), "entropy"


def _assigns_secret(match: re.Match[str], value: str) -> bool:
    if _PLACE_HOLDER.search(value) or (" " in value and not match["quote"]):
        return False
    mixed = any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
    # NAME=value in a file of settings or before a command
    settings = match["name"].isupper() and match["sign"] == "="
    if _PASSWORD.search(match["name"]):
        return (
            bool(match["quote"] and " " not in value)
            or settings
            or mixed
            or (match["sign"] == "=" and not match["shut"] and not value.isidentifier())
        )
    long = len(value) >= (12 if match["quote"] or settings else 16)
    return long and " " not in value and ((mixed and _entropy(value) >= 3) or _is_random(value))


def _is_random(text: str) -> bool:
    """Whether the kinds of characters change as in a random text, and not as in names, paths and hashes."""
    kinds = [0 if c.islower() else 1 if c.isupper() else 2 if c.isdigit() else 3 for c in text]
    number = Counter(kinds)
    if min(number[0], number[1], number[2]) < 3 or number[3] > len(text) / 8:
        return False
    changes = sum(a != b for a, b in pairwise(kinds))
    return changes >= 0.45 * len(text) and _entropy(text) >= 3.8


def _entropy(text: str) -> float:
    """Bits per character."""
    size = len(text)
    return -sum(n / size * log2(n / size) for n in Counter(text).values())


@cache
def _rules() -> list[tuple[str, tuple[str, ...], str, float]]:
    """Rule, words of which the text has one (in lower case), expression, least entropy."""
    document: dict[str, Any] = tomllib.loads(Path(__file__).with_name("gitleaks.toml").read_text(encoding="utf-8"))
    taken = [r for r in document["rules"] if "regex" in r and "path" not in r and r["id"] not in _REPLACED]
    return [(rule, words, source, 0.0) for rule, words, source in _OWN] + [
        (r["id"], tuple(r.get("keywords", ("",))), r["regex"], float(r.get("entropy", 0))) for r in taken
    ]


@cache
def _words() -> frozenset[str]:
    return frozenset(word for _, words, _, _ in _rules() for word in words)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    # Python has no flag in the middle of an expression: it is for all of it then, which masks more, not less.
    flags = re.IGNORECASE if "(?i)" in source else 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return re.compile(source.replace("(?i)", "").replace(r"\z", r"\Z"), flags)
