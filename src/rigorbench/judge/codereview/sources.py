"""The files of a submission as text: no link is followed, nothing is run, and sizes are limited."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path

from ...base.code.grammars import grammar_for
from ...base.sanitize import one_line
from ..files import read_regular
from .result import Undecidable, Violation

# Limits: bytes of one file, and number of files.
MAX_FILE_BYTES = 4 << 20
_MAX_FILES = 20_000
_MAX_EXCERPT = 160
_C_FAMILY = frozenset(
    "c cc cp cpp cxx c++ h hh hp hpp hxx h++ ipp ixx cppm mpp ccm cxxm c++m tcc tpp txx inl inc cu cuh i ii".split()
)
_OTHER_LANGUAGES = frozenset({"python", "rust", "go", "java", "javascript", "typescript", "tsx"})
# Suffixes of templates that cmake or a script turns into a source: main.cpp.in.
_TEMPLATE = re.compile(r"\.(?:in|tmpl|template)$")


# The encoding declaration in the first two lines of a Python file.
_ENCODING_DECLARATION = re.compile(rb"(?:[^\n]*\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)")
_ACCEPTED_ENCODINGS = frozenset({"utf-8", "utf8", "utf-8-sig", "ascii", "us-ascii", "latin-1", "iso-8859-1"})


class SourceFile:
    """One file. In its text, bytes that are not UTF-8 are replaced."""

    def __init__(self, root: Path, path: str, size: int) -> None:
        self._root, self.path, self.size = root, path, size

    @cached_property
    def data(self) -> bytes:
        """The content. Raises Undecidable if the file is too large or cannot be read."""
        if self.size > MAX_FILE_BYTES:
            raise Undecidable(f"{one_line(self.path, 200)}: {self.size} bytes are too many to be read")
        data = read_regular(self._root / self.path, MAX_FILE_BYTES + 1)
        if data is None:
            raise Undecidable(f"{one_line(self.path, 200)}: cannot be read")
        return data

    @cached_property
    def text(self) -> str:
        # A compiler treats NUL as white space.
        return self.data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\0", " ")

    def check_text(self) -> None:
        """Raise Undecidable if a compiler would read the file in another encoding than the review does."""
        declaration = _ENCODING_DECLARATION.match(self.data) if self.language == "python" else None
        encoding = declaration[1].decode().lower().replace("_", "-") if declaration is not None else "utf-8"
        # Invalid UTF-8 alone is accepted: comments in older encodings are harmless.
        if b"\0" in self.data or self.data[:2] in (b"\xff\xfe", b"\xfe\xff") or encoding not in _ACCEPTED_ENCODINGS:
            raise Undecidable(f"{one_line(self.path, 200)}: is not UTF-8 text")

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @property
    def is_c_family(self) -> bool:
        name = _TEMPLATE.sub("", self.path.rsplit("/", 1)[-1])
        return "." in name and name.rsplit(".", 1)[-1].lower() in _C_FAMILY

    @cached_property
    def language(self) -> str | None:
        """The language, such as "c", "cpp" or "python"; None when the file is not a source file."""
        if self.is_c_family:
            return "c" if self.path.endswith(".c") else "cpp"
        grammar = grammar_for(_TEMPLATE.sub("", self.path), "")
        return grammar.name if grammar is not None and grammar.name in _OTHER_LANGUAGES else None

    def finding(self, line: int | None, message: str) -> Violation:
        text = self.lines[line - 1] if line is not None and 0 < line <= len(self.lines) else ""
        return Violation(one_line(self.path, 300), line, message, one_line(text.strip(), _MAX_EXCERPT))


class SubmissionSources:
    """All files below a directory, without those in ``.git``: regular `files`, and symbolic `links` or special ones."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files: dict[str, SourceFile] = {}
        self.links: list[str] = []
        count = 0

        def failed(error: OSError) -> None:
            place = os.path.relpath(error.filename, root)
            raise Undecidable(f"{place}: cannot be listed ({error.strerror})")

        for folder, directories, names in os.walk(root, onerror=failed):
            # A link to a directory is a link.
            links = [name for name in directories if os.path.islink(os.path.join(folder, name))]
            count += len(directories) + len(names)
            if count > _MAX_FILES:
                raise Undecidable(f"more than {_MAX_FILES} files")
            directories[:] = [name for name in directories if name != ".git" and name not in links]
            for name in (*names, *links):
                path = os.path.relpath(os.path.join(folder, name), root)
                status = os.lstat(root / path)
                if stat.S_ISREG(status.st_mode):
                    self.files[path] = SourceFile(root, path, status.st_size)
                else:
                    self.links.append(path)
        self.files = dict(sorted(self.files.items()))
        self.links.sort()

    def sources(self, files: Sequence[str] = ()) -> list[SourceFile]:
        """The source files that match the globs (all source files without globs).

        Raises: Undecidable: there is none; a rule that applies to no file is not kept.
        """
        found = [f for f in self.matching(files) if f.language is not None]
        if not found:
            raise Undecidable("there is no source file that the rule applies to")
        return found

    def matching(self, files: Sequence[str], exclude: Sequence[str] = ()) -> list[SourceFile]:
        """The files that match ``files`` (all without globs) and not ``exclude``."""
        return [file for path, file in self.files.items() if is_selected(path, files, exclude)]


def is_selected(path: str, files: Sequence[str], exclude: Sequence[str]) -> bool:
    """Whether a path matches ``files`` (any path does without globs) and not ``exclude``."""
    return (not files or matches(path, files)) and not matches(path, exclude)


def matches(path: str, globs: Sequence[str], *, rooted: bool = False) -> bool:
    """Whether a path matches one of the globs.

    "**" crosses directories. A glob without "/" matches names in any directory, unless ``rooted``.
    """
    return any(_glob(glob, rooted).fullmatch(path) is not None for glob in globs)


@lru_cache(maxsize=512)
def _glob(glob: str, rooted: bool) -> re.Pattern[str]:
    pattern = glob.lstrip("/") if glob.startswith("/") or rooted or "/" in glob else f"**/{glob}"
    if pattern.endswith("/"):
        pattern += "**"
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", pattern)
    words = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(words.get(part, re.escape(part)) for part in parts), re.DOTALL)
