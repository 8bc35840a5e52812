"""The built-in comparisons of an output with the answer.

Tokens are compared like the Kattis format's default validator does. Units are split off lazily: all tokens of an output
at once would take twenty times its memory.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import Final, Literal

from msgspec import Struct, structs

from ..problems.contract import check_options
from ..problems.problem import Compare
from .verdicts import CheckerDecision

# White space of the format; `bytes.split` splits at the same characters.
WHITE: Final = b" \t\n\r\x0b\x0c"
# The format's grammar: no inf, no nan, no hexadecimal.
_FLOAT: Final = re.compile(rb"[+-]?(?:\d*\.\d+|\d+\.?)(?:[eE][+-]?\d+)?")
_DIGITS: Final = re.compile(rb"[0-9+\-.eE ]*")
_BLACK: Final = re.compile(rb"[^ \t\n\r\x0b\x0c]+")
_RUNS: Final = re.compile(rb"[ \t\n\r\x0b\x0c]+|[^ \t\n\r\x0b\x0c]+")
_TOKEN_ENDS: Final = re.compile(rb"[^ \t\n\r\x0b\x0c][ \t\n\r\x0b\x0c]")
# Longer tokens are not read as numbers, so that parsing is cheap.
_LONGEST: Final = 2000
_TOLERANCE: Final = 1e-6
# Bytes that are compared or split at a time, and units.
CHUNK = 1 << 20
BATCH = 1 << 16

# "runs": tokens and the white space between them.
Kind = Literal["tokens", "runs", "lines"]
Strip = Callable[[bytes], bytes]


class _Options(Struct, frozen=True):
    case_sensitive: bool = False
    spaces: bool = False
    presentation: bool = False
    absolute: float | None = None
    relative: float | None = None


def compare(kind: Compare, output: bytes, answer: bytes, options: tuple[str, ...] = ()) -> CheckerDecision:
    """Compare an output with the answer. The message names the position, never the expected content.

    Args:
        kind: "token": like the Kattis default validator. "float": the same, with a tolerance of 1e-6 (absolute or
            relative) if the options set none. "line": white space at the ends of lines and empty lines at the end do
            not count. "exact": every character counts, but a line may end in CR LF, and the last line's end may be
            missing. "binary": every byte counts.
        options: ``case_sensitive``, ``space_change_sensitive``, ``float_tolerance``, ``float_relative_tolerance`` and
            ``float_absolute_tolerance`` (a number follows) for "token" and "float". ``presentation_error`` for all: an
            output that differs only in white space or letter case gets that verdict.

    Raises: ValueError: an option is unknown or has no number.
    """
    found = _options(options)
    if kind == "float" and found.absolute is None and found.relative is None:
        found = structs.replace(found, absolute=_TOLERANCE, relative=_TOLERANCE)
    result = _compare(kind, output, answer, found)
    if result.verdict == "wrong_answer" and found.presentation:
        lenient = structs.replace(found, case_sensitive=False, spaces=False)
        if _compare("token", output, answer, lenient).verdict == "accepted":
            return structs.replace(result, verdict="presentation_error")
    return result


def _options(options: tuple[str, ...]) -> _Options:
    problem = check_options(options)
    if problem is not None:
        raise ValueError(problem)
    words = " ".join(options).split()
    value = {name: float(words[words.index(name) + 1]) for name in words if name.startswith("float_")}
    both = value.get("float_tolerance")
    return _Options(
        "case_sensitive" in words,
        "space_change_sensitive" in words,
        "presentation_error" in words,
        value.get("float_absolute_tolerance", both),
        value.get("float_relative_tolerance", both),
    )


def _compare(kind: Compare, output: bytes, answer: bytes, options: _Options) -> CheckerDecision:
    if output == answer:
        return CheckerDecision("accepted")
    if kind == "binary":
        shorter = min(len(output), len(answer))
        same = next((n for n in range(_common(output, answer), shorter) if output[n] != answer[n]), shorter)
        where = f"byte {same + 1}"
        if same == len(output):
            return CheckerDecision("wrong_answer", f"the output ends too early, before {where}")
        if same == len(answer):
            return CheckerDecision("wrong_answer", f"there is more output than expected, from {where} on")
        detail = f"expected byte {answer[same]:#04x}, got {output[same]:#04x}"
        return CheckerDecision("wrong_answer", f"differs at {where}", detail)
    if kind in ("token", "float"):
        return _in_units("runs" if options.spaces else "tokens", None, output, answer, options)
    strip = _strip_line if kind == "line" else lambda line: line.removesuffix(b"\r")
    return _in_units("lines", strip, output, answer, structs.replace(options, case_sensitive=True))


def _strip_line(line: bytes) -> bytes:
    return line.rstrip(WHITE)


def _common(one: bytes, other: bytes) -> int:
    """So many bytes are equal at the beginning, and at most a chunk more."""
    same, shorter = 0, min(len(one), len(other))
    while same < shorter and one[same : same + CHUNK] == other[same : same + CHUNK]:
        same += CHUNK
    return min(same, shorter)


def _in_units(kind: Kind, strip: Strip | None, output: bytes, answer: bytes, options: _Options) -> CheckerDecision:
    start = _start_of_last(output[: _common(output, answer)], kind)
    ours, theirs = (_units(text, start, kind, strip) for text in (output, answer))
    before = 0
    while True:
        mine, wanted = list(islice(ours, BATCH)), list(islice(theirs, BATCH))
        count = min(len(mine), len(wanted))
        if mine != wanted and not _all_close(mine[:count], wanted[:count], options):
            for index, (unit, expected) in enumerate(zip(mine, wanted, strict=False)):
                if unit != expected and not _same(unit, expected, options):
                    white = kind == "runs" and (unit.isspace() or expected.isspace())
                    what = "the white space differs" if white else "differs"
                    where = _place(output, start, before + index, kind)
                    detail = f"expected {_shown(expected)}, got {_shown(unit)}"
                    return CheckerDecision("wrong_answer", f"{what} at {where}", detail)
        before += count
        if count < BATCH:
            break
    # One of the two has ended.
    for index, unit in enumerate(chain(mine[count:], ours)):
        if unit or strip is not _strip_line:  # empty lines count only if another line follows
            where = _place(output, start, before + index, kind)
            message = f"there is more output than expected, from {where} on"
            return CheckerDecision("wrong_answer", message, f"next: {_shown(unit)}")
    for unit in chain(wanted[count:], theirs):
        if unit or strip is not _strip_line:
            where = _place(output, start, before, kind)
            return CheckerDecision("wrong_answer", f"the output ends too early, at {where}", f"next: {_shown(unit)}")
    return CheckerDecision("accepted")


def _units(data: bytes, start: int, kind: Kind, strip: Strip | None) -> Iterator[bytes]:
    while start < len(data):
        if kind == "lines":
            end = data.find(b"\n", start + CHUNK) + 1 or len(data)
            lines = data[start:end].removesuffix(b"\n").split(b"\n")
            yield from lines if strip is None else map(strip, lines)
        else:
            found = _TOKEN_ENDS.search(data, start + CHUNK)
            end = len(data) if found is None else found.start() + 1
            yield from data[start:end].split() if kind == "tokens" else _RUNS.findall(data[start:end])
        start = end


def _start_of_last(data: bytes, kind: Kind) -> int:
    """Start of the last unit, which may continue behind the data."""
    if kind == "lines":
        return data.rfind(b"\n") + 1
    if kind == "runs" and data[-1:].isspace():
        return len(data.rstrip(WHITE))
    return 1 + max(data.rfind(white) for white in (b" ", b"\n", b"\t", b"\r", b"\x0b", b"\x0c"))


def _shown(unit: bytes) -> str:
    text = repr(unit[:80].decode("utf-8", "backslashreplace"))
    return f"{text} ..." if len(unit) > 80 else text


def _same(unit: bytes, expected: bytes, options: _Options) -> bool:
    """Whether two units that are not identical count as equal."""
    if options.absolute is not None or options.relative is not None:
        wanted = _number(expected)
        if wanted is not None:
            value = _number(unit)
            # Both may be too large for a float, which makes them infinite.
            if value is None or value == wanted:
                return value is not None
            difference = abs(value - wanted)
            if options.absolute is not None and difference <= options.absolute:
                return True
            finite = options.relative is not None and math.isfinite(wanted) and math.isfinite(difference)
            return finite and difference <= (options.relative or 0.0) * abs(wanted)
    return not options.case_sensitive and unit.lower() == expected.lower()


def _all_close(mine: list[bytes], wanted: list[bytes], options: _Options) -> bool:
    """Whether all units that differ are numbers and close enough; False means that each must be compared.

    This makes outputs of many million numbers fast.
    """
    if options.absolute is None and options.relative is None:
        return False
    pairs = [pair for pair in zip(mine, wanted, strict=True) if pair[0] != pair[1]]
    try:
        # With only these characters, `float` accepts what the format's grammar accepts.
        if not all(_DIGITS.fullmatch(b" ".join(side)) for side in zip(*pairs, strict=True)):
            return False
        values = [(float(one), float(other)) for one, other in pairs]
    except ValueError:
        return False
    absolute, relative = options.absolute or 0.0, options.relative or 0.0
    most = max((abs(other) for _, other in values), default=0.0)
    if math.isinf(most):
        return False
    return all(abs(one - other) <= max(absolute, relative * abs(other)) for one, other in values)


def _number(token: bytes) -> float | None:
    if len(token) > _LONGEST or _FLOAT.fullmatch(token) is None:
        return None
    return float(token)


def _place(output: bytes, start: int, count: int, kind: Kind) -> str:
    """The position of the unit that follows `count` units after `start`."""
    if kind == "lines":
        line = output.count(b"\n", 0, start) + count + 1
        return f"line {line}"
    # Tokens and white space alternate.
    skipped = count if kind == "tokens" else (count + (not output[start : start + 1].isspace())) // 2
    found = next(islice(_BLACK.finditer(output, start), skipped, None), None)
    at = len(output) if found is None else found.start()
    line, first = output.count(b"\n", 0, at) + 1, output.rfind(b"\n", 0, at) + 1
    return f"line {line}, token {len(output[first:at].split()) + 1}"
