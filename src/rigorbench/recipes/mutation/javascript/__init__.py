"""The operators for JavaScript. Each is one function that looks at one kind of syntax node."""

from __future__ import annotations

from collections.abc import Iterator

from ..model import Finding
from . import flow, values
from .source import OPERATORS, leaves, parse, sites

__all__ = ["differs", "findings", "flow", "values"]


def findings(text: str) -> Iterator[Finding]:
    """What the operators find in a module.

    Raises:
        MutationError: the text is not JavaScript.
    """
    for site in sites(text):
        for operator, edit in OPERATORS.edits(site.node.type, site):
            if edit.splices:
                yield Finding(operator, site.qualname, edit)


def differs(before: str, after: str) -> bool:
    """Whether two modules mean something different.

    Raises:
        MutationError: one of them is not JavaScript.
    """
    return [*leaves(parse(before))] != [*leaves(parse(after))]
