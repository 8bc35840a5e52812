"""A source file in Python, Rust, Go, Java or JavaScript: its parse tree, its imports and their local names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from ....evidence.code.grammars import grammar_for, parse
from ..model import Finding, Undecidable
from ..sources import SourceFile, Sources
from ..tree import first_string_value, line_of, normalized_name, string_value, text_of, unescape, unquoted, walk

if TYPE_CHECKING:
    from tree_sitter import Node


class Import(Struct, frozen=True):
    """One import.

    Attributes:
        module: The imported module; None when it cannot be determined.
        line: The line, from 1.
        own: Whether the module is part of the submission.
    """

    module: str | None
    line: int
    own: bool = False


class LanguageFile:
    """A parsed source file in one of these languages.

    Attributes:
        aliases: The full name that each imported local name means.
        wildcards: Modules from which everything is imported.
        imports: All imports of the file.
    """

    def __init__(self, source: SourceFile, sources: Sources) -> None:
        self.source, self._sources = source, sources
        self.language = "javascript" if source.language in ("typescript", "tsx") else source.language or ""
        grammar = grammar_for(re.sub(r"\.(?:in|tmpl|template)$", "", source.path), "")
        text = source.text
        if self.language == "java":
            # The compiler decodes "\\u0052" everywhere, even in comments, which it may end.
            text = re.sub(r"(?<!\\)((?:\\\\)*)\\u+([0-9a-fA-F]{4})", lambda m: m[1] + chr(int(m[2], 16)), text)
        parsed = parse(grammar, text.encode("utf-8", "replace")) if grammar is not None else None
        if parsed is None:
            raise Undecidable(f"{source.path}: too large or too deeply nested to be parsed")
        self.root: Node = parsed[0].root_node
        self.nodes = list(walk(self.root))
        self.aliases: dict[str, str] = {}
        self.wildcards: list[str] = []
        self.imports: list[Import] = []
        _IMPORT_READERS[self.language](self)

    @cached_property
    def errors(self) -> list[int]:
        """Lines at which the file does not parse."""
        return sorted({line_of(node) for node in self.nodes if node.is_error or node.is_missing})

    def add_import(self, module: str | None, node: Node, own: bool = False) -> None:
        self.imports.append(Import(module, line_of(node), own))

    def finding(self, node: Node, message: str) -> Finding:
        return self.source.finding(line_of(node), message)

    def resolve(self, name: str, separator: str) -> str:
        first, dot, rest = name.partition(separator)
        return f"{self.aliases.get(first, first)}{dot}{rest}"

    def has_file(self, path: str) -> bool:
        """Whether the submission has this file."""
        return path in self._sources.files

    def is_source(self, path: str) -> bool:
        """Whether a file is read as code by the review, or does not exist."""
        return path not in self._sources.files or self._sources.files[path].language is not None

    def has_module(self, module: str) -> bool:
        """Whether the submission has a file or directory for a module of this name."""
        path = module.replace(".", "/")
        return any(
            p.startswith(f"{path}/") or p == f"{path}.py" or p.endswith(f"/{path}.py") for p in self._sources.files
        )


# -- imports ---------------------------------------------------------------------------------------------------------


def _read_python(file: LanguageFile) -> None:
    for node in file.nodes:
        if node.type == "import_statement":
            for child in node.named_children:
                name = child.child_by_field_name("name") if child.type == "aliased_import" else child
                module = normalized_name(name)
                alias = normalized_name(child.child_by_field_name("alias")) if child.type == "aliased_import" else ""
                file.add_import(module, node, file.has_module(module.split(".")[0]))
                file.aliases[alias or module.split(".")[0]] = module if alias else module.split(".")[0]
        elif node.type == "import_from_statement":
            source = node.child_by_field_name("module_name")
            module = normalized_name(source)
            own = (source is not None and source.type == "relative_import") or file.has_module(module.split(".")[0])
            file.add_import(module, node, own)
            for child in node.children_by_field_name("name"):
                aliased = child.type == "aliased_import"
                imported = normalized_name(child.child_by_field_name("name") if aliased else child)
                alias = normalized_name(child.child_by_field_name("alias")) if aliased else imported
                file.aliases[alias] = f"{module}.{imported}"
                if not own:
                    file.add_import(f"{module}.{imported}", node)
            if any(child.type == "wildcard_import" for child in node.children):
                file.wildcards.append(module)
        elif node.type == "call":
            called = node.child_by_field_name("function")
            function = normalized_name(called)
            function = file.aliases.get(function, function).rpartition(".")[2]
            if function in ("__import__", "import_module"):
                argument = first_string_value(node.child_by_field_name("arguments"))
                file.add_import(argument, node, bool(argument) and file.has_module((argument or "").split(".")[0]))


def _read_rust(file: LanguageFile) -> None:
    for node in file.nodes:
        if node.type == "use_declaration":
            for path, alias in _use_tree(node.child_by_field_name("argument"), ""):
                own = path.split("::")[0] in ("crate", "self", "super")
                file.add_import(path, node, own)
                if alias == "*":
                    file.wildcards.append(path)
                else:
                    file.aliases[alias] = path
        elif (
            node.type == "macro_invocation"
            and text_of(node.child_by_field_name("macro")).rpartition("::")[2] == "include"
        ):
            file.add_import(None, node)
        elif node.type == "extern_crate_declaration":
            file.add_import(normalized_name(node.child_by_field_name("name")), node)


def _use_tree(node: Node | None, prefix: str) -> Iterator[tuple[str, str]]:
    if node is None:
        return
    if node.type == "scoped_use_list":
        path = text_of(node.child_by_field_name("path")).replace(" ", "")
        for child in (node.child_by_field_name("list") or node).named_children:
            yield from _use_tree(child, f"{prefix}{path}::" if path else prefix)
    elif node.type == "use_list":
        for child in node.named_children:
            yield from _use_tree(child, prefix)
    elif node.type == "use_as_clause":
        path = prefix + text_of(node.child_by_field_name("path"))
        yield path.removesuffix("::self").removeprefix("::"), text_of(node.child_by_field_name("alias"))
    elif node.type == "use_wildcard":
        yield prefix + text_of(node).removesuffix("*").removesuffix("::"), "*"
    else:
        path = (prefix + re.sub(r"\s+", "", text_of(node))).removesuffix("::self").removeprefix("::")
        yield path, path.rsplit("::", 1)[-1]


def _read_go(file: LanguageFile) -> None:
    for node in file.nodes:
        if node.type == "import_spec":
            path = node.child_by_field_name("path")
            module = string_value(path) or unquoted(path)
            alias = text_of(node.child_by_field_name("name"))
            file.add_import(module, node)
            if alias == ".":
                file.wildcards.append(module)
            file.aliases[alias or module.rsplit("/", 1)[-1]] = module


def _read_java(file: LanguageFile) -> None:
    for node in file.nodes:
        if node.type == "import_declaration":
            name = re.sub(r"\s+", "", text_of(next((c for c in node.named_children if "identifier" in c.type), None)))
            file.add_import(name, node)
            if any(child.type == "asterisk" for child in node.children):
                file.wildcards.append(name)
            else:
                file.aliases[name.rsplit(".", 1)[-1]] = name


def _read_javascript(file: LanguageFile) -> None:
    for node in file.nodes:
        if node.type in ("import_statement", "export_statement"):
            source = node.child_by_field_name("source")
            if source is not None:
                module = string_value(source) or unquoted(source)
                file.add_import(module, node, module.startswith((".", "/")))
        elif node.type == "call_expression":
            function = re.sub(r"\s+", "", unescape(text_of(node.child_by_field_name("function"))))
            function = re.sub(r"\[[\"'`](\w+)[\"'`]\]$", r".\1", function)
            if function.replace("?.", ".").rpartition(".")[2] in (
                "require",
                "import",
                "getBuiltinModule",
            ) or re.fullmatch(r"createRequire\(.*\)", function, re.DOTALL):
                argument = first_string_value(node.child_by_field_name("arguments"))
                file.add_import(argument, node, bool(argument) and (argument or "").startswith((".", "/")))


_IMPORT_READERS = {
    "python": _read_python,
    "rust": _read_rust,
    "go": _read_go,
    "java": _read_java,
    "javascript": _read_javascript,
}
