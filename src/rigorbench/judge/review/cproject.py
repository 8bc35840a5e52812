"""All C and C++ of a submission: what each file takes in, and its code with every macro expanded, as a parse tree."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ...evidence.parsing import parse_text
from ...report.sanitize import one_line
from .clex import Token
from .cmake import Command, commands, targets
from .cpre import Include, Macro, Macros, Unit, definition, read, spelled
from .headers import is_system
from .model import Finding, Undecidable
from .sources import SourceFile, Sources

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Tree

_DEFINE = re.compile(r"(?:^|[\s\"'=])-D\s*([A-Za-z_]\w*(?:=[^\s\"']*)?)")
_FORCED = re.compile(r"(?:^|[\s\"'=;,])-(?:include|imacros)[\s;,=]*([^\s\"';,]+)")
_DEFINING = frozenset({"add_definitions", "add_compile_definitions", "target_compile_definitions"})
_BUILD_FILES = re.compile(r"(?:^|/)(?:GNUmakefile|[Mm]akefile|meson\.build|[^/]*\.mk|compile_flags\.txt)$")
_SOURCE_NAME = re.compile(r"\.(?:c|cc|cp|cpp|cxx|c\+\+|h|hh|hp|hpp|hxx|h\+\+|ipp|inl|inc|tcc|ixx|cppm)$", re.IGNORECASE)
_WRITING = frozenset({"WRITE", "APPEND", "GENERATE", "CONFIGURE"})

Scope = tuple[str, ...]


class CFile:
    """One file, or code that a build file writes. ``code``: its tokens with all macros expanded."""

    def __init__(self, source: SourceFile, unit: Unit, macros: Macros) -> None:
        self.source, self.unit, self._macros = source, unit, macros

    @cached_property
    def code(self) -> list[Token]:
        """Raises: Undecidable when macros come to too much."""
        try:
            return self._macros.expanded(self.unit.code)
        except Undecidable as error:
            raise Undecidable(f"{self.source.path}: {error}") from None

    @cached_property
    def view(self) -> View:
        """Raises: Undecidable when the code is too large or too deeply nested to be parsed."""
        return View(self)

    @cached_property
    def includes(self) -> list[Include]:
        """All that is taken in, those that macros name among them; then imports of modules."""
        found = list(self.unit.includes)
        for line, how, rest in self.unit.computed:
            header = self._macros.header(rest)
            excerpt = spelled(rest).strip()
            found.append(Include(header[0] if header else None, line, how, bool(header and header[1]), excerpt))
        found += _modules(self.code)
        return sorted(found, key=lambda include: include.line)

    def finding(self, token: Token, message: str) -> Finding:
        through = f" (through the macro {one_line(token.via, 60)})" if token.via else ""
        return self.source.finding(token.line, message + through)


class View:
    """The expanded code as text with its tree; places in it lead back to tokens."""

    def __init__(self, file: CFile) -> None:
        self.tokens = [token for token in file.code if token.kind != "newline"]
        parts: list[bytes] = []
        self.starts: list[int] = []
        position, line = 0, 0
        for token in self.tokens:
            # One token a column, with line breaks where the source has them: a reader of a dump finds the place.
            before = b"\n" if token.line != line else b" "
            text = token.text.encode("utf-8", "replace")
            if token.kind == "string":
                text = text.replace(b"\\\n", b"")
            parts += [before, text]
            self.starts.append(position + 1)
            position, line = position + 1 + len(text), token.line
        self.text = b"".join(parts)
        tree = parse_text(_parser(file.source.language or "cpp"), self.text)
        if tree is None:
            raise Undecidable(f"{file.source.path}: too large or too deeply nested to be parsed")
        self.tree: Tree = tree

    def token_of(self, node: Node) -> Token:
        return self.tokens[max(0, bisect_right(self.starts, node.start_byte) - 1)]

    def token_at(self, byte: int) -> Token:
        return self.tokens[max(0, bisect_right(self.starts, byte) - 1)]

    def node_at(self, index: int) -> Node | None:
        start = self.starts[index]
        length = len(self.tokens[index].text.encode("utf-8", "replace"))
        return self.tree.root_node.descendant_for_byte_range(start, start + length)

    @cached_property
    def errors(self) -> list[int]:
        """Lines at which the code does not parse."""
        return sorted({self.token_of(node).line for node, _ in self.walk() if node.is_error or node.is_missing})

    def walk(self) -> Iterator[tuple[Node, Scope]]:
        """Every node with the namespaces, classes and functions around it."""
        cursor = self.tree.walk()
        scopes: list[Scope] = [()]
        while True:
            node = cursor.node
            assert node is not None
            yield node, scopes[-1]
            scope = (*scopes[-1], *_opens(node))
            if cursor.goto_first_child():
                scopes.append(scope)
                continue
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return
                scopes.pop()


class CProject:
    """``given``: files that the problem gives, such as a header that the judge puts beside the submission."""

    def __init__(self, sources: Sources, given: frozenset[str] = frozenset()) -> None:
        self.sources, self.given = sources, given
        self.cmake: list[Command] = commands(sources)

    @cached_property
    def files(self) -> list[CFile]:
        """Every file that a compiler may see: by its name, named in a build file, or included by another."""
        found = [f for f in self.sources.files.values() if f.is_c_family]
        found += self._named(found)
        units = {file.path: (file, read(file.text)) for file in found}
        waiting = list(units.values())
        while waiting:
            file, unit = waiting.pop()
            for include in unit.includes:
                own = self.own(file.path, include)
                if own is not None and own not in units:
                    units[own] = (self.sources.files[own], read(self.sources.files[own].text))
                    waiting.append(units[own])
        every = [*units.values(), *self._written()]
        macros = Macros([*(macro for _, unit in every for macro in unit.macros), *self._defined()])
        return [CFile(file, unit, macros) for file, unit in every]

    def own(self, path: str, include: Include) -> str | None:
        """The file of the submission that an include takes; None: it comes from outside."""
        if include.name is None:
            return None
        name = posixpath.normpath(include.name)
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        if not include.angled and beside in self.sources.files:
            return beside
        if name.startswith(("/", "..")) or is_system(name):
            return None
        return next((p for p in self.sources.files if p == name or p.endswith(f"/{name}")), None)

    def is_given(self, include: Include) -> bool:
        if include.name is None or is_system(include.name):
            return False
        name = posixpath.normpath(include.name)
        return any(path == name or path.endswith(f"/{name}") for path in self.given)

    def forced(self) -> Iterator[Finding | tuple[SourceFile, Include]]:
        """Headers that a build file has the compiler take in."""
        for command in self.cmake:
            file = self.sources.files[command.file]
            if command.name == "target_precompile_headers":
                for word in command.arguments[1:]:
                    name = word.strip('<>"')
                    if name not in ("PRIVATE", "PUBLIC", "INTERFACE", "REUSE_FROM"):
                        yield file, Include(name, command.line, "precompile", word.startswith("<"))
            else:
                for name in _FORCED.findall(" ".join(command.arguments)):
                    yield file, Include(name.strip('<>"'), command.line, "-include", True)
        for file in self._build_files():
            for n, line in enumerate(file.lines, 1):
                for name in _FORCED.findall(line.partition("#")[0]):
                    yield file, Include(name, n, "-include", True)

    def generated(self) -> list[Finding]:
        """Build steps that make sources which nobody sees here."""
        found = []
        for command in self.cmake:
            file = self.sources.files[command.file]
            if command.name == "add_custom_command" and any(_SOURCE_NAME.search(word) for word in _made(command)):
                found.append(file.finding(command.line, "makes source code while building"))
            elif command.name == "execute_process":
                found.append(file.finding(command.line, "runs a program while building"))
        return found

    def _named(self, known: Sequence[SourceFile]) -> list[SourceFile]:
        """Files that a target names as sources, whatever their suffix."""
        seen = {file.path for file in known}
        found = []
        for target in targets(self.cmake):
            folder = posixpath.dirname(target.file)
            for word in target.sources:
                path = posixpath.normpath(posixpath.join(folder, word.replace("${CMAKE_CURRENT_SOURCE_DIR}/", "")))
                if path in self.sources.files and path not in seen:
                    seen.add(path)
                    found.append(self.sources.files[path])
        return found

    def _written(self) -> list[tuple[SourceFile, Unit]]:
        """Sources that ``file(WRITE ...)`` makes, read at the line of the command."""
        found = []
        for command in self.cmake:
            words = command.arguments
            if command.name == "file" and words and words[0] in _WRITING and any(map(_SOURCE_NAME.search, words[1:])):
                text = "\n".join(word for word in words[1:] if not _SOURCE_NAME.search(word))
                unit = read(text, command.line)
                unit.code = [token._replace(line=command.line) for token in unit.code]
                found.append((self.sources.files[command.file], unit))
        return found

    def _build_files(self) -> list[SourceFile]:
        return [file for path, file in self.sources.files.items() if _BUILD_FILES.search(path)]

    def _defined(self) -> list[Macro]:
        """Macros that a build file defines."""
        texts = []
        for command in self.cmake:
            if command.name in _DEFINING:
                texts += [word.removeprefix("-D") for word in command.arguments]
            texts += [text for word in command.arguments for text in _DEFINE.findall(word)]
        for file in self._build_files():
            texts += _DEFINE.findall(file.text)
        made = [definition(text) for text in texts if re.match(r"[A-Za-z_]\w*(?:\([\w, ]*\))?(?:=|$)", text)]
        # A bare word such as PRIVATE is no macro of interest: it would stand for 1.
        return [macro for macro in made if macro is not None and len(macro.body) and macro.body[0].text != "1"]


def _made(command: Command) -> list[str]:
    words, made, taking = command.arguments, [], False
    for word in words:
        if word.isupper() and "." not in word:
            taking = word in ("OUTPUT", "BYPRODUCTS")
        elif taking:
            made.append(word)
    return made


def _modules(code: Sequence[Token]) -> list[Include]:
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
                how = "import" if name[3] is None else "module"
                found.append(Include(spelled_name, token.line, how, angled))
        before = token.text
    return found


def _opens(node: Node) -> Scope:
    """What a node adds to the scope of what is in it."""
    match node.type:
        case "namespace_definition":
            name = node.child_by_field_name("name")
            return tuple(_text(name).replace(" ", "").split("::")) if name is not None else ()
        case "class_specifier" | "struct_specifier" | "union_specifier":
            name = node.child_by_field_name("name")
            if node.child_by_field_name("body") is None:
                return ()
            return (_last(name),) if name is not None else ("(anonymous)",)
        case "function_definition":
            return (*_qualifier(node.child_by_field_name("declarator")), f"(function {node.start_byte})")
        case "lambda_expression" | "compound_statement":
            return (f"(block {node.start_byte})",)
    return ()


def _qualifier(declarator: Node | None) -> Scope:
    """The classes and namespaces before the name in the definition of ``A::B::f``."""
    while declarator is not None and declarator.type != "qualified_identifier":
        inner = declarator.child_by_field_name("declarator")
        if inner is None and declarator.type == "reference_declarator":
            inner = declarator.named_children[0] if declarator.named_children else None
        declarator = inner
    found: list[str] = []
    while declarator is not None and declarator.type == "qualified_identifier":
        scope = declarator.child_by_field_name("scope")
        if scope is not None:
            found.append(_last(scope))
        declarator = declarator.child_by_field_name("name")
    return tuple(found)


def _last(name: Node | None) -> str:
    """The name itself of ``a::b<T>``."""
    while name is not None and name.type in ("template_type", "qualified_identifier"):
        name = name.child_by_field_name("name")
    return _text(name)


def _text(node: Node | None) -> str:
    return node.text.decode("utf-8", "replace") if node is not None and node.text is not None else ""


_PARSERS: dict[str, Parser] = {}


def _parser(language: str) -> Parser:
    if language not in _PARSERS:
        import tree_sitter_c
        import tree_sitter_cpp
        from tree_sitter import Language, Parser

        module = tree_sitter_c if language == "c" else tree_sitter_cpp
        _PARSERS[language] = Parser(Language(module.language()))
    return _PARSERS[language]
