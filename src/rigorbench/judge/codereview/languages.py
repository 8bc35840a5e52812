"""Python, Rust, Go, Java and JavaScript: parse trees, imports, the names that code uses, and forbidden constructs.

A name is resolved through the imports of its file, so that ``from os import system as run`` makes ``run`` "os.system".
What code does with names at run time is not followed; the preset dynamic-code forbids it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from ...base.code.grammars import grammar_for, parse
from .result import Undecidable, Violation
from .sources import SourceFile, SubmissionSources
from .spec import PRESETS

if TYPE_CHECKING:
    from tree_sitter import Node

_TEMPLATE = re.compile(r"\.(?:in|tmpl|template)$")
# The node types whose text is a used name.
_NAMES = {
    "python": ("attribute", "identifier"),
    "rust": ("scoped_identifier", "scoped_type_identifier", "identifier", "type_identifier"),
    "go": ("selector_expression", "qualified_type", "identifier"),
    "java": ("type_identifier", "scoped_type_identifier"),
    "javascript": ("member_expression", "subscript_expression", "identifier"),
}
_JAVASCRIPT_GLOBALS = re.compile(r"^(?:(?:globalThis|global|window|self)\.)+")
_JAVASCRIPT_FUNCTIONS = ("function_declaration", "generator_function_declaration", "class_declaration")
_FUNCTION_VALUES = ("arrow_function", "function_expression", "class")
_MUTABLE_PYTHON = frozenset("list dictionary set list_comprehension dictionary_comprehension set_comprehension".split())
_MUTABLE_CALLS = frozenset("list dict set bytearray defaultdict deque Counter OrderedDict array".split())
_CHANGING = "append|extend|insert|pop|popitem|remove|clear|sort|reverse|add|discard|update|setdefault"
_MUTABLE_RUST = re.compile(r"\b(?:Mutex|RwLock|RefCell|Cell|UnsafeCell|Atomic\w+|OnceCell|OnceLock|LazyLock|Lazy)\b")


def walk(root: Node) -> Iterator[Node]:
    cursor = root.walk()
    while True:
        assert cursor.node is not None
        yield cursor.node
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


def text_of(node: Node | None) -> str:
    return node.text.decode("utf-8", "replace") if node is not None and node.text is not None else ""


def _name(node: Node | None) -> str:
    """A name without white space, in the normal form (NFKC) in which Python compares names."""
    return unicodedata.normalize("NFKC", re.sub(r"\s+", "", text_of(node)))


def _literal(node: Node | None) -> str | None:
    """The text of a string literal; None for anything else."""
    is_plain = node is not None and "string" in node.type and not any("substitut" in c.type for c in node.children)
    return text_of(node).strip("\"'`") if is_plain else None


def _first_argument(call: Node) -> str | None:
    arguments = call.child_by_field_name("arguments")
    return _literal(arguments.named_children[0]) if arguments is not None and arguments.named_children else None


class Import(Struct, frozen=True):
    """One import of a module (None: it cannot be determined), which may be the submission's `own`."""

    module: str | None
    line: int
    own: bool = False


class LanguageFile:
    """A parsed source file in one of these languages.

    `language`: "python", "rust", "go", "java" or "javascript" (TypeScript as well). `separator`: What stands between
    the parts of a module's name. `aliases`: The full name that each imported local name means. `wildcards`: Modules
    from which everything is imported.
    """

    def __init__(self, source: SourceFile, sources: SubmissionSources) -> None:
        self.source, self._sources = source, sources
        self.language = "javascript" if source.language in ("typescript", "tsx") else source.language or ""
        self.separator = {"rust": "::", "go": "/"}.get(self.language, ".")
        grammar = grammar_for(_TEMPLATE.sub("", source.path), "")
        parsed = parse(grammar, source.text.encode("utf-8", "replace")) if grammar is not None else None
        if parsed is None:
            raise Undecidable(f"{source.path}: too large or too deeply nested to be parsed")
        self.root: Node = parsed[0].root_node
        self.nodes = list(walk(self.root))
        self.aliases: dict[str, str] = {}
        self.wildcards: list[str] = []
        self.imports: list[Import] = []
        for node in self.nodes:
            _read_imports(self, node)

    @cached_property
    def errors(self) -> list[int]:
        """Lines at which the file does not parse."""
        return sorted({node.start_point[0] + 1 for node in self.nodes if node.is_error or node.is_missing})

    @cached_property
    def modules(self) -> frozenset[str] | None:
        """Every name in its imports that may be that of a file; None: one of them cannot be determined."""
        if any(found.module is None for found in self.imports):
            return None
        names = [name for found in self.imports for name in re.split(r"\W+", found.module or "")]
        items = (node for node in self.nodes if node.type in ("mod_item", "attribute_item", "wildcard_import"))
        return frozenset(
            (*names, *self.aliases, *(w for node in items for w in re.findall(r"\w+", text_of(node)[:999])))
        )

    def add_import(self, module: str | None, node: Node, own: bool = False) -> None:
        self.imports.append(Import(module, node.start_point[0] + 1, own))

    def finding(self, node: Node, message: str) -> Violation:
        return self.source.finding(node.start_point[0] + 1, message)

    def has_module(self, module: str) -> bool:
        """Whether the submission has a file or directory for a Python module of this name."""
        path = module.split(".")[0]
        return any(
            p.startswith(f"{path}/") or p == f"{path}.py" or p.endswith(f"/{path}.py") for p in self._sources.files
        )

    def meanings(self, name: str, separator: str) -> Iterator[str]:
        """The full names that a name may mean by the imports of the file."""
        first, found, rest = name.partition(separator)
        yield f"{self.aliases.get(first, first)}{found}{rest}"
        yield from (f"{star}{separator}{name}" for star in self.wildcards)

    def code_lines(self) -> Iterator[tuple[int, str]]:
        """The lines of code without comments and the content of strings."""
        data = bytearray(self.root.text or b"")
        shift = self.root.start_byte
        for node in self.nodes:
            if "comment" in node.type or node.type in ("string_content", "string_fragment", "escape_sequence"):
                begin, end = node.start_byte - shift, node.end_byte - shift
                data[begin:end] = re.sub(rb"[^\n]", b" ", bytes(data[begin:end]))
        first = self.root.start_point[0] + 1
        for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), first):
            if line.strip():
                yield number, line.strip()


# -- imports ---------------------------------------------------------------------------------------------------------


def _read_imports(file: LanguageFile, node: Node) -> None:
    match file.language, node.type:
        case "python", "import_statement":
            for child in node.named_children:
                is_aliased = child.type == "aliased_import"
                module = _name(child.child_by_field_name("name") if is_aliased else child)
                first = module.split(".")[0]
                file.add_import(module, node, file.has_module(module))
                file.aliases[_name(child.child_by_field_name("alias")) or first] = module if is_aliased else first
        case "python", "import_from_statement":
            source = node.child_by_field_name("module_name")
            module = _name(source)
            own = (source is not None and source.type == "relative_import") or file.has_module(module)
            file.add_import(module, node, own)
            for child in node.children_by_field_name("name"):
                imported = _name(child.child_by_field_name("name") or child)
                file.aliases[_name(child.child_by_field_name("alias")) or imported] = f"{module}.{imported}"
                if not own:
                    file.add_import(f"{module}.{imported}", node)
            if any(child.type == "wildcard_import" for child in node.children):
                file.wildcards.append(module)
        case "python", "call":
            function = _name(node.child_by_field_name("function"))
            if file.aliases.get(function, function).rpartition(".")[2] in ("__import__", "import_module"):
                module = _first_argument(node) or ""
                file.add_import(module or None, node, file.has_module(module))
        case "rust", "use_declaration":
            for path, alias in _use_tree(node.child_by_field_name("argument"), ""):
                file.add_import(path, node, path.split("::")[0] in ("crate", "self", "super"))
                if alias == "*":
                    file.wildcards.append(path)
                else:
                    file.aliases[alias] = path
        case "rust", "macro_invocation" if text_of(node.child_by_field_name("macro")) in ("include", "std::include"):
            file.add_import(None, node)
        case "rust", "extern_crate_declaration":
            file.add_import(_name(node.child_by_field_name("name")), node)
        case "go", "import_spec":
            module = _literal(node.child_by_field_name("path")) or ""
            alias = text_of(node.child_by_field_name("name"))
            file.add_import(module, node)
            if alias == ".":
                file.wildcards.append(module)
            file.aliases[alias or module.rsplit("/", 1)[-1]] = module
        case "java", "import_declaration":
            name = _name(next((c for c in node.named_children if "identifier" in c.type), None))
            file.add_import(name, node)
            if any(child.type == "asterisk" for child in node.children):
                file.wildcards.append(name)
            else:
                file.aliases[name.rsplit(".", 1)[-1]] = name
        case "javascript", "import_statement" | "export_statement":
            if (source := node.child_by_field_name("source")) is not None:
                file.add_import(found := _literal(source), node, (found or "").startswith((".", "/")))
        case "javascript", "call_expression":
            function = _javascript_path(node.child_by_field_name("function")).rpartition(".")[2]
            if function in ("require", "import", "getBuiltinModule"):
                file.add_import(found := _first_argument(node), node, (found or "").startswith((".", "/")))


def _use_tree(node: Node | None, prefix: str) -> Iterator[tuple[str, str]]:
    """Each path that a "use" imports, with its local name, or "*"."""
    if node is None:
        return
    if node.type in ("scoped_use_list", "use_list"):
        path = _name(node.child_by_field_name("path"))
        for child in (node.child_by_field_name("list") or node).named_children:
            yield from _use_tree(child, f"{prefix}{path}::" if path else prefix)
        return
    alias = node.child_by_field_name("alias")
    path = prefix + _name(node.child_by_field_name("path") if alias is not None else node)
    if node.type == "use_wildcard":
        yield path.removesuffix("*").removesuffix("::"), "*"
        return
    path = path.removesuffix("::self").removeprefix("::")
    yield path, text_of(alias) or path.rsplit("::", 1)[-1]


# -- names -----------------------------------------------------------------------------------------------------------


def _used_names(file: LanguageFile) -> Iterator[tuple[str, Node]]:
    """The full names that a file may use; the same use can have several."""
    separator = "::" if file.language == "rust" else "."
    own: set[str] = set()  # functions, classes and parameters that a file of JavaScript declares itself
    for node in file.nodes if file.language == "javascript" else ():
        value = node.child_by_field_name("value") if node.type == "variable_declarator" else None
        if node.type in _JAVASCRIPT_FUNCTIONS or (value is not None and value.type in _FUNCTION_VALUES):
            own.add(text_of(node.child_by_field_name("name")))
        elif node.type == "formal_parameters":
            own.update(text_of(child) for child in node.named_children)
    for node in file.nodes:
        parent = node.parent
        if node.type in _NAMES[file.language] and not (parent is not None and _is_last_part(node, parent)):
            name = _javascript_path(node) if file.language == "javascript" else _name(node)
            if file.language == "rust":
                name = re.sub(r"^(?:(?:crate|self|super)?::)+|<.*", "", name)
            if name.partition(separator)[0] not in own:
                yield from ((meaning, node) for meaning in file.meanings(name, separator))
            if file.language == "java":
                yield name.rpartition(".")[2], node
        elif node.type == "class_literal":
            yield f"{_name(node.named_children[0]).rpartition('.')[2]}.class", node
        elif node.type == "method_reference":
            text = _name(node).replace("::", ".")
            yield from ((name, node) for name in (text, f"*.{text.rpartition('.')[2]}"))
        elif node.type == "method_invocation":
            name, owner = text_of(node.child_by_field_name("name")), node.child_by_field_name("object")
            if owner is None:
                # A method of the class itself, or one imported by "import static".
                yield ".".join(file.aliases.get(name, name).split(".")[-2:]), node
                yield from ((f"{star.rpartition('.')[2]}.{name}", node) for star in file.wildcards)
            else:
                yield f"{_name(owner).rpartition('.')[2]}.{name}", node
                if owner.type != "this":
                    yield f"*.{name}", node
        elif node.type == "token_tree" and parent is not None and parent.type != "token_tree":
            # The arguments or the body of a macro of Rust, which the grammar does not parse.
            for name in re.findall(r"\w+(?:\s*::\s*\w+)+", text_of(node)):
                yield from ((meaning, node) for meaning in file.meanings(re.sub(r"\s", "", name), separator))
        elif node.type == "foreign_mod_item":
            signatures = (n for n in walk(node) if n.type == "function_signature_item")
            yield from ((f"libc::{text_of(n.child_by_field_name('name'))}", n) for n in signatures)


def _is_last_part(node: Node, parent: Node) -> bool:
    """Whether an identifier is a member or a declared name, and so no use by itself."""
    members = ("attribute", "field", "property") if node.type.endswith("identifier") else ()
    if any(parent.child_by_field_name(name) == node for name in members):
        return True
    if parent.type in ("keyword_argument", "function_definition", "class_definition", "parameters", "import_spec"):
        return parent.child_by_field_name("name") == node or parent.type == "parameters"
    return parent.type in ("dotted_name", "aliased_import", "scoped_identifier", "scoped_type_identifier", "use_list")


def _javascript_path(node: Node | None) -> str:
    """The name "a.b.c" of a member; a subscript with a literal counts as one."""
    path = re.sub(r"\[[\"'`](\w+)[\"'`]\]", r".\1", _name(node).replace("?.", "."))
    return _JAVASCRIPT_GLOBALS.sub("", path)


def _forbidden_as(name: str, known: dict[str, str], separators: tuple[str, ...]) -> str | None:
    """The description under which a name, or the module it belongs to, is forbidden; None when it is allowed."""
    for entry, what in known.items():
        if name == entry or name.startswith(tuple(f"{entry}{separator}" for separator in separators)):
            return what
    return None


# -- constructs ------------------------------------------------------------------------------------------------------


def findings(file: LanguageFile, presets: Sequence[str], names: Sequence[str]) -> Iterator[Violation]:
    """Every forbidden construct in one file."""
    language, separators = file.language, (file.separator, ".")
    modules: dict[str, str] = {}
    forbidden: dict[str, str] = {}
    nodes: dict[str, str] = {}
    for preset in (PRESETS[name] for name in presets):
        for target, words in ((modules, preset.modules), (forbidden, preset.names), (nodes, preset.nodes)):
            target.update({w.partition(":")[2]: preset.what for w in words if w.startswith(f"{language}:")})
    forbidden.update(dict.fromkeys(names, "a forbidden name"))
    for found in file.imports:
        what = found.module is not None and not found.own and _forbidden_as(found.module, modules, separators)
        if what:
            yield file.source.finding(found.line, f"{found.module}: {what}")
        elif found.module is None and (modules or "dynamic-code" in presets):
            yield file.source.finding(found.line, "the imported module cannot be determined")
    # In Go and JavaScript a module is only used by its import; in Python one inside another also by its name.
    inner = {name: what for name, what in modules.items() if language != "python" or "." in name}
    used = {**forbidden, **(inner if language in ("rust", "python", "java") else {})}
    for name, node in _used_names(file):
        what = _forbidden_as(name, used, separators)
        if what is not None:
            yield file.finding(node, f"{name}: {what}")
    for node in file.nodes:
        kind = node.type
        if kind == "macro_invocation":
            kind = f"macro:{text_of(node.child_by_field_name('macro')).rsplit('::', 1)[-1]}"
        elif kind == "unsafe_block" or (kind == "function_modifiers" and "unsafe" in text_of(node).split()):
            kind = "unsafe"
        if kind in nodes:
            yield file.finding(node, nodes[kind])
    if "global-state" in presets:
        yield from _global_state(file)
    if "exceptions-swallowed" in presets:
        yield from _swallowed_exceptions(file)


def _global_state(file: LanguageFile) -> Iterator[Violation]:
    for node in file.nodes:
        parent = node.parent
        match file.language, node.type:
            case "python", "global_statement":
                yield file.finding(node, f"{text_of(node)}: a function rebinds a global variable")
            case "python", "assignment" if (
                parent is not None and parent.parent is not None and parent.parent.type == "module"
            ):
                left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
                name = _name(left)
                kind = right.type if right is not None else ""
                called = _name(right.child_by_field_name("function")) if right is not None and kind == "call" else ""
                is_mutable = kind in _MUTABLE_PYTHON or called.rsplit(".", 1)[-1] in _MUTABLE_CALLS
                if is_mutable and not name.startswith("__") and not name.isupper():
                    yield file.finding(node, f"{name}: a global variable that can change")
            case "python", "default_parameter" | "typed_default_parameter" if _is_kept_between_calls(node):
                yield file.finding(node, f"{text_of(node)[:60]}: a default value that calls change")
            case "rust", "static_item":
                if any(child.type == "mutable_specifier" for child in node.children):
                    yield file.finding(node, "static mut: a global variable that can change")
                elif _MUTABLE_RUST.search(text_of(node.child_by_field_name("type"))):
                    yield file.finding(node, "a static with interior mutability")
            case "rust", "macro_invocation" if text_of(node.child_by_field_name("macro")) in (
                "thread_local",
                "lazy_static",
            ):
                yield file.finding(node, "a static with interior mutability")
            case "go", "var_spec":
                while parent is not None and parent.type in ("var_declaration", "var_spec_list"):
                    parent = parent.parent
                if parent is None or parent.type != "source_file":
                    continue
                value = text_of(node.child_by_field_name("value"))
                names = [text_of(child) for child in node.children_by_field_name("name")]
                errors = all(n[:3] in ("Err", "err") for n in names) and re.match(r"errors\.New\(|fmt\.Errorf\(", value)
                if names != ["_"] and not errors:
                    yield file.finding(node, f"{', '.join(names)}: a variable of the package that can change")
            case "java", "field_declaration":
                words = text_of(next((c for c in node.children if c.type == "modifiers"), None)).split()
                if "static" in words and "final" not in words:
                    yield file.finding(node, "a static field that can change")
            case "javascript", "lexical_declaration" | "variable_declaration":
                if parent is not None and parent.type == "program" and not text_of(node).startswith("const"):
                    yield file.finding(node, "a global variable that can change")


def _is_kept_between_calls(parameter: Node) -> bool:
    """Whether a function of Python changes the list or the like that is the default value of a parameter."""
    value, function = parameter.child_by_field_name("value"), parameter.parent and parameter.parent.parent
    if value is None or value.type not in _MUTABLE_PYTHON or not function:
        return False
    name = re.escape(_name(parameter.child_by_field_name("name")))
    body = text_of(function.child_by_field_name("body"))
    return re.search(rf"\b{name}(?:\.(?:{_CHANGING})\(|\[[^\]\n]*\]\s*[-+*/|&]?=[^=])", body) is not None


def _swallowed_exceptions(file: LanguageFile) -> Iterator[Violation]:
    for node in file.nodes:
        if node.type == "except_clause":
            body = next((child for child in node.children if child.type == "block"), None)
            statements = [c for c in body.named_children if c.type != "comment"] if body is not None else []
            caught = text_of(node.named_children[0]) if node.named_children else ""
            # Whether a file is there can only be asked by opening it.
            absent = caught in ("FileNotFoundError", "FileExistsError")
            if not absent and all(s.type == "pass_statement" or text_of(s) == "..." for s in statements):
                yield file.finding(node, "an exception is caught and ignored")
        elif node.type == "finally_clause":
            block = node.named_children[-1] if node.named_children else None
            if any(child.type == "return_statement" for child in (block.named_children if block is not None else ())):
                yield file.finding(node, "an exception is dropped by a return in finally")
        elif node.type == "catch_clause":
            body = node.child_by_field_name("body")
            if body is not None and not [c for c in body.named_children if "comment" not in c.type]:
                yield file.finding(node, "an exception is caught and ignored")
