"""Find forbidden constructs in C and C++ code after all macros are expanded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from ..model import Finding
from ..presets import PRESETS
from ..tree import ancestors, text_of
from .lexer import Token
from .names import Chain, Names, chains, declarator_name, scope_at
from .parsed import ParsedCode
from .project import CFile

if TYPE_CHECKING:
    from tree_sitter import Node

# Functions of the C library that std has, too.
_ALSO_IN_STD = frozenset("system malloc calloc realloc aligned_alloc qsort bsearch".split())
_LINK_NAME_WORDS = frozenset({"asm", "__asm", "__asm__", "_Pragma", "alias", "__alias__", "ifunc", "weakref"})
# Prefixes of the names that the library and the compiler use internally for a C function.
_INTERNAL_PREFIX = re.compile(r"(?:__builtin_|__libc_|_IO_|_+)(?=[a-z])")
_SMART_POINTERS = frozenset({"unique_ptr", "shared_ptr", "reset", "make_unique", "make_shared", "auto_ptr"})


class ForbiddenNames(Struct, frozen=True):
    """The names to look for, each with the description that a finding shows.

    Attributes:
        std_types: Types of the namespace std.
        std_functions: Functions of the namespace std.
        functions: Functions of the C library.
        keywords: Keywords.
        special: Presets that have a function in :data:`SPECIAL`.
    """

    std_types: dict[str, str]
    std_functions: dict[str, str]
    functions: dict[str, str]
    keywords: dict[str, str]
    special: tuple[str, ...]


def forbidden_names(presets: Sequence[str], names: Sequence[str]) -> ForbiddenNames:
    found = ForbiddenNames({}, {}, {}, {}, tuple(preset for preset in presets if PRESETS[preset].special))
    for name in presets:
        preset = PRESETS[name]
        found.std_types.update(dict.fromkeys(preset.std_types, preset.what))
        found.std_functions.update(dict.fromkeys(preset.std_functions, preset.what))
        found.functions.update(dict.fromkeys(preset.functions, preset.what))
        found.keywords.update(dict.fromkeys(preset.keywords, preset.what))
    for name in names:
        if name.startswith("std::"):
            last = name.rsplit("::", 1)[-1]
            found.std_types[last] = found.std_functions[last] = "a forbidden name"
        elif "." not in name and "::" not in name:
            found.functions[name] = "a forbidden name"
    return found


def findings(file: CFile, names: Names, forbidden: ForbiddenNames, qualified: Sequence[str] = ()) -> Iterator[Finding]:
    """Every forbidden use in one file.

    Args:
        file: The file, with macros expanded.
        names: The declarations of all files.
        forbidden: What to look for.
        qualified: Further names that are not in std, such as "boost::any".
    """
    parsed = file.parsed
    tokens = parsed.tokens
    for token in tokens:
        if token.kind == "name" and token.text in forbidden.keywords:
            yield file.finding(token, f"{token.text}: {forbidden.keywords[token.text]}")
    for chain in chains(tokens):
        what = _library_use(chain, names, forbidden) or _unqualified_use(file, chain, names, forbidden)
        if what is None and any("::".join(found) in qualified for found in names.resolve(chain.names)):
            what = "a forbidden name"
        if what is not None:
            yield file.finding(tokens[chain.first], f"{'::'.join(chain.names)}: {what}")
    yield from _link_names(file, forbidden)
    for special in forbidden.special:
        yield from SPECIAL[special](file, names)


def _link_names(file: CFile, forbidden: ForbiddenNames) -> Iterator[Finding]:
    """Functions that are linked under another name: ``int run(const char *) asm("system")``, a pragma that renames."""
    for token in file.unit.pragmas:
        if token.kind == "name" and token.text in forbidden.functions:
            yield file.finding(token, f"pragma with {token.text}: {forbidden.functions[token.text]}")
    tokens = file.parsed.tokens
    for n, token in enumerate(tokens):
        if token.text in _LINK_NAME_WORDS and n + 2 < len(tokens) and tokens[n + 1].text == "(":
            words = re.split(r"\W+", "".join(t.text for t in tokens[n + 2 : n + 8] if t.kind == "string"))
            for word in words:
                what = forbidden.functions.get(word)
                if what is not None:
                    yield file.finding(token, f"{token.text} with {word}: {what}")


def _library_use(chain: Chain, names: Names, forbidden: ForbiddenNames) -> str | None:
    """The description of a forbidden name that is qualified by std or by a namespace inside it."""
    for part in sorted(names.library_parts(chain)):
        what = forbidden.std_types.get(part) or forbidden.std_functions.get(part)
        if what is None and part in _ALSO_IN_STD:
            what = forbidden.functions.get(part)
        if what is not None:
            return what
    return None


def _unqualified_use(file: CFile, chain: Chain, names: Names, forbidden: ForbiddenNames) -> str | None:
    """The description of a forbidden name that has no namespace and that the submission does not declare itself."""
    if len(chain.names) > 1 and not names.std_is_opened:
        return None  # "vector<int>::iterator" and "pmr::vector" mean names of std only under a using directive
    name = chain.names[0]
    function = forbidden.functions.get(name) or forbidden.functions.get(_INTERNAL_PREFIX.sub("", name, count=1))
    type_, algorithm = forbidden.std_types.get(name), forbidden.std_functions.get(name)
    if function is None and type_ is None and algorithm is None:
        return None
    parsed = file.parsed
    scope = scope_at(parsed, parsed.starts[chain.first])
    called = chain.after in ("(", "{", "<")
    if names.is_own(name, scope, file.source.path, called=called) and not chain.rooted:
        return None
    node = parsed.node_at(chain.first)
    if function is not None and not _declares_member(node):
        return function
    if algorithm is not None and (_is_call(node, chain) or (chain.rooted and names.std_is_opened)):
        # Argument-dependent lookup finds it without a using directive.
        return algorithm
    if type_ is not None and names.std_is_opened and _is_type(node, chain):
        return type_
    return None


def _declares_member(node: Node | None) -> bool:
    """Whether the node declares a member, which belongs to the submission."""
    if node is None or node.type != "field_identifier":
        return False
    return any(parent.type == "field_declaration" for parent in ancestors(node))


def _is_call(node: Node | None, chain: Chain) -> bool:
    if node is None:
        return chain.after == "("
    parent = node.parent
    if parent is not None and parent.type == "template_function":
        node, parent = parent, parent.parent
    if parent is not None and parent.type == "call_expression":
        return parent.child_by_field_name("function") == node
    return chain.after == "(" and any(p.is_error for p in ancestors(node))


def _is_type(node: Node | None, chain: Chain) -> bool:
    """Whether a name is used as a type or creates an object, and is not a variable, label or member."""
    if node is None:
        return chain.after in ("<", "(", "{")
    parent = node.parent
    if node.type == "type_identifier":
        return True
    if node.type == "namespace_identifier":
        return parent is not None and parent.type != "namespace_definition"
    if parent is not None and parent.type in ("template_function", "template_type"):
        return True
    if parent is not None and parent.type in ("call_expression", "compound_literal_expression"):
        return node == parent.children[0]
    # In code that does not parse, what looks like a use counts as one.
    return chain.after in ("<", "(", "{") and any(p.is_error for p in ancestors(node))


# -- constructs that need the parse tree ---------------------------------------------------------------------------


def _global_state(file: CFile, names: Names) -> Iterator[Finding]:
    parsed = file.parsed
    for node, scope in parsed.walk():
        if node.type not in ("declaration", "field_declaration"):
            continue
        words = {
            text_of(child) for child in node.children if child.type in ("storage_class_specifier", "type_qualifier")
        }
        is_local = bool(scope) and scope[-1].startswith("(")
        is_member = node.type == "field_declaration"
        is_static_storage = "static" in words or "thread_local" in words or (not is_local and not is_member)
        if not is_static_storage or "constexpr" in words or _is_friend_or_typedef(node):
            continue
        for declarator in node.children_by_field_name("declarator"):
            if not _is_mutable(declarator, words):
                continue
            name = declarator_name(declarator)
            where = "a static local variable" if is_local else "a static member" if is_member else "a global variable"
            what = f"{text_of(name) or '(unnamed)'}: {where} that can change"
            yield file.finding(parsed.token_of(name or declarator), what)


def _is_friend_or_typedef(node: Node) -> bool:
    return any(child.type in ("friend", "typedef") for child in node.children)


def _is_mutable(declarator: Node, words: set[str]) -> bool:
    """Whether the declared object can be assigned to: not a function, and not const (for a pointer: after the "*")."""
    constant = "const" in words or "constexpr" in words
    node: Node | None = declarator
    while node is not None:
        if node.type == "function_declarator":
            inner = node.child_by_field_name("declarator")
            return inner is not None and inner.type == "parenthesized_declarator"
        if node.type == "pointer_declarator":
            constant = any(child.type == "type_qualifier" and text_of(child) == "const" for child in node.children)
        elif node.type == "reference_declarator":
            return not constant
        node = node.child_by_field_name("declarator")
    return not constant


def _raw_new(file: CFile, names: Names) -> Iterator[Finding]:
    for node in _new_expressions(file.parsed):
        yield file.finding(file.parsed.token_of(node), "new outside a smart pointer")
    for token in _operator_new_tokens(file.parsed):
        yield file.finding(token, "operator new: memory allocated outside a smart pointer")


def _new_expressions(parsed: ParsedCode) -> Iterator[Node]:
    """Every new expression that allocates memory and is not passed directly to a smart pointer."""
    for node, _ in parsed.walk():
        if node.type != "new_expression" or node.child_by_field_name("placement") is not None:
            continue
        parent = node.parent
        holder = parent.parent if parent is not None and parent.type in ("argument_list", "initializer_list") else None
        text = text_of(holder)[:400] if holder is not None else ""
        if holder is not None and holder.type == "init_declarator" and holder.parent is not None:
            text = text_of(holder.parent.child_by_field_name("type"))
        head = re.split(r"\W+", text.split("new", 1)[0])
        if _SMART_POINTERS.isdisjoint(head):
            yield node


def _operator_new_tokens(parsed: ParsedCode) -> Iterator[Token]:
    """Every "operator new" except in a declaration of it, which has the type ``void *``."""
    tokens = parsed.tokens
    for n, token in enumerate(tokens[:-1]):
        if token.text == "operator" and tokens[n + 1].text == "new":
            before = n - 1
            while before >= 0 and tokens[before].text == "::":
                before -= 2 if before and tokens[before - 1].kind == "name" else 1
            if [t.text for t in tokens[max(0, before - 1) : before + 1]] != ["void", "*"]:
                yield token


def _new_without_delete(file: CFile, names: Names) -> Iterator[Finding]:
    texts = [token.text for token in file.parsed.tokens if token.kind == "name"]
    found = set(texts)
    parsed = file.parsed
    for node in _new_expressions(parsed):
        array = any(child.type == "new_declarator" for child in node.children)
        if "delete" not in found:
            yield file.finding(parsed.token_of(node), f"new{'[]' if array else ''} without any delete in the file")
    for token in _operator_new_tokens(parsed) if "delete" not in found else ():
        yield file.finding(token, "operator new without any delete in the file")
    if found & {"malloc", "calloc", "realloc", "strdup"} and "free" not in found:
        for token in parsed.tokens:
            if token.kind == "name" and token.text in ("malloc", "calloc", "realloc", "strdup"):
                yield file.finding(token, f"{token.text} without any free in the file")


def _using_std(file: CFile, names: Names) -> Iterator[Finding]:
    tokens: list[Token] = file.parsed.tokens
    for n, token in enumerate(tokens[:-2]):
        if token.text == "using" and tokens[n + 1].text == "namespace":
            rest = [t.text for t in tokens[n + 2 : n + 12]]
            parts = tuple(word for word in rest[: rest.index(";")] if word != "::") if ";" in rest else ()
            if parts and any(found[0] == "std" for found in names.resolve(parts)):
                yield file.finding(token, f"using namespace {'::'.join(parts)}")


def _swallowed_exceptions(file: CFile, names: Names) -> Iterator[Finding]:
    for node, _ in file.parsed.walk():
        if node.type == "catch_clause":
            body = node.child_by_field_name("body")
            if body is not None and not body.named_children:
                yield file.finding(file.parsed.token_of(node), "an exception is caught and ignored")


SPECIAL = {
    "global-state": _global_state,
    "raw-new": _raw_new,
    "new-without-delete": _new_without_delete,
    "using-namespace-std": _using_std,
    "exceptions-swallowed": _swallowed_exceptions,
}
