"""The languages that a problem accepts."""

from __future__ import annotations

from ...problems.model import Problem
from .model import GIT


def accepted(problem: Problem) -> list[str]:
    """Values for the form's field ``language``: names of the language table that the problem allows, the kinds of
    repository, "auto" (recognised by the files) and "git" (a revision)."""
    from ..build.table import languages

    build = problem.build
    if build.languages:
        names = list(build.languages)
    elif build.kind == "header":
        names = ["cpp"]
    elif build.kind == "output-only":
        names = []
    else:
        names = list(languages())
    kinds = [build.kind] if build.kind in ("cmake", "make") else []
    return list(dict.fromkeys([*names, *kinds, "auto", GIT]))
