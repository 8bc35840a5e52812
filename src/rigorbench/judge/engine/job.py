"""What is run for a test point, and what one run of it gave."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from ..build.model import Program
from ..model import PointResult
from ..problems.model import Case, Group, Problem, Sanitizer


class Tools(Struct, frozen=True):
    """The package's own programs, built.

    Attributes:
        data: directory of the package that their cells see.
        static: the static validator, which reads a submission's files.
    """

    checker: Program | None
    interactor: Program | None
    data: Path
    static: Program | None = None


class Trial(Struct):
    """One run of a test point.

    Attributes:
        retry: it is worth running again, alone and with more wall clock time.
        unchecked: it ended well, but in a way that its memory could not be checked.
    """

    point: PointResult
    retry: bool = False
    unchecked: bool = False


class Job(Struct, frozen=True):
    """A case of a group, to be run as it is or under a sanitizer.

    Attributes:
        fresh: the run shares no disk with the next one.
        wall_factor: of the wall clock limit.
    """

    problem: Problem
    group: Group
    case: Case
    tools: Tools
    sanitizer: Sanitizer | None = None
    fresh: bool = True
    wall_factor: float = 1.0
