"""The data that the rules of one review share: the submission's files and their parsed forms, read when needed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from ..problems.model import Problem
from ..submission import Submission
from .compiled import CProject, Selection
from .languages import LanguageFile
from .sources import SourceFile, Sources


class ReviewContext:
    """One submission under review.

    Args:
        base: The commit that the author started from, if known; this commit and earlier ones are not the author's.
        named: The globs of files that rules about code name.
    """

    def __init__(
        self, problem: Problem, submission: Submission, base: str | None = None, named: Sequence[tuple[str, ...]] = ()
    ) -> None:
        self.problem, self.submission, self.base, self._named = problem, submission, base, named
        self._language_files: dict[str, LanguageFile] = {}

    @cached_property
    def sources(self) -> Sources:
        return Sources(self.submission.root)

    @cached_property
    def c(self) -> CProject:
        return CProject(self.problem, self.submission, self.sources, self._named)

    def selection(self, files: Sequence[str], exclude: Sequence[str]) -> Selection:
        """The compiled C and C++ code that a rule is about.

        Raises:
            Undecidable: the code cannot be compiled.
        """
        return Selection(self.c, files, exclude)

    def language_file(self, file: SourceFile) -> LanguageFile:
        if file.path not in self._language_files:
            self._language_files[file.path] = LanguageFile(file, self.sources)
        return self._language_files[file.path]
