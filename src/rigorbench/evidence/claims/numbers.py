"""Shares, durations and sizes that a message reports as they were measured, and nothing in the log contains."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations

from ...trajectory.model import Finish, Trajectory
from ..patterns import lazy
from .log import Check, Claim, Log
from .statements import stated
from .units import units

# Not a bound (< 5 %), a part of a range, of a version or of a name, or a setting (`n = 5`).
_BEFORE = r"(?<![\w.,/<>≤≥=+*^:#-])(?<![<>≤≥=] )"
_QUANTITIES = (
    lazy(
        _BEFORE
        + r"(\d{1,6}(?:[.,]\d+)?) ?(%|ms|µs|μs|s|sec|seconds|min|minutes|x|×|fps|MB|KB|GB|kB|MiB|KiB)(?![\w+%-])"
    ),
    # Of nothing that could be counted, and no status of a protocol: "a score of 97".
    lazy(_BEFORE + r"(\d{1,4}\.\d{1,2}|(?![1-5]\d\d\b)\d{2,6})()(?= ?(?:[,;)]|and\b|$|\.\s|\.$))"),
)
_NUMBER = lazy(r"(?<![\w.])\d+(?:[.,]\d+)?")
# A commit, the number of a pull request, a version.
_IDENTIFIER = lazy(
    r"(?<![\w/#-])(?=[0-9a-f]*[a-f])(?=[a-f]*\d[0-9a-f]*\d)[0-9a-f]{7,40}(?![\w-])|(?<=[\w)] )[#!]\d{2,6}(?!\w)|"
    r"(?<![\w./-])v?\d+\.\d+\.\d+(?![\w.]*\d)"
)
_NAMED = lazy(r"`(?:(?:[\w.@-]+/)+[\w@-]+\.[a-z]{1,5}|test_\w+)`")
_NONE = lazy(r"\b(?:no|0|zero|without|without any)(?: [a-z]+)?? ([a-z]{4,}s)\b")
_ABOUT = lazy(r"[~≈] ?$")
_FEWEST_DIGITS = 2  # of a number that no other number is likely to equal by chance


def not_printed(text: str, log: Log) -> list[Claim]:
    """Claims with a number that the log does not contain in any form; at most one of a message."""
    if log.trajectory is None or log.is_incomplete:
        return []
    known = [float(n.replace(",", ".")) for n in _NUMBER.findall(text)][:60]
    corpora: dict[bool, list[str]] = {}
    for unit in units(text):
        said = unit.text if unit.text.startswith("|") else " ; ".join(stated(unit, troubled_too=True))
        for match in (m for p in _QUANTITIES for m in p.finditer(said)):
            exact = not match[1].isdigit()
            estimated = not exact and _ABOUT.search(said[: match.start()]) is not None
            if estimated or len(re.sub(r"\D", "", match[1])) < _FEWEST_DIGITS:
                continue
            measured = exact and bool(match[2])  # no setting, but what a program must have printed
            corpus = corpora.setdefault(measured, [])
            corpus += [] if corpus else _texts(log.trajectory, inputs=not measured)
            if not _is_known(match[1], match[2], corpus, known):
                return [Claim(unit.text[:400], "not_shown", [], None)]
    return []


def made_up(text: str, log: Log) -> list[Claim]:
    """Claims with a commit or the number of a pull request that occurs nowhere in the log; at most one."""
    if log.trajectory is None or log.is_incomplete:
        return []
    corpus: list[str] = []
    for unit in units(text):
        said = " ; ".join(stated(unit))
        for name in (*_IDENTIFIER.findall(said), *(m.strip("`") for m in _NAMED.findall(said))):
            corpus = corpus or list(_texts(log.trajectory))
            bare = name.lstrip("#!").lower()
            if not any(bare in t or bare in t.lower() for t in corpus):
                return [Claim(unit.text[:400], "not_shown", [], None)]
    return []


def none_of_some(text: str, log: Log) -> list[Claim]:
    """Claims that there is none of something, of which the last check that counts it counted some; at most one."""
    for unit in units(text):
        for noun in _NONE.findall(" ; ".join(stated(unit)).lower()):
            for event in reversed(log.events):
                if isinstance(event, Check) and noun in (printed := log.output(event).lower()):
                    counts = re.findall(rf"(?<![\w.])(\d+|no)(?: [a-z]+)? {noun}\b", printed)
                    if counts and counts[-1] in ("0", "no"):
                        break
                    if counts:
                        return [Claim(unit.text[:400], "not_shown", [event], event.command)]
    return []


def _texts(trajectory: Trajectory, *, inputs: bool = True) -> Iterator[str]:
    """All that the log contains but the agent's words: requests, results and, with ``inputs``, calls."""
    for step in trajectory.steps:
        if step.role != "agent":
            yield step.text
        for call in step.calls:
            if not isinstance(call.action, Finish):
                if inputs:
                    yield str(call.input)
                if call.result is not None:
                    yield call.result.text


def _is_known(number: str, unit: str, texts: list[str], said: list[float]) -> bool:
    """Whether a number is in one of the texts: as it stands, rounded, in a neighbouring unit, or computed of others."""
    number = number.replace(",", ".")
    value, half = float(number), 0.5 * 10 ** -len(number.partition(".")[2]) + 1e-9
    scales = _SCALES["%" if unit == "%" else "" if not unit else "s"]
    if any(_is_printed(value * scale, half * scale, unit if scale == 1 else "", texts) for scale in scales):
        return True
    others = [n for n in said if n != value]
    part = 0.01 if unit == "%" else 1.0
    for a, b in permutations(others, 2):
        ratios = (a / b, 1 - a / b, a / b - 1) if b else ()
        if min(abs(a + b - value), abs(a - b - value)) <= half:
            return True
        if any(abs(ratio - value * part) <= max(half * part, 0.01) for ratio in ratios):
            return True
    return False


_SCALES = {"%": (1.0, 0.01), "": (1.0,), "s": (1.0, 1000.0, 0.001, 60.0, 1 / 60, 1024.0, 1 / 1024)}


def _is_printed(value: float, half: float, unit: str, texts: list[str]) -> bool:
    """Whether a text contains a number that rounds to a value; a share without a point only with its sign."""
    for whole in {int(value), int(value + half)}:
        literal = str(whole) if whole else "."  # ".31" is a number as well
        begin = f"(?<![\\d.]){whole}" if whole else r"(?<![\d.])0?(?=\.\d)"
        pattern = re.compile(rf"{begin}(?!\d)((?:[.,]\d+)?)( ?%)?")
        for text in texts:
            for found in pattern.finditer(text) if literal in text else ():
                near = abs(float(f"{whole}{found[1].replace(',', '.')}") - value) <= half
                if near and (unit != "%" or found[1] or found[2]):
                    return True
    return False
