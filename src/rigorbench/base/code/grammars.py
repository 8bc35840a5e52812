"""Tree-sitter grammars by file name, loaded when first used, with the queries that find units and tests in them.

Capture names of the unit queries: ``function`` and ``class`` are units that run; ``type`` declares without running
(struct, interface, enum); ``scope`` only gives its name to the units inside it (Rust ``impl``, Ruby ``module``);
``receiver`` is the type of a Go method; ``name`` is the unit's own name; ``comment`` is what a fingerprint leaves out.
"""

from __future__ import annotations

import importlib
import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from .parsing import parse_text

if TYPE_CHECKING:
    from tree_sitter import Node, Tree


class Grammar(Struct, frozen=True):
    """One language."""

    name: str
    module: str
    factory: str
    """The function of the module that returns the grammar."""
    units: str
    """The query that finds units and comments."""
    signs: tuple[str, ...]
    """Every text in which ``units`` finds a unit contains one of these."""
    tests: str = ""
    """The query that finds tests which are calls with a title."""
    wrap: tuple[str, str] | None = None
    """Text before and after a fragment of class members so that it parses (adds no line before it)."""

    def may_have_units(self, text: str) -> bool:
        """False if the text defines no unit. Most edits change a few lines inside one; nothing is parsed then."""
        return any(sign in text for sign in self.signs)


_PYTHON = """
(function_definition name: (identifier) @name) @function
(class_definition name: (identifier) @name) @class
(comment) @comment
(module . (expression_statement (string) @comment))
(block . (expression_statement (string) @comment))
"""

_SCRIPT = """
(function_declaration name: (identifier) @name) @function
(generator_function_declaration name: (identifier) @name) @function
(class_declaration name: (_) @name) @class
(class name: (_) @name) @class
(method_definition name: (_) @name) @function
(variable_declarator name: (identifier) @name
  value: [(arrow_function) (function_expression) (generator_function)]) @function
(variable_declarator name: (identifier) @name
  value: (call_expression arguments: (arguments [(arrow_function) (function_expression)]))
  (#match? @name "^([A-Z]|use[A-Z])")) @function
(assignment_expression
  left: [(member_expression property: (property_identifier) @name) (identifier) @name]
  right: [(arrow_function) (function_expression) (generator_function)]) @function
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @function
(comment) @comment
"""
_JAVASCRIPT = (
    _SCRIPT
    + """
(field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @function
"""
)
_TYPESCRIPT = (
    _SCRIPT
    + """
(abstract_class_declaration name: (_) @name) @class
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @function
(interface_declaration name: (_) @name) @type
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (_) @name) @type
"""
)
_SCRIPT_TESTS = """
(call_expression function: [
   (identifier) @callee
   (member_expression) @callee
   (call_expression function: (member_expression) @callee)]
  arguments: (arguments . [(string) (template_string) (identifier) (binary_expression)] @title)) @test
"""

_GO = """
(function_declaration name: (identifier) @name) @function
(method_declaration receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @receiver
    (generic_type type: (type_identifier) @receiver)
    (pointer_type (type_identifier) @receiver)
    (pointer_type (generic_type type: (type_identifier) @receiver))]))
  name: (field_identifier) @name) @function
(type_spec name: (type_identifier) @name) @type
(comment) @comment
"""

_RUST = """
(function_item name: (identifier) @name) @function
(macro_definition name: (identifier) @name) @function
(impl_item type: [
  (type_identifier) @name
  (generic_type type: (type_identifier) @name)
  (scoped_type_identifier name: (type_identifier) @name)]) @scope
(trait_item name: (type_identifier) @name) @type
(struct_item name: (type_identifier) @name) @type
(enum_item name: (type_identifier) @name) @type
(union_item name: (type_identifier) @name) @type
(line_comment) @comment
(block_comment) @comment
"""

_JAVA = """
(method_declaration name: (identifier) @name) @function
(constructor_declaration name: (identifier) @name) @function
(compact_constructor_declaration name: (identifier) @name) @function
(class_declaration name: (identifier) @name) @class
(enum_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @type
(annotation_type_declaration name: (identifier) @name) @type
(line_comment) @comment
(block_comment) @comment
"""

_RUBY = """
(method name: (_) @name) @function
(singleton_method name: (_) @name) @function
(class name: (_) @name) @class
(module name: (_) @name) @scope
(comment) @comment
"""
_RUBY_TESTS = """
(call method: (identifier) @callee arguments: (argument_list . (_) @title)? block: (_)) @test
"""

_PHP = """
(function_definition name: (name) @name) @function
(method_declaration name: (name) @name) @function
(class_declaration name: (name) @name) @class
(trait_declaration name: (name) @name) @class
(enum_declaration name: (name) @name) @class
(interface_declaration name: (name) @name) @type
(comment) @comment
"""
_PHP_TESTS = """
(function_call_expression function: (name) @callee arguments: (arguments . (argument (_) @title))) @test
"""

_CSHARP = """
(method_declaration name: (identifier) @name) @function
(local_function_statement name: (identifier) @name) @function
(constructor_declaration name: (identifier) @name) @function
(class_declaration name: (identifier) @name) @class
(struct_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @type
(enum_declaration name: (identifier) @name) @type
(comment) @comment
"""

_C = """
(function_definition declarator: (function_declarator declarator: (identifier) @name)) @function
(function_definition declarator: (pointer_declarator
  declarator: (function_declarator declarator: (identifier) @name))) @function
(struct_specifier name: (type_identifier) @name body: (_)) @type
(enum_specifier name: (type_identifier) @name body: (_)) @type
(comment) @comment
"""
_CPP_NAMES = "[(identifier) (field_identifier) (destructor_name) (operator_name) (qualified_identifier)] @name"
_CPP = f"""
(function_definition declarator: (function_declarator declarator: {_CPP_NAMES})) @function
(function_definition declarator: (pointer_declarator
  declarator: (function_declarator declarator: {_CPP_NAMES}))) @function
(function_definition declarator: (reference_declarator (function_declarator declarator: {_CPP_NAMES}))) @function
(class_specifier name: (type_identifier) @name body: (_)) @class
(struct_specifier name: (type_identifier) @name body: (_)) @class
(enum_specifier name: (type_identifier) @name body: (_)) @type
(comment) @comment
"""
_CPP_TESTS = """
(function_definition declarator: (function_declarator declarator: (identifier) @callee
  parameters: (parameter_list) @title)) @test
"""

_CLASS = ("class _ {", "\n}")
_SCRIPT_SIGNS = ("{", "=>", "function", "class", "type", "interface", "enum")
_JAVA_SIGNS = ("(", "class", "enum", "interface", "record", "struct")
_RUST_SIGNS = ("fn", "impl", "struct", "enum", "trait", "union", "macro_rules")
_PHP_SIGNS = ("function", "class", "trait", "enum", "interface")
_C_SIGNS = ("{", "default", "delete")


def _script(name: str, module: str, factory: str, units: str) -> Grammar:
    return Grammar(name, module, factory, units, _SCRIPT_SIGNS, _SCRIPT_TESTS, _CLASS)


_GRAMMARS = {
    g.name: g
    for g in (
        Grammar("python", "tree_sitter_python", "language", _PYTHON, ("def", "class")),
        _script("javascript", "tree_sitter_javascript", "language", _JAVASCRIPT),
        _script("typescript", "tree_sitter_typescript", "language_typescript", _TYPESCRIPT),
        _script("tsx", "tree_sitter_typescript", "language_tsx", _TYPESCRIPT),
        Grammar("go", "tree_sitter_go", "language", _GO, ("func", "type")),
        Grammar("rust", "tree_sitter_rust", "language", _RUST, _RUST_SIGNS),
        Grammar("java", "tree_sitter_java", "language", _JAVA, _JAVA_SIGNS, wrap=_CLASS),
        Grammar("ruby", "tree_sitter_ruby", "language", _RUBY, ("def", "class", "module"), _RUBY_TESTS),
        Grammar("php", "tree_sitter_php", "language_php", _PHP, _PHP_SIGNS, _PHP_TESTS),
        Grammar("php_only", "tree_sitter_php", "language_php_only", _PHP, _PHP_SIGNS, _PHP_TESTS, _CLASS),
        Grammar("csharp", "tree_sitter_c_sharp", "language", _CSHARP, _JAVA_SIGNS, wrap=_CLASS),
        Grammar("c", "tree_sitter_c", "language", _C, _C_SIGNS),
        Grammar("cpp", "tree_sitter_cpp", "language", _CPP, _C_SIGNS, _CPP_TESTS),
    )
}
_EXTENSIONS = {
    extension: name
    for name, extensions in {
        "python": "py pyi pyw",
        "javascript": "js mjs cjs jsx",
        "typescript": "ts mts cts",
        "tsx": "tsx",
        "go": "go",
        "rust": "rs",
        "java": "java",
        "ruby": "rb rake",
        "php": "php",
        "csharp": "cs",
        "c": "c h",
        "cpp": "cc cpp cxx c++ hpp hh hxx h++ ipp cu cuh",
    }.items()
    for extension in extensions.split()
}


_OTHER_SOURCE = frozenset((
    "kt kts swift scala m mm lua pl pm r jl ex exs erl hs ml fs fsx clj cljs dart zig nim vb sol sh bash zsh ps1 sql "
    "vue svelte astro groovy gradle cr d f90 asm s proto"
).split())  # fmt: skip


def is_source(path: str) -> bool:
    """Whether the file contains program text, by its name (in a language with a grammar or without)."""
    extension = path.rsplit(".", 1)[-1].lower() if "." in path.rsplit("/", 1)[-1] else ""
    return extension in _EXTENSIONS or extension in _OTHER_SOURCE


def grammar_for(path: str, text: str) -> Grammar | None:
    """The grammar for a file of that name, or None. ``text`` settles C or C++, and whole PHP file or fragment."""
    name = _EXTENSIONS.get(path.rsplit(".", 1)[-1].lower()) if "." in path else None
    if name == "c" and path.endswith(("h", "H")) and any(w in text for w in ("class ", "namespace ", "template", "::")):
        name = "cpp"
    elif name == "php" and "<?" not in text:
        name = "php_only"
    return None if name is None else _GRAMMARS[name]


class _Loaded:
    """A grammar ready for use. Comments have a query of their own: most texts contain many, few callers need them."""

    def __init__(self, grammar: Grammar) -> None:
        from tree_sitter import Language, Parser, Query

        language = Language(getattr(importlib.import_module(grammar.module), grammar.factory)())
        lines = grammar.units.splitlines()
        self.parser = Parser(language)
        self.units = Query(language, "\n".join(line for line in lines if "@comment" not in line))
        self.comments = Query(language, "\n".join(line for line in lines if "@comment" in line))
        self.tests = Query(language, grammar.tests) if grammar.tests else None


@cache
def _load(name: str) -> _Loaded:
    return _Loaded(_GRAMMARS[name])


@lru_cache(maxsize=16)
def parse(grammar: Grammar, source: bytes) -> tuple[Tree, bytes, int] | None:
    """The syntax tree, the bytes that it describes, and how many of them were put before ``source``.

    None: no text of that language, or too large a text. A fragment of class members that does not parse by itself is
    wrapped in a class on its own first line.
    """
    parser = _load(grammar.name).parser
    tree = parse_text(parser, source)
    if tree is None:
        return None
    if grammar.wrap is not None and tree.root_node.has_error and _is_balanced(source):
        before = grammar.wrap[0].encode()
        wrapped = before + source + grammar.wrap[1].encode()
        other = parse_text(parser, wrapped)
        if other is not None and not other.root_node.has_error:
            return other, wrapped, len(before)
    return tree, source, 0


# Strings and comments, in which brackets mean nothing.
_NO_CODE = re.compile(rb"""//[^\n]*|/\*[\s\S]*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`""")


def _is_balanced(source: bytes) -> bool:
    """Whether as many brackets close as open. A fragment with others does not parse inside a class either."""
    pairs = ((b"{", b"}"), (b"(", b")"))
    if any(source.count(a) != source.count(b) for a, b in pairs):
        source = _NO_CODE.sub(b"", source)
    return all(source.count(a) == source.count(b) for a, b in pairs)


Matches = list[tuple[int, dict[str, list["Node"]]]]


def unit_matches(grammar: Grammar, node: Node) -> Matches:
    from tree_sitter import QueryCursor

    return QueryCursor(_load(grammar.name).units).matches(node)


def comment_ranges(grammar: Grammar, node: Node) -> list[tuple[int, int]]:
    """First byte and end of each comment (and docstring) under a node."""
    from tree_sitter import QueryCursor

    found = QueryCursor(_load(grammar.name).comments).captures(node)
    return [(c.start_byte, c.end_byte) for c in found.get("comment", ())]


def test_matches(grammar: Grammar, node: Node) -> Matches:
    from tree_sitter import QueryCursor

    query = _load(grammar.name).tests
    return [] if query is None else QueryCursor(query).matches(node)
