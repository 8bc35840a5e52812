"""The syntax tree of one preprocessed translation unit, read with libclang in a process of its own."""

from __future__ import annotations

import re
import resource
from bisect import bisect_right
from itertools import islice
from typing import Any

from .assembly import read_assembly
from .casts import named_casts
from .facts import Fact, Facts, Task
from .handlers import Handlers
from .mappings import MAPS_CODE, maps_code

# Seconds of CPU and bytes for one unit.
_SECONDS = 60
_MEMORY = 4 << 30
_SMART = frozenset({"unique_ptr", "shared_ptr", "auto_ptr", "__shared_ptr"})
_LIBRARY_NAME = re.compile(r"\b(?:std|__gnu_\w+)(?:::\w+)+")
_NAMED_FILE = "unit"


def read_syntax(task: Task) -> Facts:
    """The facts of one unit. Call it in a process of its own: hostile code may make the library crash or run long."""
    from clang import cindex

    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime) + _SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    suffix = "ii" if task.is_cpp else "i"
    language = "c++-cpp-output" if task.is_cpp else "cpp-output"
    arguments = ["-x", language, "-w", "-ferror-limit=0"]
    if task.standard:
        arguments.append(task.standard)
    path = f"/{_NAMED_FILE}.{suffix}"
    try:
        unit = cindex.Index.create().parse(path, arguments, unsaved_files=[(path, task.text)])
    except cindex.TranslationUnitLoadError:
        return Facts(failed="the front end cannot read it")
    reader = _Reader(cindex, task)
    found = reader.read(unit.cursor)
    found.compiled = read_assembly(task.assembly)
    for diagnostic in unit.diagnostics:
        line = diagnostic.location.line
        if diagnostic.severity >= 4 or (diagnostic.severity == 3 and reader.is_own(line)):
            found.errors.append((line, diagnostic.spelling[:200]))
    return found


class _Reader:
    """Walks the parts of a tree that are not the system's."""

    def __init__(self, cindex: Any, task: Task) -> None:
        self._kinds = cindex.CursorKind
        self._cindex = cindex
        self._task = task
        self._firsts = [first for first, _ in task.own]
        self._names: dict[int, tuple[str, ...]] = {}
        self._facts: list[Fact] = []
        k = self._kinds
        self._control = {
            k.IF_STMT, k.FOR_STMT, k.CXX_FOR_RANGE_STMT, k.WHILE_STMT, k.DO_STMT, k.SWITCH_STMT, k.CXX_TRY_STMT,
        }  # fmt: skip
        self._functions = {
            k.FUNCTION_DECL, k.CXX_METHOD, k.CONSTRUCTOR, k.DESTRUCTOR, k.CONVERSION_FUNCTION, k.FUNCTION_TEMPLATE,
        }  # fmt: skip
        self._classes = {
            k.CLASS_DECL,
            k.STRUCT_DECL,
            k.UNION_DECL,
            k.CLASS_TEMPLATE,
            k.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,
        }
        self._handlers = Handlers(k, self._functions, self.is_own)
        self._statements = {
            k.GOTO_STMT: "goto", k.INDIRECT_GOTO_STMT: "goto", k.ASM_STMT: "asm", k.MS_ASM_STMT: "asm",
            k.ASM_LABEL_ATTR: "asm", k.CXX_REINTERPRET_CAST_EXPR: "reinterpret_cast",
            k.CXX_CONST_CAST_EXPR: "const_cast",
        }  # fmt: skip

    def is_own(self, line: int) -> bool:
        at = bisect_right(self._firsts, line) - 1
        return at >= 0 and line <= self._task.own[at][1]

    def read(self, root: Any) -> Facts:
        for top in root.get_children():
            extent = top.extent
            if self.is_own(top.location.line) or self.is_own(extent.start.line) or self.is_own(extent.end.line):
                self._walk(top)
        return Facts(list(dict.fromkeys(self._facts)))

    def _walk(self, top: Any) -> None:
        # Not recursive: a chain of operators is as deep as it is long. Each entry: a node and the nodes around it.
        pending: list[tuple[Any, tuple[Any, ...]]] = [(top, ())]
        while pending:
            node, around = pending.pop()
            if self.is_own(node.location.line):
                self._visit(node, around)
            inner = (*around[-7:], node)
            pending += [(child, inner) for child in node.get_children()]

    def _add(self, kind: str, name: str, node: Any, detail: str = "", numbers: tuple[int, ...] = ()) -> None:
        self._facts.append(Fact(kind, name, node.location.line, detail, numbers))

    def _visit(self, node: Any, around: tuple[Any, ...]) -> None:
        k, kind = self._kinds, node.kind
        statement = self._statements.get(kind)
        if statement is not None:
            self._add("statement", statement, node)
        elif kind in (k.TYPE_REF, k.TEMPLATE_REF):
            self._type(node, node.referenced)
        elif kind in (k.DECL_REF_EXPR, k.MEMBER_REF_EXPR, k.CALL_EXPR):
            self._reference(node, around)
        elif kind == k.OVERLOADED_DECL_REF and around and around[-1].kind != k.USING_DECLARATION:
            self._overloaded(node)
        elif kind == k.CXX_NEW_EXPR:
            self._new(node, around)
        elif kind == k.CXX_DELETE_EXPR:
            self._add("release", "delete", node)
        elif kind == k.USING_DIRECTIVE:
            for child in node.get_children():
                if child.kind == k.NAMESPACE_REF:
                    name = "::".join(self._qualified(self._namespace(child.referenced)))
            self._add("using", name, node)
        elif kind == k.CXX_CATCH_STMT:
            if not self._handlers.handles(node, around):
                self._add("catch", "ignored", node)
        elif kind in (k.VAR_DECL, k.UNEXPOSED_DECL):
            self._variable(node, around)
        elif kind == k.UNION_DECL and node.is_anonymous() and _in_namespace(around, k):
            self._add("variable", "(unnamed union)", node, "a global variable")
        elif kind in self._functions and node.is_definition():
            self._size(node)
        elif kind in (k.CSTYLE_CAST_EXPR, k.CXX_FUNCTIONAL_CAST_EXPR) and self._task.is_cpp:
            for name in named_casts(self._cindex, node):
                self._add("statement", name, node)
        if kind in (k.VAR_DECL, k.FIELD_DECL, k.PARM_DECL, k.CALL_EXPR, k.TYPE_ALIAS_DECL, k.TYPEDEF_DECL):
            self._canonical(node)

    # -- names

    def _qualified(self, declaration: Any) -> tuple[str, ...]:
        """The namespaces, classes and name of a declaration, from the outside in."""
        parts: list[str] = []
        while declaration is not None and declaration.kind != self._kinds.TRANSLATION_UNIT and len(parts) < 40:
            if declaration.kind not in (self._kinds.LINKAGE_SPEC, self._kinds.UNEXPOSED_DECL) and declaration.spelling:
                parts.append(declaration.spelling.split("<")[0] or declaration.spelling)
            declaration = declaration.semantic_parent
        return tuple(reversed(parts))

    def _is_foreign(self, declaration: Any) -> bool:
        return declaration is not None and not self.is_own(declaration.location.line)

    def _namespace(self, declaration: Any) -> Any:
        """The namespace behind aliases of it."""
        for _ in range(20):
            if declaration is None or declaration.kind != self._kinds.NAMESPACE_ALIAS:
                break
            inner = [c.referenced for c in declaration.get_children() if c.kind == self._kinds.NAMESPACE_REF]
            declaration = inner[-1] if inner else None
        return declaration

    def _type(self, node: Any, declaration: Any) -> None:
        if declaration is not None:
            name = "::".join(self._qualified(declaration))
            self._add("type" if self._is_foreign(declaration) else "own", name, node)

    def _canonical(self, node: Any) -> None:
        """The type behind typedefs, deduction and functions of the library."""
        found = node.type.get_canonical()
        t = self._cindex.TypeKind
        for _ in range(20):
            if found.kind in (t.POINTER, t.LVALUEREFERENCE, t.RVALUEREFERENCE):
                found = found.get_pointee()
            elif found.kind in (t.CONSTANTARRAY, t.INCOMPLETEARRAY, t.VARIABLEARRAY, t.DEPENDENTSIZEDARRAY):
                found = found.element_type
            else:
                break
        declaration = found.get_declaration()
        if declaration.kind not in self._classes:
            return
        if self._is_foreign(declaration):
            self._add("value", "::".join(self._qualified(declaration)), node, found.spelling[:200])
        else:
            # What a template of the submission is given.
            for name in _LIBRARY_NAME.findall(found.spelling[:2000]):
                self._add("value", name, node)

    def _reference(self, node: Any, around: tuple[Any, ...]) -> None:
        k = self._kinds
        declaration = node.referenced
        if declaration is None:
            return
        if declaration.kind in self._functions:
            parent = declaration.semantic_parent
            name = "::".join(self._qualified(declaration))
            if parent is not None and parent.kind in self._classes:
                if self._is_foreign(declaration):
                    self._add("method", name, node)
                return
            if name in ("operator new", "operator new[]"):
                arguments = [a.type.get_canonical().spelling for a in declaration.get_arguments()]
                # A coroutine calls it without saying so.
                is_written = any(token.spelling == "operator" for token in islice(node.get_tokens(), 4))
                if is_written and arguments[1:] != ["void *"]:
                    self._add("allocation", name, node, "operator")
                return
            symbol = declaration.mangled_name.lstrip("\x01")
            if not self._is_foreign(declaration) and declaration.get_definition() is not None:
                return
            # A declaration of one's own without a definition names a function of a library.
            if self._is_foreign(declaration) and "::" in name:
                self._add("function", name, node)
            else:
                self._add("symbol", symbol, node, name)
                if maps_code(self._cindex, node, around, symbol):
                    self._add("symbol", MAPS_CODE, node, name)
        elif declaration.kind == k.VAR_DECL and self._is_foreign(declaration):
            self._add("object", "::".join(self._qualified(declaration)), node)

    def _overloaded(self, node: Any) -> None:
        """A call in a template that is decided later: here only if every candidate is the library's."""
        lib = self._cindex.conf.lib
        count = lib.clang_getNumOverloadedDecls(node)
        found = [lib.clang_getOverloadedDecl(node, n) for n in range(count)]
        if found and all(not self.is_own(c.location.line) for c in found):
            for candidate in found:
                self._add("function", "::".join(self._qualified(candidate)), node)

    # -- memory

    def _new(self, node: Any, around: tuple[Any, ...]) -> None:
        tokens = [token.spelling for token in islice(node.get_tokens(), 4)]
        after = tokens[tokens.index("new") + 1 :] if "new" in tokens else []
        if after[:1] == ["("] and self._is_placement(node):
            return
        held = False
        for parent in reversed(around):
            kind = parent.kind
            if kind == self._kinds.CALL_EXPR:
                called = parent.referenced
                name = self._qualified(called) if called is not None else ()
                held = bool(name) and name[0] == "std" and not _SMART.isdisjoint(name)
                break
            if kind.is_statement() or kind in (self._kinds.LAMBDA_EXPR, *self._functions):
                break
        detail = "held" if held else "array" if "[" in node.type.spelling else "object"
        self._add("allocation", "new", node, detail)

    def _is_placement(self, node: Any) -> bool:
        """Whether something in brackets after new says where the object is to be; std::nothrow does not."""
        placed = [c for c in node.get_children() if c.kind.is_expression()]
        types = [c.type.get_canonical().spelling for c in placed]
        if any("nothrow_t" in t or "align_val_t" in t for t in types):
            return False
        tokens = [t.spelling for t in islice(node.get_tokens(), 400)]
        depth, end = 0, 0
        for n, word in enumerate(tokens[tokens.index("new") + 1 :], tokens.index("new") + 1):
            depth += word == "("
            depth -= word == ")"
            if depth == 0:
                end = n
                break
        # new (int) has nothing behind the brackets but an initialiser.
        return end + 1 < len(tokens) and tokens[end + 1] not in ("(", "{", ";", ")", ",", "[")

    # -- statements

    def _variable(self, node: Any, around: tuple[Any, ...]) -> None:
        k, c = self._kinds, self._cindex
        if node.kind == k.UNEXPOSED_DECL:
            # A variable template: its variable is no node of its own.
            words = [token.spelling for token in islice(node.get_tokens(), 80)]
            if words[:1] in (["asm"], ["__asm"], ["__asm__"]):
                self._add("statement", "asm", node)
            if words[:1] != ["template"] or not _in_namespace(around, k):
                return
            head = words[: next((n for n, w in enumerate(words) if w in ("=", "{", ";")), len(words))]
            if "constexpr" in words or "const" in head or "(" in head:
                return
            self._add("variable", head[-1] if head else "(unnamed)", node, "a global variable")
            return
        parent = node.semantic_parent
        is_member = parent is not None and parent.kind in self._classes
        is_local = parent is not None and not is_member and parent.kind not in (
            k.TRANSLATION_UNIT, k.NAMESPACE, k.LINKAGE_SPEC, k.UNEXPOSED_DECL,
        )  # fmt: skip
        static = node.storage_class == c.StorageClass.STATIC or node.tls_kind != c.TLSKind.NONE
        if (is_local and not static) or not (self._changes(node.type) or self._keeps_object(node)):
            return
        where = "a static local variable" if is_local else "a static member" if is_member else "a global variable"
        self._add("variable", node.spelling or "(unnamed)", node, where)

    def _keeps_object(self, node: Any) -> bool:
        """Whether a constant pointer keeps an object of its own that can change."""
        k, t = self._kinds, self._cindex.TypeKind
        found = node.type.get_canonical()
        pointee = found.get_pointee() if found.kind == t.POINTER else None
        if pointee is None and found.get_declaration().spelling in _SMART:
            pointee = found.get_template_argument_type(0)
        if pointee is None or pointee.is_const_qualified() or pointee.kind == t.FUNCTIONPROTO:
            return False
        return any(
            n.kind == k.CXX_NEW_EXPR
            or (n.kind == k.CALL_EXPR and n.referenced is not None and n.referenced.kind != k.CONSTRUCTOR)
            for n in node.walk_preorder()
        )

    def _changes(self, found: Any) -> bool:
        t = self._cindex.TypeKind
        found = found.get_canonical()
        constant = found.is_const_qualified()
        for _ in range(20):
            if found.kind in (t.CONSTANTARRAY, t.INCOMPLETEARRAY, t.VARIABLEARRAY, t.DEPENDENTSIZEDARRAY):
                found = found.element_type
                # The library gives the constness of the elements to the array.
                constant = constant or found.is_const_qualified()
            elif found.kind in (t.LVALUEREFERENCE, t.RVALUEREFERENCE):
                found = found.get_pointee()
                constant = found.is_const_qualified()
            else:
                break
        if not constant:
            return True
        return any(
            child.kind == self._kinds.FIELD_DECL and child.is_mutable_field()
            for child in found.get_declaration().get_children()
            if self.is_own(child.location.line)
        )

    # -- sizes

    def _size(self, node: Any) -> None:
        k = self._kinds
        deepest = 0
        pending: list[tuple[Any, int, Any]] = [(child, 0, node) for child in node.get_children()]
        parameters = 0
        while pending:
            found, depth, parent = pending.pop()
            if found.kind == k.PARM_DECL and parent is node:
                parameters += 1
            if found.kind in self._control:
                children = list(parent.get_children()) if parent.kind == k.IF_STMT else []
                # "else if" is not deeper than its "if".
                if not (found.kind == k.IF_STMT and len(children) > 2 and children[-1] == found):
                    depth += 1
                    deepest = max(deepest, depth)
            pending += [(child, depth, found) for child in found.get_children()]
        start, end = node.extent.start.line, node.extent.end.line
        self._facts.append(Fact("size", node.spelling[:80] or "(unnamed)", start, "", (end, deepest, parameters)))


def _in_namespace(around: tuple[Any, ...], k: Any) -> bool:
    """Whether the nearest node around a declaration is a namespace or nothing."""
    return not around or around[-1].kind in (k.NAMESPACE, k.LINKAGE_SPEC, k.UNEXPOSED_DECL)
