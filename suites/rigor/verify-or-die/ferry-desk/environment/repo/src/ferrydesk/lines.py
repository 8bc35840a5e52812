"""The protocol of the counters: a line is a request, and what comes back is text."""

from __future__ import annotations

from .desk import Desk
from .errors import DeskError
from .model import Booking

_FORMS = {
    "open": "open CROSSING SPACES",
    "book": "book CROSSING PLATE",
    "cancel": "cancel CROSSING NUMBER",
    "move": "move NUMBER CROSSING CROSSING",
    "resize": "resize CROSSING SPACES",
    "list": "list CROSSING",
}


def answer(desk: Desk, line: str) -> str:
    """Carry out one request; errors come back as a line that begins with ``error:``."""
    words = line.split()
    try:
        return _answer(desk, words)
    except DeskError as error:
        return f"error: {error}"


def _answer(desk: Desk, words: list[str]) -> str:
    form = _FORMS.get(words[0] if words else "")
    if form is None:
        raise DeskError(f"expected one of {', '.join(_FORMS)}")
    if len(words) != len(form.split()):
        raise DeskError(f"expected {form}")
    match words:
        case ["open", crossing, spaces]:
            desk.open(crossing, _number(spaces))
            return f"{crossing} is open"
        case ["book", crossing, plate]:
            return _text(desk.book(crossing, plate))
        case ["cancel", crossing, number]:
            return f"cancelled {desk.cancel(crossing, _number(number)).plate}"
        case ["move", number, source, target]:
            return _text(desk.move(_number(number), source, target))
        case ["resize", crossing, spaces]:
            desk.resize(crossing, _number(spaces))
            return f"{crossing} has {spaces} spaces"
        case _:
            manifest = desk.manifest(words[1])
            lines = [f"{words[1]}: {len(manifest.booked)} of {manifest.capacity}"]
            return "\n".join(lines + [f"  {_text(booking)}" for booking in manifest.booked + manifest.waiting])


def _text(booking: Booking) -> str:
    return f"{booking.number} {booking.plate} {'waits for' if booking.waiting else 'on'} {booking.crossing}"


def _number(text: str) -> int:
    if not text.isdecimal():
        raise DeskError(f"not a number: {text}")
    return int(text)
