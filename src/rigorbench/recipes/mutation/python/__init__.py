"""The operators for Python. Each is one function that looks at one kind of syntax node."""

from __future__ import annotations

from collections.abc import Iterator

from ..model import Finding
from . import bounds, calls, containers, flow, values
from .operators import OPERATORS
from .source import Source, parse, same_tree
from .walk import sites

__all__ = ["bounds", "calls", "containers", "differs", "findings", "flow", "values"]


def findings(text: str) -> Iterator[Finding]:
    """What the operators find in a module.

    Raises:
        MutationError: the text is not Python.
    """
    for site in sites(Source(text)):
        for operator, edit in OPERATORS.edits(type(site.node), site):
            yield Finding(operator, site.qualname, edit)


def differs(before: str, after: str) -> bool:
    """Whether two modules mean something different.

    Raises:
        MutationError: one of them is not Python.
    """
    return not same_tree(parse(before), parse(after))
