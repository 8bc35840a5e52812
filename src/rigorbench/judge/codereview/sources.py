"""The files of a submission, as a review reads them: text only, no link followed, nothing run, everything bounded."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import Path

from ...base.sanitize import one_line
from ...evidence.code.grammars import grammar_for
from .model import Finding, Undecidable

# Bytes of a file that is read, and files that are listed.
MAX_FILE_BYTES = 4 << 20
_MAX_FILES = 20_000
_MAX_EXCERPT = 160
_C_FAMILY = frozenset(
    "c cc cp cpp cxx c++ h hh hp hpp hxx h++ ipp ixx cppm mpp ccm cxxm c++m tcc tpp txx inl inc cu cuh i ii".split()
)
_OTHER_LANGUAGES = frozenset({"python", "rust", "go", "java", "javascript", "typescript", "tsx"})
# Files that cmake or a script turns into a source: main.cpp.in.
_TEMPLATE = re.compile(r"\.(?:in|tmpl|template)$")


# The encoding that a Python file says it has, in its first two lines.
_ENCODING_DECLARATION = re.compile(rb"(?:[^\n]*\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)")
_ACCEPTED_ENCODINGS = frozenset({"utf-8", "utf8", "utf-8-sig", "ascii", "us-ascii", "latin-1", "iso-8859-1"})


class SourceFile:
    """``path``: from the root, with "/". ``text``: with anything that is no UTF-8 replaced."""

    def __init__(self, root: Path, path: str, size: int) -> None:
        self._root, self.path, self.size = root, path, size

    @cached_property
    def data(self) -> bytes:
        """Raises: Undecidable when the file is too large or cannot be read."""
        if self.size > MAX_FILE_BYTES:
            raise Undecidable(f"{one_line(self.path, 200)}: {self.size} bytes are too many to be looked at")
        try:
            # A regular file, as it was listed: what it was replaced by since is not followed.
            descriptor = os.open(self._root / self.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with os.fdopen(descriptor, "rb") as file:
                return file.read(MAX_FILE_BYTES + 1)
        except OSError as error:
            raise Undecidable(f"{one_line(self.path, 200)}: cannot be read ({error.strerror})") from None

    @cached_property
    def text(self) -> str:
        # A compiler takes a NUL for white space.
        return self.data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\0", " ")

    def check_text(self) -> None:
        """Raises: Undecidable when a compiler would read the file in another encoding than the review does."""
        declaration = _ENCODING_DECLARATION.match(self.data) if self.language == "python" else None
        encoding = declaration[1].decode().lower().replace("_", "-") if declaration is not None else "utf-8"
        # Latin letters or Chinese ones of an older encoding in a comment do no harm.
        if b"\0" in self.data or self.data[:2] in (b"\xff\xfe", b"\xfe\xff") or encoding not in _ACCEPTED_ENCODINGS:
            raise Undecidable(f"{one_line(self.path, 200)}: is not UTF-8 text")

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @property
    def is_c_family(self) -> bool:
        return _extension(self.path) in _C_FAMILY

    @cached_property
    def language(self) -> str | None:
        """ "c", "cpp", "python", ...; None: no source."""
        if self.is_c_family:
            return "c" if self.path.endswith(".c") else "cpp"
        grammar = grammar_for(_TEMPLATE.sub("", self.path), "")
        return grammar.name if grammar is not None and grammar.name in _OTHER_LANGUAGES else None

    def finding(self, line: int | None, message: str) -> Finding:
        text = self.lines[line - 1] if line is not None and 0 < line <= len(self.lines) else ""
        return Finding(one_line(self.path, 300), line, message, one_line(text.strip(), _MAX_EXCERPT))


class Sources:
    """All regular files below a directory, in the order of their paths; ``links``: symbolic links and other things that
    are no files. Directories called ``.git`` are not entered."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files: dict[str, SourceFile] = {}
        self.links: list[str] = []
        for path, entry in sorted(_list_entries(root), key=lambda found: found[0]):
            if entry.is_file(follow_symlinks=False):
                self.files[path] = SourceFile(root, path, entry.stat(follow_symlinks=False).st_size)
            else:
                self.links.append(path)

    def sources(self, files: Sequence[str], exclude: Sequence[str]) -> list[SourceFile]:
        """Program text that the globs choose (all of it without globs).

        Raises:
            Undecidable: there is none; a rule about nothing is not kept.
        """
        found = [f for f in self.matching(files, exclude) if f.language is not None]
        if not found:
            raise Undecidable("there is no source file that the rule is about")
        return found

    def matching(self, files: Sequence[str], exclude: Sequence[str] = ()) -> list[SourceFile]:
        return [
            file
            for path, file in self.files.items()
            if (not files or matches(path, files)) and not (exclude and matches(path, exclude))
        ]


def matches(path: str, globs: Sequence[str], *, rooted: bool = False) -> bool:
    """Whether a path fits one of the globs. "**" crosses directories; a glob without "/" fits names in any directory,
    unless ``rooted``."""
    return any(_glob(glob, rooted).fullmatch(path) is not None for glob in globs)


@lru_cache(maxsize=512)
def _glob(glob: str, rooted: bool) -> re.Pattern[str]:
    pattern = glob.lstrip("/") if glob.startswith("/") or rooted or "/" in glob else f"**/{glob}"
    if pattern.endswith("/"):
        pattern += "**"
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", pattern)
    words = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(words.get(part, re.escape(part)) for part in parts), re.DOTALL)


def _list_entries(root: Path) -> Iterator[tuple[str, os.DirEntry[str]]]:
    pending, count = [""], 0
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(root / folder) as entries:
                for entry in entries:
                    count += 1
                    if count > _MAX_FILES:
                        raise Undecidable(f"more than {_MAX_FILES} files")
                    path = f"{folder}{entry.name}"
                    if not entry.is_dir(follow_symlinks=False):
                        yield path, entry
                    elif entry.name != ".git":
                        pending.append(f"{path}/")
        except OSError as error:
            raise Undecidable(f"{folder or '.'}: cannot be listed ({error.strerror})") from None


def _extension(path: str) -> str:
    name = _TEMPLATE.sub("", path.rsplit("/", 1)[-1])
    return name.rsplit(".", 1)[-1].lower() if "." in name else ""
