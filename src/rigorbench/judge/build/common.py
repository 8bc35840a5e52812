"""What the units of one build share."""

from __future__ import annotations

from msgspec import Struct

from ..problems.model import Build
from .table import Language, Sanitized
from .toolchains import Toolchain
from .unit import Budget, Place


class Common(Struct, frozen=True):
    """Language, tools, place and budget of a build.

    Attributes:
        build: of the problem; None for a package's own tools.
        own: the files one of which has the entry point: the submission's, if files of the package were put over them;
            empty: any.
    """

    language: Language
    sanitized: Sanitized
    tools: Toolchain
    build: Build | None
    place: Place
    budget: Budget
    own: frozenset[str] = frozenset()

    @property
    def standard(self) -> str:
        return self.build.standard if self.build is not None else "c++20"
