"""Checks knitting patterns before anybody casts on."""

from .chart import chart
from .counting import check, final
from .pattern import Pattern, parse, read
from .rows import parse_row
from .tokens import tokenize
from .yarn import metres

__all__ = ["Pattern", "chart", "check", "final", "metres", "parse", "parse_row", "read", "tokenize"]
