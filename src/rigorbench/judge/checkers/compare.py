"""The built-in comparisons. They read streams, so a gigabyte of output takes no memory.

Tokens are compared like the Kattis format's default validator does. Blocks of equal bytes are skipped as a whole.
"""

from __future__ import annotations

import math
import re
from typing import BinaryIO, Final, Literal

from msgspec import Struct, structs

from ..problems.contract import check_options
from ..problems.model import Compare
from . import units
from .units import Kind, Strip, Unit, Units, strip_line, strip_return

# The format's grammar: no inf, no nan, no hexadecimal.
_FLOAT: Final = re.compile(rb"[+-]?(?:\d*\.\d+|\d+\.?)(?:[eE][+-]?\d+)?")
_DIGITS: Final = re.compile(rb"[0-9+\-.eE ]*")
_BLACK: Final = re.compile(rb"[^ \t\n\r\x0b\x0c]+")
# Longer tokens are not read as numbers, so that parsing is cheap.
_LONGEST: Final = 2000
_TOLERANCE: Final = 1e-6


class Compared(Struct, frozen=True):
    """The result of a comparison.

    Attributes:
        message: names the position, never the expected content.
        details: the content there, for the owner of the problem.
        where: such as "line 3, token 2".
    """

    verdict: Literal["accepted", "wrong_answer", "presentation_error"]
    message: str = ""
    details: str = ""
    where: str = ""


class _Options(Struct, frozen=True):
    case_sensitive: bool = False
    spaces: bool = False
    presentation: bool = False
    absolute: float | None = None
    relative: float | None = None


def compare(kind: Compare, output: BinaryIO, answer: BinaryIO, options: tuple[str, ...] = ()) -> Compared:
    """Compare an output with the answer, from the present positions of the streams, which must be seekable.

    Args:
        kind: "token": like the Kattis default validator. "float": the same, with a tolerance of 1e-6 (absolute or
            relative) if the options set none. "line": white space at the ends of lines and empty lines at the end do
            not count. "exact": every character counts, but a line may end in CR LF, and the last line's end may be
            missing. "binary": every byte counts.
        options: ``case_sensitive``, ``space_change_sensitive``, ``float_tolerance``, ``float_relative_tolerance`` and
            ``float_absolute_tolerance`` (a number follows) for "token" and "float". ``presentation_error`` for all: an
            output that differs only in white space or letter case gets that verdict.

    Raises:
        ValueError: an option is unknown or has no number.
    """
    found = _options(options)
    if kind == "float" and found.absolute is None and found.relative is None:
        found = structs.replace(found, absolute=_TOLERANCE, relative=_TOLERANCE)
    start, start_answer = output.tell(), answer.tell()
    result = _compare(kind, output, answer, found, start)
    if result.verdict == "wrong_answer" and found.presentation:
        output.seek(start)
        answer.seek(start_answer)
        lenient = structs.replace(found, case_sensitive=False, spaces=False)
        if _compare("token", output, answer, lenient, start).verdict == "accepted":
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


def _compare(kind: Compare, output: BinaryIO, answer: BinaryIO, options: _Options, start: int) -> Compared:
    if kind == "binary":
        return _binary(output, answer)
    if kind in ("token", "float"):
        return _in_units("runs" if options.spaces else "tokens", None, output, answer, options, start)
    strip = strip_line if kind == "line" else strip_return
    return _in_units("lines", strip, output, answer, structs.replace(options, case_sensitive=True), start)


def _binary(output: BinaryIO, answer: BinaryIO) -> Compared:
    place = 0
    while True:
        one, other = output.read(units.CHUNK), answer.read(units.CHUNK)
        # A read may return less than asked for: make both the same length.
        while len(one) != len(other):
            more = (output if len(one) < len(other) else answer).read(abs(len(one) - len(other)))
            if not more:
                break
            one, other = (one + more, other) if len(one) < len(other) else (one, other + more)
        if one == other:
            if not one:
                return Compared("accepted")
            place += len(one)
            continue
        shorter = min(len(one), len(other))
        common = next((n for n in range(shorter) if one[n] != other[n]), shorter)
        where = f"byte {place + common + 1}"
        if common == len(one):
            return Compared("wrong_answer", f"the output ends too early, before {where}", where=where)
        if common == len(other):
            return Compared("wrong_answer", f"there is more output than expected, from {where} on", where=where)
        detail = f"expected byte {other[common]:#04x}, got {one[common]:#04x}"
        return Compared("wrong_answer", f"differs at {where}", detail, where)


def _in_units(
    kind: Kind, strip: Strip | None, output: BinaryIO, answer: BinaryIO, options: _Options, start: int
) -> Compared:
    ours, theirs = Units(output, kind, strip), Units(answer, kind, strip)
    while True:
        if ours.idle and theirs.idle and ours.carry == theirs.carry:
            one, other = ours.read(), theirs.read()
            if one == other and one:
                ours.skip(one)
                theirs.skip(other)
                continue
            ours.feed(one)
            theirs.feed(other)
        for side in (ours, theirs):
            while not side.units and not side.ended:
                side.feed(side.read())
        count = min(len(ours.units), len(theirs.units))
        if not count:
            break
        before = ours.taken
        mine, wanted = ours.take(count), theirs.take(count)
        if mine != wanted and not _all_close(mine, wanted, options):
            for index, (unit, expected) in enumerate(zip(mine, wanted, strict=True)):
                if unit != expected and not _same(unit, expected, options):
                    where = _place(output, start, ours.offset, before + index, kind)
                    return _differs(unit, expected, where, kind)
    return _ends(ours, theirs, kind, strip, output, start)


def _ends(ours: Units, theirs: Units, kind: Kind, strip: Strip | None, output: BinaryIO, start: int) -> Compared:
    """The result after one of the two has ended."""
    for side in (ours, theirs):
        while side.units or not side.ended:
            if strip is strip_line:
                # Empty lines count only if another line follows.
                while side.units and side.units[0] == b"":
                    side.take(len(side.units) if not any(side.units) else 1)
            if side.units:
                where = _place(output, start, ours.offset, ours.taken, kind)
                if side is theirs:
                    return Compared("wrong_answer", f"the output ends too early, at {where}", _found(side), where)
                message = f"there is more output than expected, from {where} on"
                return Compared("wrong_answer", message, _found(side), where)
            if not side.ended:
                side.feed(side.read())
    return Compared("accepted")


def _found(side: Units) -> str:
    return f"next: {_shown(side.units[0])}"


def _differs(unit: Unit, expected: Unit, where: str, kind: Kind) -> Compared:
    what = "differs"
    if kind == "runs" and (_white(unit) or _white(expected)):
        what = "the white space differs"
    return Compared("wrong_answer", f"{what} at {where}", f"expected {_shown(expected)}, got {_shown(unit)}", where)


def _white(unit: Unit) -> bool:
    return isinstance(unit, bytes) and unit.isspace()


def _shown(unit: Unit) -> str:
    if not isinstance(unit, bytes):
        return repr(unit)
    text = repr(unit[:80].decode("utf-8", "backslashreplace"))
    return f"{text} ..." if len(unit) > 80 else text


def _same(unit: Unit, expected: Unit, options: _Options) -> bool:
    """Whether two units that are not identical count as equal."""
    if not isinstance(unit, bytes) or not isinstance(expected, bytes):
        if isinstance(unit, bytes) or isinstance(expected, bytes) or options.case_sensitive:
            return False
        return unit.lower == expected.lower
    if options.absolute is not None or options.relative is not None:
        wanted = _number(expected)
        if wanted is not None:
            value = _number(unit)
            return value is not None and _close(value, wanted, options)
    return not options.case_sensitive and unit.lower() == expected.lower()


def _all_close(mine: list[Unit], wanted: list[Unit], options: _Options) -> bool:
    """Whether all units that differ are numbers and close enough; False means that each must be compared.

    This makes outputs of many million numbers fast.
    """
    if options.absolute is None and options.relative is None:
        return False
    pairs = [pair for pair in zip(mine, wanted, strict=True) if pair[0] != pair[1]]
    try:
        # With only these characters, `float` accepts what the format's grammar accepts. A `Long` raises.
        if not all(_DIGITS.fullmatch(b" ".join(side)) for side in zip(*pairs, strict=True)):
            return False
        values = [(float(one), float(other)) for one, other in pairs]  # type: ignore[arg-type]
    except (TypeError, ValueError):
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


def _close(value: float, wanted: float, options: _Options) -> bool:
    # Both may be too large for a float, which makes them infinite.
    if value == wanted:
        return True
    difference = abs(value - wanted)
    if options.absolute is not None and difference <= options.absolute:
        return True
    if options.relative is None or math.isinf(wanted) or math.isinf(difference):
        return False
    return difference <= options.relative * abs(wanted)


def _place(output: BinaryIO, start: int, offset: int, count: int, kind: Kind) -> str:
    """The position of the unit that follows `count` units after `offset` (bytes from the start); reads again."""
    output.seek(start)
    place = _Place()
    left = offset
    while left > 0 and (data := output.read(min(left, units.CHUNK))):
        left -= len(data)
        place.move(data)
    if kind == "lines":
        return f"line {place.line + count}"
    data = output.read(units.CHUNK)
    # Tokens and white space alternate.
    skipped = count if kind == "tokens" else (count + (not data[:1].isspace())) // 2
    while data:
        starts = [found.start() for found in _BLACK.finditer(data)]
        if place.inside and starts and starts[0] == 0:
            del starts[0]
        if len(starts) > skipped:
            place.move(data[: starts[skipped]])
            break
        skipped -= len(starts)
        place.move(data)
        data = output.read(units.CHUNK)
    return f"line {place.line}, token {place.tokens + 1}"


class _Place:
    """A position in a text. `tokens`: how many start before it on its line; `inside`: it is within a token."""

    def __init__(self) -> None:
        self.line = 1
        self.tokens = 0
        self.inside = False

    def move(self, data: bytes) -> None:
        last = data.rfind(b"\n")
        if last >= 0:
            self.line += data.count(b"\n")
            self.tokens, self.inside = 0, False
        tail = data[last + 1 :]
        if tail:
            self.tokens += len(tail.split()) - (self.inside and not tail[:1].isspace())
            self.inside = not tail[-1:].isspace()
