"""Forbidden constructs of Python, Rust, Go, Java and JavaScript, by what names stand for in each file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .model import Finding
from .otherfile import OtherFile
from .presets import PRESETS
from .tree import first_string, name_of, string_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

SEPARATORS = {"rust": "::", "go": "/"}
_MUTABLE_PYTHON = frozenset("list dictionary set list_comprehension dictionary_comprehension set_comprehension".split())
_MUTABLE_CALLS = frozenset("list dict set bytearray defaultdict deque Counter OrderedDict array".split())
_MUTABLE_RUST = re.compile(r"\b(?:Mutex|RwLock|RefCell|Cell|UnsafeCell|Atomic\w+|OnceCell|OnceLock|LazyLock|Lazy)\b")


def findings(file: OtherFile, presets: Sequence[str], names: Sequence[str]) -> Iterator[Finding]:
    """Every forbidden construct in one file."""
    language, separator = file.language, SEPARATORS.get(file.language, ".")
    modules: dict[str, str] = {}
    wanted: dict[str, str] = {}
    nodes: dict[str, str] = {}
    for name in presets:
        preset = PRESETS[name]
        for target, words in ((modules, preset.modules), (wanted, preset.names), (nodes, preset.nodes)):
            target.update({w.partition(":")[2]: preset.what for w in words if w.startswith(f"{language}:")})
    wanted.update(dict.fromkeys(names, "a forbidden name"))
    for found in file.imports:
        what = found.module is not None and not found.own and under(found.module, modules, separator)
        if what:
            yield file.source.finding(found.line, f"{found.module}: {what}")
        elif found.module is None and (modules or "dynamic-code" in presets):
            yield file.source.finding(found.line, "imports what cannot be told")
    for name, node in _USES[language](file):
        what = under(name, wanted, "." if language != "rust" else "::") or (
            under(name, modules, separator) if language in ("rust", "python", "java") else None
        )
        if what is not None:
            yield file.finding(node, f"{name}: {what}")
    for node in file.nodes:
        what = nodes.get(node.type)
        if what is None and language == "rust":
            if node.type == "macro_invocation":
                what = nodes.get(f"macro:{text_of(node.child_by_field_name('macro')).rsplit('::', 1)[-1]}")
            elif node.type in ("unsafe_block",) or (
                node.type == "function_modifiers" and "unsafe" in text_of(node).split()
            ):
                what = nodes.get("unsafe")
        if what is not None:
            yield file.finding(node, what)
    if "global-state" in presets:
        yield from _global_state(file)
    if "exceptions-swallowed" in presets:
        yield from _swallowed(file)


def under(name: str, known: dict[str, str], separator: str) -> str | None:
    """What a name or module is forbidden as: it, or what it belongs to."""
    for one, what in known.items():
        if name == one or name.startswith((f"{one}{separator}", f"{one}.")):
            return what
    return None


# -- uses ------------------------------------------------------------------------------------------------------------


def _python_uses(file: OtherFile) -> Iterator[tuple[str, Node]]:
    for node in file.nodes:
        if node.type in ("assignment", "named_expression"):
            # A module under another name: o = os.
            target = node.child_by_field_name("left") or node.child_by_field_name("name")
            value = _dotted(node.child_by_field_name("right") or node.child_by_field_name("value"))
            if target is not None and value is not None and value.partition(".")[0] in file.aliases:
                file.aliases.setdefault(name_of(target), file.resolve(value, "."))
    for node in file.nodes:
        if node.type == "attribute":
            name = _dotted(node)
            if name is not None:
                yield _builtin(file.resolve(name, ".")), node
        elif node.type == "identifier" and not _is_part(node):
            name = name_of(node)
            yield _builtin(file.aliases.get(name, name)), node
            yield from ((f"{module}.{name}", node) for module in file.stars)
        elif node.type == "call" and name_of(node.child_by_field_name("function")) == "getattr":
            arguments = node.child_by_field_name("arguments")
            owner = _dotted(arguments.named_children[0]) if arguments and arguments.named_children else None
            text = string_of(arguments.named_children[1]) if arguments and len(arguments.named_children) > 1 else None
            if owner is not None and owner.partition(".")[0] in file.aliases:
                yield f"{file.resolve(owner, '.')}.{text}" if text is not None else "eval", node
        elif node.type == "subscript":
            owner = _dotted(node.child_by_field_name("value"))
            text = string_of(node.child_by_field_name("subscript"))
            if owner in ("sys.modules", "__builtins__.__dict__", "globals()") and text is not None:
                yield text, node
            elif owner is not None and owner.endswith(".__dict__") and text is not None:
                yield _builtin(f"{file.resolve(owner.removesuffix('.__dict__'), '.')}.{text}"), node


def _builtin(name: str) -> str:
    return name.removeprefix("builtins.").removeprefix("__builtins__.")


def _dotted(node: Node | None) -> str | None:
    """ "a.b.c"; an import by a call counts as its module."""
    if node is None:
        return None
    if node.type == "identifier":
        return name_of(node)
    if node.type == "attribute":
        owner = _dotted(node.child_by_field_name("object"))
        return None if owner is None else f"{owner}.{name_of(node.child_by_field_name('attribute'))}"
    if node.type == "parenthesized_expression" and len(node.named_children) == 1:
        return _dotted(node.named_children[0])
    if node.type == "subscript" and _dotted(node.child_by_field_name("value")) in ("sys.modules", "globals()"):
        return string_of(node.child_by_field_name("subscript"))
    if node.type == "call":
        function = name_of(node.child_by_field_name("function"))
        if function == "__import__" or function.endswith("import_module"):
            return first_string(node.child_by_field_name("arguments"))
        if function == "globals":
            return "globals()"
    return None


def _is_part(node: Node) -> bool:
    """Whether an identifier names an attribute, a keyword argument or what is defined, and so is no use."""
    parent = node.parent
    if parent is None:
        return False
    if parent.type == "attribute":
        return True
    if parent.type in ("keyword_argument", "function_definition", "class_definition", "parameters"):
        return parent.child_by_field_name("name") == node or parent.type == "parameters"
    return parent.type in ("dotted_name", "aliased_import", "import_from_statement")


def _rust_uses(file: OtherFile) -> Iterator[tuple[str, Node]]:
    for node in file.nodes:
        if node.type == "function_signature_item" and any(p.type == "foreign_mod_item" for p in _around(node)):
            yield f"libc::{text_of(node.child_by_field_name('name'))}", node
        if node.type in ("scoped_identifier", "scoped_type_identifier"):
            path = re.sub(r"\s+", "", text_of(node)).removeprefix("::")
            yield file.resolve(path, "::"), node
        elif node.type in ("identifier", "type_identifier") and text_of(node) in file.aliases:
            parent = node.parent
            if parent is not None and not parent.type.startswith(("scoped", "use")):
                yield file.aliases[text_of(node)], node


def _around(node: Node) -> Iterator[Node]:
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent


def _go_uses(file: OtherFile) -> Iterator[tuple[str, Node]]:
    for node in file.nodes:
        if node.type == "selector_expression" or node.type == "qualified_type":
            yield file.resolve(re.sub(r"\s+", "", text_of(node)), "."), node
        elif node.type == "identifier":
            yield from ((f"{module}.{text_of(node)}", node) for module in file.stars)


def _java_uses(file: OtherFile) -> Iterator[tuple[str, Node]]:
    for node in file.nodes:
        if node.type in ("type_identifier", "scoped_type_identifier"):
            text = re.sub(r"\s+", "", text_of(node))
            yield text.rsplit(".", 1)[-1], node
            yield file.resolve(text, "."), node
        elif node.type == "method_invocation":
            owner = re.sub(r"\s+", "", text_of(node.child_by_field_name("object"))).rsplit(".", 1)[-1]
            yield f"{owner}.{text_of(node.child_by_field_name('name'))}", node
        elif node.type == "method_reference":
            yield re.sub(r"\s+", "", text_of(node)).replace("::", "."), node


def _javascript_uses(file: OtherFile) -> Iterator[tuple[str, Node]]:
    for node in file.nodes:
        if node.type == "identifier":
            yield text_of(node), node
        elif node.type == "member_expression":
            yield _global(re.sub(r"\s+", "", text_of(node)).replace("?.", ".")), node
        elif node.type == "subscript_expression":
            text = string_of(node.child_by_field_name("index"))
            if text is not None:
                yield _global(f"{text_of(node.child_by_field_name('object'))}.{text}"), node


def _global(name: str) -> str:
    return re.sub(r"^(?:globalThis|global|window|self)\.", "", name)


_USES = {
    "python": _python_uses,
    "rust": _rust_uses,
    "go": _go_uses,
    "java": _java_uses,
    "javascript": _javascript_uses,
}


# -- constructs ------------------------------------------------------------------------------------------------------


def _global_state(file: OtherFile) -> Iterator[Finding]:
    for node in file.nodes:
        parent = node.parent
        match file.language, node.type:
            case "python", "global_statement":
                yield file.finding(node, f"{text_of(node)}: a function rebinds a global variable")
            case "python", "assignment" if (
                parent is not None and parent.parent is not None and parent.parent.type == "module"
            ):
                left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
                name = name_of(left)
                if right is not None and not name.startswith("__") and not name.isupper() and _is_mutable(right):
                    yield file.finding(node, f"{name}: a global variable that can change")
            case "rust", "static_item":
                if any(child.type == "mutable_specifier" for child in node.children):
                    yield file.finding(node, "static mut: a global variable that can change")
                elif _MUTABLE_RUST.search(text_of(node.child_by_field_name("type"))):
                    yield file.finding(node, "a static that can change from inside")
            case "rust", "macro_invocation" if text_of(node.child_by_field_name("macro")) in (
                "thread_local",
                "lazy_static",
            ):
                yield file.finding(node, "a static that can change from inside")
            case "go", "var_spec" if _at_top(node, "source_file"):
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


def _is_mutable(value: Node) -> bool:
    if value.type in _MUTABLE_PYTHON:
        return True
    return value.type == "call" and name_of(value.child_by_field_name("function")).rsplit(".", 1)[-1] in _MUTABLE_CALLS


def _at_top(node: Node, root: str) -> bool:
    parent = node.parent
    while parent is not None and parent.type in ("var_declaration", "var_spec_list"):
        parent = parent.parent
    return parent is not None and parent.type == root


def _swallowed(file: OtherFile) -> Iterator[Finding]:
    for node in file.nodes:
        if node.type == "except_clause":
            body = next((child for child in node.children if child.type == "block"), None)
            statements = [c for c in body.named_children if c.type != "comment"] if body is not None else []
            if all(s.type == "pass_statement" or text_of(s) == "..." for s in statements):
                yield file.finding(node, "an exception is caught and dropped")
        elif node.type == "catch_clause":
            body = node.child_by_field_name("body")
            if body is not None and not [c for c in body.named_children if "comment" not in c.type]:
                yield file.finding(node, "an exception is caught and dropped")
