"""Secrets in a text, masked: keys, tokens and passwords, by the rules of gitleaks, by their names and by their look.

The rules are the file of gitleaks as it is published (``gitleaks.toml``; MIT, ``gitleaks.LICENSE``), so that a new
release replaces it, and those of ``secrets.toml``. Of the former those that need the name of a file are left out, and
those that ours take the place of.
"""

from __future__ import annotations

import re
import tomllib
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from itertools import groupby, pairwise
from math import log2
from pathlib import Path

from .sanitize import one_line

# They mask names and code; the last one, every commit of a text that speaks of its product.
_REPLACED = {"curl-auth-header", "curl-auth-user", "private-key", "vault-service-token", "sourcegraph-access-token"}
# A name beside a value, which ours look for whatever the product.
_NAMED_VALUE = r"(?i)[\w.-]{0,50}?(?:"
_KEY_END = re.compile("-----END[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?-----")
# The lines of a key, from the last to the first and backwards.
_BACKWARDS = re.compile(r"[^A-Za-z0-9+/=]{0,40}[A-Za-z0-9+/=]*(?:[^A-Za-z0-9+/=]{1,40}[A-Za-z0-9+/=]{16,})*")
_SIGN = re.compile(r"=>|:=|[=:]")
# A sign behind a name, in lower case: in ASCII all that _SIGN and _NAME find, without a look at each sign.
_NAMED_SIGN = re.compile(
    r"(?:pass|pwd|secret|token|key|credential|bearer)[\w-]{0,40}[\"'`\]]{0,3}[ \t]{0,3}\n?(=>|:=|[=:])"
)
_VALUE = re.compile(
    r"[ \t]{0,3}(?:[rbuf]?(?P<quote>[\"'`])(?P<in>[^\"'`\n]{4,400})(?P=quote)"
    r"|(?P<out>[^\s\"'`,;&|<>(){}\[\]]{6,400}+)(?![(\[]))"
)
_NAMES = ("pass", "pwd", "secret", "token", "key", "credential", "bearer")
_NAME = re.compile(
    r"(?i)((?:passw(?:or)?d|passwd|passphrase|\bpwd|[_-]pwd|[_-]pass\b|secret|token|api_?key|credential|bearer|"
    r"[_-]key\b|(?:access|account|signing|encryption|private|auth|client)_?key)[\w-]{0,30})[\"'`\]]{0,3}[ \t]{0,3}$"
)
_PASSWORD = re.compile(r"(?i)passw|passphrase|pwd|pass\b")
# What stands where a secret would, and is none.
_PLACE_HOLDER = re.compile(
    r"(?i)^[<${%*./~]|\s|\$\{|\{\{|^(.)\1*$|^(?:null|none|true|false|undefined|string|optional|required)$|masked|redacted|"
    r"^(?:your|my|the|some|an?)[_-]|placeholder|environ|getenv|^[a-z_]\w*(?:\.\w+)+$|^[\d.,]+[kKmM]?$|://|"
    r"^(?-i:\w*(?:[Pp]assword|[Ss]ecret|[Tt]oken|[Kk]ey|PASSWORD|SECRET|TOKEN|KEY)\w*)$"
)
_DOTTED = re.compile(r"[A-Za-z_]+\.[A-Za-z_.]+")
_SNAKE = re.compile(r"[a-z]+(?:_[a-z]+)+|[a-z]+[A-Z][a-z]+")
_BLOB = re.compile(
    r"(?<![\w+/=-])(?!(?:toolu|call|msg|req|resp|chatcmpl|fc|rs)_)[A-Za-z0-9_+/-]{28,}={0,2}(?![\w+/=-])"
)
_HASH = re.compile(r"(?i)(?:sha\d+|md5|integrity)[-:=\"' ]*$")
# Words of rules that many texts have: each is looked for by itself, all others at once.
_COMMON = ("--", "://", "ey", "http", "sk")
_ESCAPE = re.compile(r"\\+(?:u([0-9a-fA-F]{4})|([nrtbf\"'/]))")
_ESCAPED = {"n": "\n", "r": "\n", "t": "\t", "b": " ", "f": " "}


def mask(text: str, found: Callable[[str, str], str]) -> str:
    """``text`` with ``found(rule, secret)`` in the place of each secret."""
    plain, at = _decode(text)
    spans: list[tuple[int, int, str]] = []
    for start, end, rule in sorted(_spans(plain)):
        if spans and start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]), spans[-1][2])
        else:
            spans.append((start, end, rule))
    done = 0
    out: list[str] = []
    for start, end, rule in spans:
        low, high = (at[start], at[end]) if at else (start, end)
        out += [text[done:low], found(rule, text[low:high])]
        done = high
    return "".join(out) + text[done:]


def quoted_command(text: str) -> str:
    """A command on one line, without its secrets, cut to 60 characters: sentences go into reports and comments."""
    return one_line(mask(text[:2000], lambda rule, _: f"[{rule}]").replace("`", "'"), 60)


def _decode(text: str) -> tuple[str, list[int]]:
    """The text as it was before it became a string of JSON or of a program, and where each of its characters is."""
    if "\\" not in text or _ESCAPE.search(text) is None:
        return text, []
    out: list[str] = []
    at: list[int] = []
    done = 0
    for match in _ESCAPE.finditer(text):
        code, name = match.groups()
        out += [text[done : match.start()], chr(int(code, 16)) if code else _ESCAPED.get(name, name)]
        at += range(done, match.start() + 1)
        done = match.end()
    return "".join(out) + text[done:], [*at, *range(done, len(text) + 1)]


def _spans(text: str) -> Iterator[tuple[int, int, str]]:
    lower = text.lower()
    words = _rules() if _rare().search(lower) else _COMMON
    for rule, source, least in (r for word in words if word in lower for r in _rules().get(word, ())):
        for match in _compiled(source).finditer(text):
            start, end = match.span(next((n for n in range(match.re.groups, 0, -1) if match[n]), 0))
            secret = text[start:end]
            if secret and _entropy(secret) >= least and not (least and _DOTTED.fullmatch(secret)):
                yield start, end, rule
    for match in _KEY_END.finditer(text) if "-----end" in lower else ():
        # Its beginning is not in the log: what is before it, read backwards.
        before = _BACKWARDS.match(text[max(0, match.start() - 12_000) : match.start()][::-1])
        yield match.start() - (before.end() if before is not None else 0), match.end(), "private-key"
    signs = _NAMED_SIGN.finditer(lower) if text.isascii() else _SIGN.finditer(text)
    for sign in signs if any(name in lower for name in _NAMES) else ():
        start, end = sign.span(sign.lastindex or 0)
        near = text[max(0, start - 75) : start].lower()
        value = _VALUE.match(text, end) if any(word in near for word in _NAMES) else None
        name = value and _NAME.search(text, max(0, start - 75), start)
        tail = text[start : value.end()] if value else ""
        if value and name and _is_secret(name[1], tail, value["quote"], value["in"] or value["out"]):
            yield *value.span("in" if value["in"] else "out"), "assigned"
    at = 0
    # A random text has no blank and has capitals: of most texts there is little left to look at.
    for word in [w for w in text.split() if len(w) >= 28 and not w.islower()]:
        at = text.index(word, at) + len(word)
        for match in _BLOB.finditer(text, at - len(word), at):
            if _is_random(match[0]) and not _HASH.search(text, max(0, match.start() - 20), match.start()):
                yield *match.span(), "entropy"


def _is_secret(name: str, tail: str, quote: str | None, value: str) -> bool:
    """Whether a value is one, by the name to which it is assigned. ``tail``: the sign and what follows."""
    if _PLACE_HOLDER.search(value):
        return False
    mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    # NAME=value in a file of settings or before a command
    tight = tail[0] == "=" and tail[1:2] not in " \t>"
    setting = name.isupper() and tight
    if _PASSWORD.search(name):
        return bool(quote) or setting or mixed or (tight and not _SNAKE.fullmatch(value))
    long = len(value) >= (12 if quote or setting else 16)
    return long and ((mixed and _entropy(value) >= 3) or _is_random(value, 0))


def _is_random(text: str, digits: int = 3) -> bool:
    """Whether the kinds of characters change as in a random text, and not as in names, paths and hashes."""
    if sum(map(str.isupper, text)) < 0.15 * len(text):
        return False
    kinds = [0 if c.islower() else 1 if c.isupper() else 2 if c.isdigit() else 3 for c in text]
    number = Counter(kinds)
    if number[0] < 3 or number[2] < digits or number[3] > len(text) / 8:
        return False
    return sum(a != b for a, b in pairwise(kinds)) >= 0.42 * len(text) and _entropy(text) >= 3.8


def _entropy(text: str) -> float:
    """Bits per character."""
    return -sum(n / len(text) * log2(n / len(text)) for n in Counter(text).values())


@cache
def _rules() -> dict[str, list[tuple[str, str, float]]]:
    """By a word, in lower case, which a text with a match has: rule, expression, least entropy."""
    found: dict[str, list[tuple[str, str, float]]] = defaultdict(list)
    for name in ("secrets.toml", "gitleaks.toml"):
        for r in tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))["rules"]:
            source = r.get("regex", _NAMED_VALUE)
            left_out = name == "gitleaks.toml" and r["id"] in _REPLACED
            for word in r["keywords"] if not (left_out or source.startswith(_NAMED_VALUE) or "path" in r) else ():
                found[word].append((r["id"], source, float(r.get("entropy", 0))))
    return found


@cache
def _rare() -> re.Pattern[str]:
    """What finds any word of the rules that few texts have."""
    words = groupby(sorted(set(_rules()) - set(_COMMON)), key=lambda word: word[0])
    # By their first letter: Python tries every alternative at every character of a text.
    return re.compile("|".join(f"{re.escape(c)}(?:{'|'.join(re.escape(w[1:]) for w in ws)})" for c, ws in words))


@cache
def _compiled(source: str) -> re.Pattern[str]:
    # Python has no flag in the middle of an expression: it is for all of it then, which masks more, not less.
    flags = re.IGNORECASE if "(?i)" in source else 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return re.compile(source.replace("(?i)", "").replace(r"\z", r"\Z"), flags)
