"""The data that the rules of one review share: the submission's files and their parsed forms, read when needed."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from ...problems.model import Problem
from ..submission import Submission
from .c.names import Names
from .c.project import CFile, CProject
from .languages.source import LanguageFile
from .sources import SourceFile, Sources, is_selected


class ReviewContext:
    """One submission under review.

    Attributes:
        problem: The problem that it solves.
        submission: The submission.
        base: The commit that the author started from, if known; this commit and earlier ones are not the author's.
    """

    def __init__(self, problem: Problem, submission: Submission, base: str | None = None) -> None:
        self.problem, self.submission, self.base = problem, submission, base
        self._language_files: dict[str, LanguageFile] = {}

    @cached_property
    def sources(self) -> Sources:
        return Sources(self.submission.root)

    @cached_property
    def c(self) -> CProject:
        return CProject(self.sources, frozenset(self._provided_files()))

    @cached_property
    def names(self) -> Names:
        return Names(self.c.files)

    def language_file(self, file: SourceFile) -> LanguageFile:
        if file.path not in self._language_files:
            self._language_files[file.path] = LanguageFile(file, self.sources)
        return self._language_files[file.path]

    def c_files(self, files: Sequence[str], exclude: Sequence[str]) -> list[CFile]:
        """The C and C++ files that match the globs, and all files of the submission that they include."""
        by_path: dict[str, list[CFile]] = {}
        for file in self.c.files:
            by_path.setdefault(file.source.path, []).append(file)
        pending = [path for path in by_path if is_selected(path, files, exclude)]
        chosen = dict.fromkeys(pending)
        while pending:
            for file in by_path.get(pending.pop(), ()):
                for include in file.includes:
                    own_path = self.c.own_path(file.source.path, include)
                    if own_path is not None and own_path in by_path and own_path not in chosen:
                        chosen[own_path] = None
                        pending.append(own_path)
        return [file for path in chosen for file in by_path[path]]

    def _provided_files(self) -> list[str]:
        """Paths of the files that the problem adds to a submission for the build."""
        include = self.problem.build.include
        folders = [path for path in (include, self.problem.attachments) if path is not None]
        return [posixpath.normpath(str(path)) for folder in folders for path in _files_below(folder)]


def _files_below(folder: Path) -> list[Path]:
    if folder.is_file():
        return [Path(folder.name)]
    return [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]
