"""The full names that a Python file uses, and the places where they cannot be determined."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..tree import normalized_name, string_value
from .source import LanguageFile

if TYPE_CHECKING:
    from tree_sitter import Node

# Dictionaries that give access to objects by name.
_NAME_TABLES = frozenset({"sys.modules", "builtins", "__builtins__", "globals()", "locals()", "vars()"})
# Modules that give access to other modules; passed on as values they cannot be traced.
_GATEWAY_MODULES = frozenset({"os", "posix", "sys", "builtins", "__builtins__", "importlib", "asyncio", "sys.modules"})
# Attributes that give access to any module from any object.
_REFLECTION_ATTRIBUTES = frozenset(
    {"__subclasses__", "__globals__", "__builtins__", "__loader__", "f_globals", "f_builtins"}
)
_IMPORT_FUNCTIONS = frozenset({"__import__", "importlib.import_module", "importlib.__import__"})


def used_names(file: LanguageFile) -> Iterator[tuple[str, Node]]:
    """Every used name, resolved to its full name such as "os.system"."""
    _read_aliases(file)
    for node in file.nodes:
        if node.type in ("attribute", "subscript", "call"):
            path = path_of(file, node)
            if path is not None:
                yield path, node
                # "shutil.os.system" is "os.system", through whichever module it is reached.
                parts = path.split(".")
                for n in range(1, len(parts) - 1):
                    yield ".".join([file.aliases.get(parts[n], parts[n]), *parts[n + 1 :]]), node
        elif node.type == "identifier" and not _is_declaration_or_member(node):
            name = normalized_name(node)
            yield _without_builtins(file.aliases.get(name, name)), node
            yield from ((f"{module}.{name}", node) for module in file.wildcards)


def untraceable_uses(file: LanguageFile) -> Iterator[Node]:
    """Places where an attribute name is computed, or where a module is passed on as a value."""
    for node in file.nodes:
        if (
            node.type == "attribute"
            and normalized_name(node.child_by_field_name("attribute")) in _REFLECTION_ATTRIBUTES
        ):
            yield node
        elif node.type == "call" and path_of(file, node.child_by_field_name("function")) == "getattr":
            arguments = node.child_by_field_name("arguments")
            owner = path_of(file, arguments.named_children[0]) if arguments and arguments.named_children else None
            head = (owner or "").partition(".")[0]
            if path_of(file, node) is None and (head in _GATEWAY_MODULES or head in file.aliases.values()):
                yield node
        elif node.type in ("identifier", "attribute", "call") and not (
            node.type == "identifier" and _is_declaration_or_member(node)
        ):
            path = path_of(file, node)
            gives_access = path in _NAME_TABLES or path in _GATEWAY_MODULES
            gives_access = gives_access or (
                path is not None and (_is_gateway_in_module(file, path) or _is_name_table(file, path))
            )
            if gives_access and not _is_accounted_for(file, node, path):
                yield node


def _is_name_table(file: LanguageFile, path: str | None) -> bool:
    """Whether a path is a dictionary of names (of one module or of all modules) and not itself a module."""
    if path is None or path in ("sys.modules", "globals()", "locals()", "vars()"):
        return path is not None
    return path.endswith(".__dict__") and path.partition(".")[0] in file.aliases.values()


def _is_gateway_in_module(file: LanguageFile, path: str) -> bool:
    """Whether a path is a gateway module that another module has imported, such as "shutil.os"."""
    head, _, last = path.rpartition(".")
    return last in _GATEWAY_MODULES and head.partition(".")[0] in file.aliases.values()


def path_of(file: LanguageFile, node: Node | None) -> str | None:
    """The path "a.b.c" with aliases replaced; an importing call counts as its module. None: the node is not a path."""
    if node is None:
        return None
    match node.type:
        case "identifier":
            name = normalized_name(node)
            return _without_builtins(file.aliases.get(name, name))
        case "attribute":
            owner = path_of(file, node.child_by_field_name("object"))
            return (
                None
                if owner is None
                else _without_builtins(f"{owner}.{normalized_name(node.child_by_field_name('attribute'))}")
            )
        case "parenthesized_expression" if len(node.named_children) == 1:
            return path_of(file, node.named_children[0])
        case "named_expression":
            return path_of(file, node.child_by_field_name("value"))
        case "subscript":
            owner = path_of(file, node.child_by_field_name("value"))
            text = string_value(node.child_by_field_name("subscript"))
            if owner is None or text is None or not (owner in _NAME_TABLES or owner.endswith(".__dict__")):
                return None
            return _without_builtins(text if owner in _NAME_TABLES else f"{owner.removesuffix('.__dict__')}.{text}")
        case "call":
            return _path_of_call(file, node)
    return None


def _path_of_call(file: LanguageFile, node: Node) -> str | None:
    function = path_of(file, node.child_by_field_name("function"))
    arguments = node.child_by_field_name("arguments")
    call_arguments = arguments.named_children if arguments is not None else []
    if function in ("globals", "locals", "vars") and not call_arguments:
        return f"{function}()"
    if function == "vars" and call_arguments:
        owner = path_of(file, call_arguments[0])
        return None if owner is None else f"{owner}.__dict__"
    if function in _IMPORT_FUNCTIONS or function in ("sys.modules.get", "globals().get"):
        text = string_value(call_arguments[0]) if call_arguments else None
        return text.split(".")[0] if text is not None and function == "__import__" else text
    if function == "getattr" and len(call_arguments) > 1:
        owner, text = path_of(file, call_arguments[0]), string_value(call_arguments[1])
        return None if owner is None or text is None else _without_builtins(f"{owner}.{text}")
    return None


def _without_builtins(name: str) -> str:
    while name.startswith(("builtins.", "__builtins__.")):
        name = name.partition(".")[2]
    return name.replace("__dict__.__getitem__", "__dict__")


def _read_aliases(file: LanguageFile) -> None:
    """Record modules that assignments rename: ``o = os``; ``a, b = os, 1``."""
    for node in file.nodes:
        if node.type not in ("assignment", "named_expression"):
            continue
        target = node.child_by_field_name("left") or node.child_by_field_name("name")
        for name, value in _pairs(target, node.child_by_field_name("right") or node.child_by_field_name("value")):
            path = path_of(file, value)
            known = file.aliases.values()
            if path is not None and (
                path.partition(".")[0] in known or path in _GATEWAY_MODULES | _NAME_TABLES | _IMPORT_FUNCTIONS
            ):
                file.aliases.setdefault(normalized_name(name), path)


def _pairs(target: Node | None, value: Node | None) -> Iterator[tuple[Node, Node]]:
    if target is None or value is None:
        return
    if target.type == "identifier":
        while value.type == "assignment" and (inner := value.child_by_field_name("right")) is not None:
            value = inner
        yield target, value
    elif target.type in ("pattern_list", "tuple_pattern", "list_pattern"):
        left, right = target.named_children, value.named_children
        wildcards = any("splat" in child.type for child in (*left, *right))
        if value.type in ("expression_list", "tuple", "list") and len(left) == len(right) and not wildcards:
            for name_node, value_node in zip(left, right, strict=True):
                yield from _pairs(name_node, value_node)


def _is_accounted_for(file: LanguageFile, node: Node, path: str | None) -> bool:
    """Whether this use of a module or name table is already recorded as an alias or path, or is harmless."""
    parent = node.parent
    while parent is not None and parent.type == "parenthesized_expression":
        node, parent = parent, parent.parent
    if parent is None:
        return True
    if parent.type == "comparison_operator":
        return True
    if parent.type == "attribute":
        return not _is_name_table(file, path) or path_of(file, parent.parent) is not None
    if parent.type == "subscript" and parent.child_by_field_name("value") == node:
        index = parent.child_by_field_name("subscript")
        return (
            not (path in _NAME_TABLES or _is_name_table(file, path))
            or string_value(index) is not None
            or normalized_name(index) == "__name__"
        )
    if parent.type == "call" and parent.child_by_field_name("function") == node:
        return True
    if parent.type == "argument_list" and parent.parent is not None:
        function = path_of(file, parent.parent.child_by_field_name("function"))
        return function in ("hasattr", "dir", "id", "repr", "str", "print") or path_of(file, parent.parent) is not None
    while parent.type in ("expression_list", "tuple", "list", "pattern_list", "tuple_pattern", "list_pattern"):
        if parent.parent is None:
            return True
        parent = parent.parent
    if parent.type in ("assignment", "named_expression"):
        target = parent.child_by_field_name("left") or parent.child_by_field_name("name")
        value = parent.child_by_field_name("right") or parent.child_by_field_name("value")
        found = list(_pairs(target, value))
        names = [name_node for name_node, value_node in found if value_node == node]
        if any(name_node == node for name_node, _ in found) or target == node:
            return True
        return bool(names) and all(file.aliases.get(normalized_name(name_node)) == path for name_node in names)
    return parent.type in (
        "dotted_name",
        "aliased_import",
        "import_statement",
        "import_from_statement",
        "del_statement",
    )


def _is_declaration_or_member(node: Node) -> bool:
    """Whether an identifier is an attribute, a keyword argument or a declared name, and so is not a use."""
    parent = node.parent
    if parent is None:
        return False
    if parent.type == "attribute":
        return parent.child_by_field_name("object") != node
    if parent.type in ("keyword_argument", "function_definition", "class_definition", "parameters"):
        return parent.child_by_field_name("name") == node or parent.type == "parameters"
    if parent.type in ("default_parameter", "typed_default_parameter"):
        return parent.child_by_field_name("name") == node
    return parent.type in ("dotted_name", "aliased_import", "import_from_statement", "typed_parameter")
