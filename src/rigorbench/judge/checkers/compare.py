"""The comparisons that are built in. They stream: a gigabyte of output costs no memory."""

from __future__ import annotations

from typing import BinaryIO, Literal

from msgspec import Struct

from ..package.model import Compare


class Compared(Struct, frozen=True):
    """``where``: "line 3, token 2"; ``message`` names the place, never the expected content."""

    verdict: Literal["accepted", "wrong_answer", "presentation_error"]
    message: str = ""
    details: str = ""


def compare(kind: Compare, output: BinaryIO, answer: BinaryIO, options: tuple[str, ...] = ()) -> Compared:
    raise NotImplementedError
