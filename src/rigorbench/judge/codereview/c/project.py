"""All C and C++ files of a submission: their includes, and their code with macros expanded as a parse tree."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from ....base.sanitize import one_line
from ..cmake import Command, build_targets, commands
from ..model import Finding, Undecidable
from ..sources import SourceFile, Sources, matches
from .headers import is_system
from .lexer import Token
from .parsed import ParsedCode
from .preprocessor import DEFINED, UNDEFINED, Include, Macro, Macros, Unit, macro_from_option, read, spelled

_DEFINE_OPTION = re.compile(r"(?:^|[\s\"'=])-D\s*([A-Za-z_]\w*(?:=[^\s\"']*)?)")
_FORCED_INCLUDE = re.compile(r"(?:^|[\s\"'=;,])-(?:include|imacros)[\s;,=]*([^\s\"';,]+)")
_DEFINING_COMMANDS = frozenset({"add_definitions", "add_compile_definitions", "target_compile_definitions"})
_BUILD_FILES = re.compile(r"(?:^|/)(?:GNUmakefile|[Mm]akefile|meson\.build|[^/]*\.mk|compile_flags\.txt)$")
_SOURCE_NAME = re.compile(r"\.(?:c|cc|cp|cpp|cxx|c\+\+|h|hh|hp|hpp|hxx|h\+\+|ipp|inl|inc|tcc|ixx|cppm)$", re.IGNORECASE)
_SYMBOL_RENAMING = re.compile(r"--(?:defsym|wrap)\b|\bobjcopy\b")
_SOURCE_DIR_PREFIX = re.compile(r"^\$\{(?:CMAKE_(?:CURRENT_)?SOURCE_DIR|PROJECT_SOURCE_DIR|CMAKE_CURRENT_LIST_DIR)\}/")
_WRITING_MODES = frozenset({"WRITE", "APPEND", "GENERATE", "CONFIGURE"})


class CFile:
    """One file, or code that a build file writes, with one choice among the definitions of its macros."""

    def __init__(self, source: SourceFile, unit: Unit, macros: Macros, choice: Mapping[str, int] | None = None) -> None:
        self.source, self.unit, self._macros, self._choice = source, unit, macros, choice or {}

    @cached_property
    def code(self) -> list[Token]:
        """The tokens with all macros expanded."""
        return self._macros.expand(self.unit.code, self._choice)

    @cached_property
    def parsed(self) -> ParsedCode:
        """Raises: Undecidable when the code is too large or too deeply nested to be parsed."""
        return ParsedCode(self.code, self.source.language or "cpp", self.source.path)

    @cached_property
    def includes(self) -> list[Include]:
        """All includes, computed ones among them, and all module imports, by line."""
        found = list(self.unit.includes)
        for line, directive, rest in self.unit.computed:
            header = self._macros.header(rest, self._choice)
            excerpt = spelled(rest).strip()
            found.append(Include(header[0] if header else None, line, directive, bool(header and header[1]), excerpt))
        found += _module_imports(self.code)
        return sorted(found, key=lambda include: include.line)

    def finding(self, token: Token, message: str) -> Finding:
        through = f" (through the macro {one_line(token.from_macro, 60)})" if token.from_macro else ""
        return self.source.finding(token.line, message + through)


class CProject:
    """The C and C++ files of a submission.

    Attributes:
        sources: All files of the submission.
        provided: Paths of files that the problem provides, such as a header that the judge adds for the build.
        cmake: The commands of all CMake files.
    """

    def __init__(self, sources: Sources, provided: frozenset[str] = frozenset()) -> None:
        self.sources, self.provided = sources, provided
        self.cmake: list[Command] = commands(sources)

    @property
    def files(self) -> list[CFile]:
        """Every file that a compiler may see: by its name, named in a build file, or included by another.

        A file that uses macros with several definitions is listed once for each combination of definitions.

        Raises:
            Undecidable: the macros expand to too much code or have too many definitions.
        """
        # A failed expansion is expensive; it must not be repeated for every rule.
        if isinstance(self._loaded, Undecidable):
            raise self._loaded
        return self._loaded

    @cached_property
    def _loaded(self) -> list[CFile] | Undecidable:
        units = self._read_units(frozenset())
        fixed_names = self._fixed_names(unit for _, unit in units)
        if any(name in file.text for file, _ in units for name in fixed_names):
            units = self._read_units(fixed_names)
        macros = Macros([*(macro for _, unit in units for macro in unit.macros), *self._build_macros()])
        files: list[CFile] = []
        for file, unit in units:
            tokens = [*unit.code, *(token for _, _, rest in unit.computed for token in rest)]
            try:
                files += [CFile(file, unit, macros, choice) for choice in macros.choices(tokens)]
            except Undecidable as error:
                return Undecidable(f"{file.path}: {error}")
        return files

    def _read_units(self, fixed_names: frozenset[str]) -> list[tuple[SourceFile, Unit]]:
        found = [f for f in self.sources.files.values() if f.is_c_family]
        found += self._named_sources(found)
        units = {file.path: (file, read(file.text, fixed_names=fixed_names)) for file in found}
        pending = list(units.values())
        while pending:
            file, unit = pending.pop()
            for include in unit.includes:
                own_path = self.own_path(file.path, include)
                if own_path is not None and own_path not in units:
                    units[own_path] = (
                        self.sources.files[own_path],
                        read(self.sources.files[own_path].text, fixed_names=fixed_names),
                    )
                    pending.append(units[own_path])
        return [*units.values(), *self._written_sources()]

    def _fixed_names(self, units: Iterable[Unit]) -> frozenset[str]:
        """Names of compilers and systems that no file of the submission defines, undefines or sets in the build."""
        set_by_submission = {
            name for unit in units for name in (*unit.undefined, *(macro.name for macro in unit.macros))
        }
        texts = [" ".join(command.arguments) for command in self.cmake] + [file.text for file in self._build_files()]
        return frozenset(
            n for n in UNDEFINED | DEFINED if n not in set_by_submission and not any(n in text for text in texts)
        )

    def own_path(self, path: str, include: Include) -> str | None:
        """The file of the submission that an include refers to; None when the header is from outside."""
        if include.name is None:
            return None
        name = posixpath.normpath(include.name)
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        if not include.angled and beside in self.sources.files:
            return beside
        if name.startswith(("/", "..")) or is_system(name):
            return None
        return next((p for p in self.sources.files if p == name or p.endswith(f"/{name}")), None)

    def is_provided(self, include: Include) -> bool:
        if include.name is None or is_system(include.name):
            return False
        name = posixpath.normpath(include.name)
        return any(path == name or path.endswith(f"/{name}") for path in self.provided)

    def forced_includes(self) -> Iterator[tuple[SourceFile, Include]]:
        """Headers that a build file forces the compiler to include, with the build file."""
        for command in self.cmake:
            file = self.sources.files[command.file]
            if command.name == "target_precompile_headers":
                for word in command.arguments[1:]:
                    name = word.strip('<>"')
                    if name not in ("PRIVATE", "PUBLIC", "INTERFACE", "REUSE_FROM"):
                        yield file, Include(name, command.line, "precompile", word.startswith("<"))
            else:
                for name in _FORCED_INCLUDE.findall(" ".join(command.arguments)):
                    yield file, Include(name.strip('<>"'), command.line, "-include", True)
        for file in self._build_files():
            for n, line in enumerate(file.lines, 1):
                for name in _FORCED_INCLUDE.findall(line.partition("#")[0]):
                    yield file, Include(name, n, "-include", True)

    def generated_code(self) -> list[Finding]:
        """Build steps that create source code, which the review cannot see."""
        found = []
        for command in self.cmake:
            file = self.sources.files[command.file]
            if command.name == "add_custom_command" and any(_SOURCE_NAME.search(word) for word in _outputs(command)):
                found.append(file.finding(command.line, "generates source code during the build"))
            elif command.name == "execute_process":
                found.append(file.finding(command.line, "runs a program during the build"))
            elif _SYMBOL_RENAMING.search(" ".join(command.arguments)):
                found.append(file.finding(command.line, "renames symbols when linking"))
            elif command.name == "file" and _writes_source(command) and "${" in "".join(command.arguments[2:]):
                found.append(file.finding(command.line, "writes source code that is only known during the build"))
        return found

    def _named_sources(self, known: Sequence[SourceFile]) -> list[SourceFile]:
        """Files that a build target names as sources, with any suffix."""
        seen = {file.path for file in known}
        named = [(target.file, word) for target in build_targets(self.cmake) for word in target.sources]
        for command in self.cmake:
            words = command.arguments
            if command.name == "configure_file" and len(words) > 1 and _SOURCE_NAME.search(words[1]):
                named.append((command.file, words[0]))
            elif (
                command.name == "file" and words[:1] in (("COPY_FILE",), ("RENAME",)) and _SOURCE_NAME.search(words[-1])
            ):
                named.append((command.file, words[1]))
            elif command.name == "file" and words[:1] in (("GLOB",), ("GLOB_RECURSE",)):
                globs = tuple(
                    f"**/{_SOURCE_DIR_PREFIX.sub('', word)}" for word in words[2:] if word != "CONFIGURE_DEPENDS"
                )
                # "*" alone is common and is not meant to name text files.
                paths = [
                    p for p in self.sources.files if matches(p, tuple(g for g in globs if "." in g.split("/")[-1]))
                ]
                named += [("", path) for path in paths]
        found = []
        for folder, word in ((posixpath.dirname(file), word) for file, word in named):
            rooted = word.startswith(("${CMAKE_SOURCE_DIR}", "${PROJECT_SOURCE_DIR}"))
            path = posixpath.normpath(posixpath.join("" if rooted else folder, _SOURCE_DIR_PREFIX.sub("", word)))
            if path in self.sources.files and path not in seen:
                seen.add(path)
                found.append(self.sources.files[path])
        return found

    def _written_sources(self) -> list[tuple[SourceFile, Unit]]:
        """Sources that ``file(WRITE ...)`` creates; their line is that of the command."""
        found = []
        for command in self.cmake:
            words = command.arguments
            if _writes_source(command):
                text = "\n".join(word for word in words[1:] if not _SOURCE_NAME.search(word))
                unit = read(text, command.line)
                unit.code = [token._replace(line=command.line) for token in unit.code]
                found.append((self.sources.files[command.file], unit))
        return found

    def _build_files(self) -> list[SourceFile]:
        return [file for path, file in self.sources.files.items() if _BUILD_FILES.search(path)]

    def _build_macros(self) -> list[Macro]:
        """The macros that build files define."""
        texts = []
        for command in self.cmake:
            if command.name in _DEFINING_COMMANDS:
                texts += [word.removeprefix("-D") for word in command.arguments]
            texts += _DEFINE_OPTION.findall(" ".join(command.arguments))
        for file in self._build_files():
            texts += _DEFINE_OPTION.findall(file.text)
        macros = [macro_from_option(text) for text in texts if re.match(r"[A-Za-z_]\w*(?:\([\w, ]*\))?(?:=|$)", text)]
        # A bare word such as PRIVATE would expand to 1, which hides nothing.
        return [macro for macro in macros if macro is not None and len(macro.body) and macro.body[0].text != "1"]


def _writes_source(command: Command) -> bool:
    words = command.arguments
    return (
        command.name == "file"
        and bool(words)
        and words[0] in _WRITING_MODES
        and any(map(_SOURCE_NAME.search, words[1:]))
    )


def _outputs(command: Command) -> list[str]:
    outputs, in_outputs = [], False
    for word in command.arguments:
        if word.isupper() and "." not in word:
            in_outputs = word in ("OUTPUT", "BYPRODUCTS")
        elif in_outputs:
            outputs.append(word)
    return outputs


def _module_imports(code: Sequence[Token]) -> list[Include]:
    """``import x;`` and ``import <x>;`` of C++20, at the beginning of a statement."""
    found = []
    before = ";"
    for n, token in enumerate(code):
        if token.kind == "newline":
            continue
        if token.text == "import" and token.kind == "name" and before in (";", "}", "{", "export"):
            rest = []
            for following in code[n + 1 : n + 40]:
                if following.text in (";", "\n"):
                    break
                rest.append(following)
            text = "".join(t.text for t in rest)
            name = re.fullmatch(r'<([^<>]+)>|"([^"]+)"|(:?[A-Za-z_][\w.:]*)', text)
            if name is not None:
                angled = name[2] is None and name[3] is None
                spelled_name = name[1] or name[2] or name[3]
                directive = "import" if name[3] is None else "module"
                found.append(Include(spelled_name, token.line, directive, angled))
        before = token.text
    return found
