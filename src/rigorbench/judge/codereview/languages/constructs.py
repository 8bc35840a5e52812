"""Find forbidden constructs in Python, Rust, Go, Java and JavaScript by the full names that each file uses."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..model import Finding
from ..presets import PRESETS
from ..tree import ancestors, line_of, normalized_name, text_of
from . import javascript, python
from .source import LanguageFile

if TYPE_CHECKING:
    from tree_sitter import Node

SEPARATORS = {"rust": "::", "go": "/"}
# Every class loader inherits these methods, so code may call them without a receiver.
_CLASS_LOADER_METHODS = frozenset({"getClassLoader", "getSystemClassLoader", "defineClass"})
# Presets that cannot be decided when code is made or loaded at run time.
_NEEDS_STATIC_CODE = ("process", "network")
_ONLY_NAMES = frozenset("python:globals python:locals python:vars python:compile".split())
_MUTABLE_PYTHON = frozenset("list dictionary set list_comprehension dictionary_comprehension set_comprehension".split())
_MUTABLE_CALLS = frozenset("list dict set bytearray defaultdict deque Counter OrderedDict array".split())
_MUTABLE_RUST = re.compile(r"\b(?:Mutex|RwLock|RefCell|Cell|UnsafeCell|Atomic\w+|OnceCell|OnceLock|LazyLock|Lazy)\b")


def findings(file: LanguageFile, presets: Sequence[str], names: Sequence[str]) -> Iterator[Finding]:
    """Every forbidden construct in one file."""
    language, separator = file.language, SEPARATORS.get(file.language, ".")
    modules: dict[str, str] = {}
    forbidden_names: dict[str, str] = {}
    nodes: dict[str, str] = {}
    for name in presets:
        preset = PRESETS[name]
        for target, words in ((modules, preset.modules), (forbidden_names, preset.names), (nodes, preset.nodes)):
            target.update({w.partition(":")[2]: preset.what for w in words if w.startswith(f"{language}:")})
    forbidden_names.update(dict.fromkeys(names, "a forbidden name"))
    for found in file.imports:
        what = found.module is not None and not found.own and forbidden_as(found.module, modules, separator)
        if what:
            yield file.source.finding(found.line, f"{found.module}: {what}")
        elif found.module is None and (modules or "dynamic-code" in presets):
            yield file.source.finding(found.line, "the imported module cannot be determined")
    for name, node in _USED_NAMES[language](file):
        what = forbidden_as(name, forbidden_names, "." if language != "rust" else "::") or (
            forbidden_as(name, modules, separator) if language in ("rust", "python", "java") else None
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
        yield from _swallowed_exceptions(file)


def undecidable_reason(file: LanguageFile, presets: Sequence[str], names: Sequence[str]) -> str | None:
    """Why the names that a file uses cannot all be determined; None when they can, or when no preset is about names."""
    language = file.language
    chosen = [PRESETS[name] for name in presets]
    known = {
        word.partition(":")[2]: preset.what
        for preset in chosen
        for word in preset.modules | preset.names
        if word.startswith(f"{language}:")
    }
    if not known and not names:
        return None
    nodes: Iterator[Node] = iter(())
    if language == "python":
        nodes = python.untraceable_uses(file)
    elif language == "javascript":
        nodes = javascript.untraceable_uses(file)
    elif language == "rust":
        nodes = _rust_untraceable(file, {**known, **dict.fromkeys(names, "")})
    elif language == "go":
        nodes = (n for n in file.nodes if n.type == "comment" and text_of(n).startswith("//go:linkname"))
    if language == "javascript":
        for found in file.imports:
            path = posixpath.normpath(posixpath.join(posixpath.dirname(file.source.path), found.module or ""))
            if found.own and not path.endswith(".json") and not file.is_source(path):
                return f"{path}: {file.source.path} loads it as code, but its name is not that of a source file"
    node = next(nodes, None)
    if node is not None:
        return f"{file.source.path}, line {line_of(node)}: what {text_of(node)[:60]} refers to cannot be determined"
    if set(presets) & set(_NEEDS_STATIC_CODE) and "dynamic-code" not in presets:
        dynamic = PRESETS["dynamic-code"]
        dynamic_names = {
            w.partition(":")[2]: dynamic.what for w in dynamic.names - _ONLY_NAMES if w.startswith(f"{language}:")
        }
        for name, node in _USED_NAMES[language](file):
            if forbidden_as(name, dynamic_names, "::" if language == "rust" else ".") is not None:
                return f"{file.source.path}, line {line_of(node)}: {name}: runs code that the review cannot see"
    return None


def forbidden_as(name: str, known: dict[str, str], separator: str) -> str | None:
    """The description under which a name, or the module it belongs to, is forbidden; None when it is allowed."""
    for entry, what in known.items():
        if name == entry or name.startswith((f"{entry}{separator}", f"{entry}.")):
            return what
    return None


# -- uses ------------------------------------------------------------------------------------------------------------


def _rust_names(file: LanguageFile) -> Iterator[tuple[str, Node]]:
    for node in file.nodes:
        if node.type == "function_signature_item" and any(p.type == "foreign_mod_item" for p in ancestors(node)):
            yield f"libc::{text_of(node.child_by_field_name('name'))}", node
        elif node.type in ("scoped_identifier", "scoped_type_identifier"):
            yield from ((path, node) for path in _rust_paths(file, re.sub(r"\s+", "", text_of(node))))
        elif node.type == "token_tree":
            yield from ((path, at) for text, at in _token_paths(node) for path in _rust_paths(file, text))
        elif node.type in ("identifier", "type_identifier"):
            parent = node.parent
            if parent is not None and not parent.type.startswith(("scoped", "use", "token_tree")):
                yield from ((path, node) for path in _rust_paths(file, text_of(node)) if path != text_of(node))


def _rust_paths(file: LanguageFile, path: str) -> Iterator[str]:
    """All paths that a path may mean: itself, and each with a part replaced by what that part was imported as."""
    path = re.sub(r"^(?:(?:crate|self|super|\$crate)?::)+|<.*", "", path)
    seen, pending = {path}, [path, *(f"{star}::{path}" for star in file.wildcards)]
    while pending and len(seen) < 50:
        current = pending.pop()
        yield current
        parts = current.split("::")
        for n, part in enumerate(parts):
            meaning = "::".join([file.aliases[part], *parts[n + 1 :]]) if part in file.aliases else current
            if meaning not in seen:
                seen.add(meaning)
                pending.append(meaning)


def _token_paths(tree: Node) -> Iterator[tuple[str, Node]]:
    """Paths in the arguments or the body of a macro, which the grammar does not parse.

    A path that continues in a group ends with "{"; one that imports everything ends with "*".
    """
    text, first, joined = "", tree, False
    for child in tree.children:
        if child.type == "::":
            text, first, joined = (text or "") + "::", first if text else child, True
        elif child.type in ("identifier", "metavariable", "crate", "self", "super") and (joined or not text):
            text, first, joined = text + text_of(child), child if not text else first, False
        else:
            if joined and (child.type == "*" or text_of(child)[:1] == "{"):
                text += text_of(child)[:1]
            if text:
                yield text, first
            text, joined = "", False
            if child.type in ("identifier", "metavariable"):
                text, first = text_of(child), child
    if text:
        yield text, first


def _rust_untraceable(file: LanguageFile, known: dict[str, str]) -> Iterator[Node]:
    starts = {current[: m.start()] for current in known for m in re.finditer("::", current)}
    for node in file.nodes:
        if node.type == "token_tree":
            for text, at in _token_paths(node):
                cut = re.split(r"[${*]", text.replace("$crate::", ""), maxsplit=1)
                if len(cut) < 2:
                    continue
                begin = re.sub(r"^::|::$", "", cut[0])
                if begin:
                    if any(path in starts for path in _rust_paths(file, begin)):
                        yield at
                elif text.startswith("$") and "::" in text:
                    rest = text.partition("::")[2]
                    if "$" in rest or any(f"::{rest}" in current for current in known):
                        yield at
        elif node.type == "use_declaration" and any(child.type == "visibility_modifier" for child in node.children):
            if any(i.line == line_of(node) and i.module in starts for i in file.imports):
                yield node
        elif node.type in ("attribute_item", "inner_attribute_item") and re.search(r"\bpath\s*=", text_of(node)):
            # A module in a file of another name is reviewed only if that file is a Rust file.
            named = re.search(r'\bpath\s*=\s*"([^"\\]*\.rs)"', text_of(node))
            path = posixpath.join(posixpath.dirname(file.source.path), named[1]) if named is not None else ""
            if named is None or not file.has_file(posixpath.normpath(path)):
                yield node


def _go_names(file: LanguageFile) -> Iterator[tuple[str, Node]]:
    for node in file.nodes:
        if node.type == "selector_expression" or node.type == "qualified_type":
            yield file.resolve(re.sub(r"\s+", "", text_of(node)), "."), node
        elif node.type == "identifier":
            yield from ((f"{module}.{text_of(node)}", node) for module in file.wildcards)
        elif node.type == "comment" and text_of(node).startswith("//go:linkname"):
            yield from ((word, node) for word in text_of(node).split()[2:])


def _java_names(file: LanguageFile) -> Iterator[tuple[str, Node]]:
    for node in file.nodes:
        if node.type in ("type_identifier", "scoped_type_identifier"):
            text = re.sub(r"\s+", "", text_of(node))
            yield text.rsplit(".", 1)[-1], node
            yield file.resolve(text, "."), node
            yield from ((f"{star}.{text}", node) for star in file.wildcards)
        elif node.type == "method_invocation":
            name, owner = text_of(node.child_by_field_name("name")), node.child_by_field_name("object")
            if owner is None:
                # A method of the class itself, or one imported by "import static".
                yield ".".join(file.aliases.get(name, name).split(".")[-2:]), node
                yield from ((f"{star.rpartition('.')[2]}.{name}", node) for star in file.wildcards)
                if name in _CLASS_LOADER_METHODS:
                    yield f"*.{name}", node
                continue
            text = re.sub(r"\s+", "", text_of(owner))
            yield f"{text.rsplit('.', 1)[-1]}.{name}", node
            if owner.type != "this":
                yield f"*.{name}", node
            if name == "forName" and not re.fullmatch(r"(?:[a-z]\w*\.)*[A-Z]\w*", text):
                # Called on an object that is a class; Charset.forName is a different method.
                yield "Class.forName", node
        elif node.type == "class_literal":
            yield f"{text_of(node.named_children[0]).rpartition('.')[2]}.class", node
        elif node.type == "method_reference":
            text = re.sub(r"\s+", "", text_of(node)).replace("::", ".")
            yield text, node
            yield f"*.{text.rpartition('.')[2]}", node


_USED_NAMES = {
    "python": python.used_names,
    "rust": _rust_names,
    "go": _go_names,
    "java": _java_names,
    "javascript": javascript.used_names,
}


# -- constructs ------------------------------------------------------------------------------------------------------


def _global_state(file: LanguageFile) -> Iterator[Finding]:
    for node in file.nodes:
        parent = node.parent
        match file.language, node.type:
            case "python", "global_statement":
                yield file.finding(node, f"{text_of(node)}: a function rebinds a global variable")
            case "python", "assignment" if (
                parent is not None and parent.parent is not None and parent.parent.type == "module"
            ):
                left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
                name = normalized_name(left)
                if right is not None and not name.startswith("__") and not name.isupper() and _is_mutable(right):
                    yield file.finding(node, f"{name}: a global variable that can change")
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
    return (
        value.type == "call"
        and normalized_name(value.child_by_field_name("function")).rsplit(".", 1)[-1] in _MUTABLE_CALLS
    )


def _at_top(node: Node, root: str) -> bool:
    parent = node.parent
    while parent is not None and parent.type in ("var_declaration", "var_spec_list"):
        parent = parent.parent
    return parent is not None and parent.type == root


def _swallowed_exceptions(file: LanguageFile) -> Iterator[Finding]:
    for node in file.nodes:
        if node.type == "except_clause":
            body = next((child for child in node.children if child.type == "block"), None)
            statements = [c for c in body.named_children if c.type != "comment"] if body is not None else []
            if all(s.type == "pass_statement" or text_of(s) == "..." for s in statements):
                yield file.finding(node, "an exception is caught and ignored")
        elif node.type == "catch_clause":
            body = node.child_by_field_name("body")
            if body is not None and not [c for c in body.named_children if "comment" not in c.type]:
                yield file.finding(node, "an exception is caught and ignored")
