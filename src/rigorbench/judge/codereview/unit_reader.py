"""Read C and C++ units with libclang, and write what rules need to know as JSON.

A program of its own: it runs in the cell in which the submission is built, where only the standard library and libclang
are. ``compiled.py`` starts it and decodes what it writes.

    python3 unit_reader.py TASK OUT

TASK is JSON: ``build`` (directory with ``compile_commands.json``, or null) and ``units`` (more units to read unless an
earlier one covers them, each with ``directory``, ``arguments`` and ``file``). OUT is a directory: one JSON file per
unit, and ``targets.json`` with the names of the CMake targets that make a file.
"""

from __future__ import annotations

import glob
import json
import os
import re
import resource
import shlex
import subprocess
import sys
from collections.abc import Iterator
from ctypes import POINTER, Structure, c_uint
from itertools import islice, pairwise
from typing import Any

sys.path.insert(0, "/rigor/python")

# Seconds of CPU and bytes of memory for one unit.
_SECONDS = 60
_MEMORY = 4 << 30
_SYSTEM = ("/usr/", "/lib", "/opt/", "/etc/")
# Options that say what the code is. Others are about code generation, and may be unknown to libclang.
_WITH_VALUE = ("-I", "-D", "-U", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-x")
_KEPT = ("-std=", "-fopenmp", "-pthread", "-fno-exceptions", "-fno-rtti", "-fchar8_t", "-funsigned-char")
# libclang 18 has the concepts of C++23 under an older number, with which GCC's headers leave out <expected>.
_CONCEPTS = re.compile(r"-std=(?:c|gnu)\+\+2[3bc6]$")
_SMART = frozenset({"unique_ptr", "shared_ptr", "auto_ptr", "__shared_ptr"})
_QUOTED = re.compile(rb"(?:u8|[uUL])?R?([\"'])")
_LIBRARY_NAME = re.compile(r"\b(?:std|__gnu_\w+)(?:::\w+)+")
_ASM = ("asm", "__asm", "__asm__")

Unit = dict[str, Any]


def main(task: str, out: str) -> None:
    wanted = json.loads(task)
    headers = subprocess.run(["gcc", "-print-file-name=include"], capture_output=True, text=True).stdout.strip()
    covered: set[str] = set()
    os.mkdir(out)
    built = list(_built_units(wanted["build"])) if wanted["build"] else []
    for number, unit in enumerate([*built, *wanted["units"]]):
        path = os.path.realpath(os.path.join(unit["directory"], unit["file"]))
        if number >= len(built) and path in covered:
            continue
        found = _in_process(unit, path, headers, f"{out}/{number}.json")
        covered.update(found["files"])
    # The names of targets that make a file, as CMake's file API tells them.
    targets = []
    for path in glob.glob(f"{wanted['build']}/.cmake/api/v1/reply/target-*.json"):
        with open(path) as file:
            target = json.load(file)
        if target["type"] not in ("UTILITY", "INTERFACE_LIBRARY"):
            targets.append(target["name"])
    with open(f"{out}/targets.json", "w") as file:
        json.dump(sorted(targets), file)


def _built_units(build: str) -> Iterator[Unit]:
    """The units of ``compile_commands.json`` of which the build made an object: other targets are not the program's."""
    try:
        with open(f"{build}/compile_commands.json") as file:
            commands = json.load(file)
    except FileNotFoundError:
        return
    seen = set()
    for command in commands:
        words = command.get("arguments") or shlex.split(command["command"])
        output = words[words.index("-o") + 1] if "-o" in words else ""
        if os.path.exists(os.path.join(command["directory"], output)) and tuple(words) not in seen:
            seen.add(tuple(words))
            yield {"directory": command["directory"], "arguments": words, "file": command["file"]}


def _in_process(unit: Unit, path: str, headers: str, out: str) -> Unit:
    """The result of one unit, also written to ``out``. Hostile code may make the library crash or run long."""
    child = os.fork()
    if child == 0:
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
            resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
            os.chdir(unit["directory"])
            result = _read(unit, path, headers)
            with open(f"{out}.part", "w") as file:
                json.dump(result, file)
            os.rename(f"{out}.part", out)
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    if not os.path.exists(out):
        failed = {"file": path, "failed": "too large or too deeply nested to be read", "files": [path]}
        with open(out, "w") as file:
            json.dump(failed, file)
    with open(out) as file:
        found: Unit = json.load(file)
    return found


def _read(unit: Unit, path: str, headers: str) -> Unit:
    from clang import cindex

    arguments = [*_options(unit["arguments"]), "-w", "-ferror-limit=0", "-idirafter", headers]
    try:
        tree = cindex.Index.create().parse(
            path, arguments, options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
        )
    except cindex.TranslationUnitLoadError:
        return {"file": path, "failed": "cannot be read", "files": [path]}
    reader = _Reader(cindex, tree)
    reader.read()
    errors = [
        (*reader.place(found), found.spelling[:200])
        for found in tree.diagnostics
        if found.severity >= 4 or (found.severity == 3 and reader.is_own(found))
    ]
    # The headers that options include before the source.
    names = [after for word, after in pairwise(arguments) if word == "-include"]
    forced = [(path, 1, name, os.path.realpath(name) if os.path.exists(name) else "") for name in names]
    return {
        "file": path,
        "files": reader.files,
        "includes": [*forced, *reader.includes],
        "facts": list(dict.fromkeys(reader.facts)),
        "lines": {file: reader.code_lines(file) for file in reader.files if _is_own(file)},
        "errors": errors,
    }


def _options(arguments: list[str]) -> list[str]:
    kept: list[str] = []
    words = iter(arguments[1:])
    for word in words:
        option = next((name for name in _WITH_VALUE if word.startswith(name)), None)
        if option is not None:
            kept += [word, next(words, "")] if word == option else [word]
        elif word.startswith(_KEPT):
            kept.append(word)
            if _CONCEPTS.match(word):
                kept.append("-D__cpp_concepts=202002L")
    is_cpp = "++" in os.path.basename(arguments[0]) and not any(word.startswith("-x") for word in kept)
    return [*(["-xc++"] if is_cpp else []), *kept]


def _is_own(path: str) -> bool:
    """Whether a file is the submission's or the problem's, and not the system's."""
    return bool(path) and not path.startswith(_SYSTEM)


class _Reader:
    """Walks the parts of a tree that are not the system's.

    `files`: The files that were read. `includes`: (file, line, header as written, file that was read) of each include
    outside the system's files. `facts`: (kind, name, file, line, detail, numbers), see ``compiled.Fact``.
    """

    def __init__(self, cindex: Any, tree: Any) -> None:
        self._cindex, self._tree = cindex, tree
        # The package has no binding for it: CXSourceRangeList of clang-c/Index.h.
        fields = [("count", c_uint), ("ranges", POINTER(cindex.SourceRange))]
        ranges = type("SourceRangeList", (Structure,), {"_fields_": fields})
        cindex.conf.lib.clang_getSkippedRanges.restype = POINTER(ranges)
        self._paths: dict[str, str] = {}
        # File, start and end of what a macro of the library makes, such as NULL.
        self._library_macros: set[tuple[str, int, int]] = set()
        self.includes: list[tuple[str, int, str, str]] = []
        self.facts: list[tuple[str, str, str, int, str, tuple[int, ...]]] = []
        self.files = sorted({self._path(tree.spelling), *(self._path(i.include.name) for i in tree.get_includes())})
        k = self._kinds = cindex.CursorKind
        self._control = {
            k.IF_STMT, k.FOR_STMT, k.CXX_FOR_RANGE_STMT, k.WHILE_STMT, k.DO_STMT, k.SWITCH_STMT, k.CXX_TRY_STMT,
        }  # fmt: skip
        self._loops = {k.FOR_STMT, k.CXX_FOR_RANGE_STMT, k.WHILE_STMT, k.DO_STMT}
        self._functions = {
            k.FUNCTION_DECL, k.CXX_METHOD, k.CONSTRUCTOR, k.DESTRUCTOR, k.CONVERSION_FUNCTION, k.FUNCTION_TEMPLATE,
        }  # fmt: skip
        self._classes = {
            k.CLASS_DECL, k.STRUCT_DECL, k.UNION_DECL, k.CLASS_TEMPLATE, k.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,
        }  # fmt: skip
        self._namespaces = {k.TRANSLATION_UNIT, k.NAMESPACE, k.LINKAGE_SPEC, k.UNEXPOSED_DECL}
        self._statements = {
            k.GOTO_STMT: "goto", k.INDIRECT_GOTO_STMT: "goto", k.ASM_STMT: "asm", k.MS_ASM_STMT: "asm",
            k.ASM_LABEL_ATTR: "asm", k.CXX_REINTERPRET_CAST_EXPR: "reinterpret_cast",
            k.CXX_CONST_CAST_EXPR: "const_cast",
        }  # fmt: skip

    # -- places

    def _path(self, name: str) -> str:
        if name not in self._paths:
            self._paths[name] = os.path.realpath(name)
        return self._paths[name]

    def place(self, node: Any) -> tuple[str, int]:
        """File and line of a node or message, with "#line" ignored; a file of "" is the compiler's own."""
        location = node.location
        return (self._path(location.file.name), location.line) if location.file is not None else ("", 0)

    def is_own(self, node: Any) -> bool:
        return _is_own(self.place(node)[0])

    def code_lines(self, path: str) -> list[tuple[int, str]]:
        """The lines of a file without comments, the content of strings, and code behind a condition that is off."""
        file = self._tree.get_file(next(name for name, real in self._paths.items() if real == path))
        with open(path, "rb") as source:
            text = bytearray(source.read())
        kinds = self._cindex.TokenKind
        for token in self._tree.get_tokens(extent=self._tree.get_extent(file.name, (0, len(text)))):
            start, end = token.extent.start.offset, token.extent.end.offset
            if token.kind == kinds.COMMENT:
                _blank(text, start, end)
            elif token.kind == kinds.LITERAL and (opened := _QUOTED.match(text, start, end)):
                _blank(text, opened.end(), text.rindex(opened[1], start, end))
        skipped = self._cindex.conf.lib.clang_getSkippedRanges(self._tree, file).contents
        for start, end in ((r.start.offset, r.end.offset) for r in skipped.ranges[: skipped.count]):
            _blank(text, start, end)
        lines = text.decode("utf-8", "replace").split("\n")
        return [(number, line.strip()) for number, line in enumerate(lines, 1) if line.strip()]

    # -- the walk

    def read(self) -> None:
        for top in self._tree.cursor.get_children():
            if top.kind == self._kinds.INCLUSION_DIRECTIVE:
                if self.is_own(top):
                    entered = top.get_included_file()
                    entered = self._path(entered.name) if entered is not None else ""
                    self.includes.append((*self.place(top), top.spelling, entered))
            elif top.kind == self._kinds.MACRO_INSTANTIATION:
                if self.is_own(top) and self._is_foreign(top.referenced):
                    self._library_macros.add((self.place(top)[0], top.extent.start.offset, top.extent.end.offset))
            elif not top.kind.is_preprocessing() and self.is_own(top):
                # Not recursive: a chain of operators is as deep as it is long. Each: a node and the nodes around it.
                pending: list[tuple[Any, tuple[Any, ...]]] = [(top, ())]
                while pending:
                    node, around = pending.pop()
                    if self.is_own(node):
                        self._visit(node, around)
                    inner = (*around[-7:], node)
                    pending += [(child, inner) for child in node.get_children()]

    def _add(self, kind: str, name: str, node: Any, detail: str = "", numbers: tuple[int, ...] = ()) -> None:
        self.facts.append((kind, name, *self.place(node), detail, numbers))

    def _visit(self, node: Any, around: tuple[Any, ...]) -> None:
        k, kind = self._kinds, node.kind
        if kind in self._statements:
            self._add("statement", self._statements[kind], node)
            if kind == k.ASM_LABEL_ATTR:
                self._add("declares", node.spelling, node)
            elif kind == k.ASM_STMT and "goto" in [
                t.spelling for t, _ in zip(node.get_tokens(), range(4), strict=False)
            ]:
                self._add("statement", "goto", node)
        elif kind in (k.CASE_STMT, k.DEFAULT_STMT):
            kinds = [outer.kind for outer in around]
            inside = kinds[len(kinds) - kinds[::-1].index(k.SWITCH_STMT) :] if k.SWITCH_STMT in kinds else []
            if any(outer in self._loops for outer in inside):
                self._add("statement", "goto", node)  # into a loop
        elif kind == k.NAMESPACE and node.spelling == "std":
            # Specialisations of the library's templates belong there, and nothing else.
            special = self._cindex.conf.lib.clang_getSpecializedCursorTemplate
            if not all(special(child) for child in node.get_children()):
                self._add("using", "std", node, "opened")
        elif kind in (k.TYPE_REF, k.TEMPLATE_REF):
            if node.referenced is not None:
                whose = "type" if self._is_foreign(node.referenced) else "own"
                self._add(whose, self._qualified(node.referenced), node)
        elif kind in (k.DECL_REF_EXPR, k.MEMBER_REF_EXPR, k.CALL_EXPR):
            self._reference(node, around)
        elif kind == k.OVERLOADED_DECL_REF and around and around[-1].kind != k.USING_DECLARATION:
            # A call in a template that is decided later: here only if every candidate is the library's.
            lib = self._cindex.conf.lib
            found = [lib.clang_getOverloadedDecl(node, n) for n in range(lib.clang_getNumOverloadedDecls(node))]
            if found and all(self._is_foreign(candidate) for candidate in found):
                for candidate in found:
                    self._add("function", self._qualified(candidate), node)
        elif kind == k.CXX_NEW_EXPR:
            self._new(node, around)
        elif kind == k.CXX_DELETE_EXPR:
            self._add("release", "delete", node)
        elif kind == k.USING_DIRECTIVE:
            named = node
            while named is not None and named.kind in (k.USING_DIRECTIVE, k.NAMESPACE_ALIAS):
                # The namespace behind aliases of it.
                inner = [c.referenced for c in named.get_children() if c.kind == k.NAMESPACE_REF]
                named = inner[-1] if inner else None
            self._add("using", self._qualified(named), node)
        elif kind == k.CXX_CATCH_STMT:
            if not self._acts(node):
                self._add("catch", "ignored", node)
        elif kind == k.VAR_DECL:
            c, parent = self._cindex, node.semantic_parent
            is_member = parent is not None and parent.kind in self._classes
            is_local = parent is not None and not is_member and parent.kind not in self._namespaces
            static = node.storage_class == c.StorageClass.STATIC or node.tls_kind != c.TLSKind.NONE
            if (not is_local or static) and self._changes(node.type):
                what = "static local variable" if is_local else "static member" if is_member else "global variable"
                self._add("variable", node.spelling or "(unnamed)", node, f"a {what}")
        elif kind == k.UNEXPOSED_DECL and next((t.spelling for t in node.get_tokens()), "") in _ASM:
            self._add("statement", "asm", node)
        elif kind in self._functions and node.is_definition():
            self._size(node)
            self._add("defines", node.mangled_name, node)
        elif kind == k.CSTYLE_CAST_EXPR and self._reinterprets(node):
            self._add("statement", "reinterpret_cast", node)
        if kind in (k.VAR_DECL, k.FIELD_DECL, k.PARM_DECL, k.CALL_EXPR, k.TYPE_ALIAS_DECL, k.TYPEDEF_DECL):
            self._value(node)
        if kind.is_declaration():
            self._add("declares", node.spelling, node)

    # -- names

    def _qualified(self, declaration: Any) -> str:
        """The namespaces, classes and name of a declaration, from the outside in."""
        parts: list[str] = []
        while declaration is not None and declaration.kind != self._kinds.TRANSLATION_UNIT and len(parts) < 40:
            if declaration.kind not in (self._kinds.LINKAGE_SPEC, self._kinds.UNEXPOSED_DECL) and declaration.spelling:
                parts.append(declaration.spelling.split("<")[0] or declaration.spelling)
            declaration = declaration.semantic_parent
        return "::".join(reversed(parts))

    def _is_foreign(self, declaration: Any) -> bool:
        return declaration is not None and not self.is_own(declaration)

    def _value(self, node: Any) -> None:
        """The type of a value, behind typedefs, deduction and functions of the library."""
        found = self._element(node.type.get_canonical(), pointers=True)
        declaration = found.get_declaration()
        if declaration.kind not in self._classes:
            return
        if self._is_foreign(declaration):
            self._add("value", self._qualified(declaration), node)
        else:
            # What a template of the submission is given.
            for name in _LIBRARY_NAME.findall(found.spelling[:2000]):
                self._add("value", name, node)

    def _element(self, found: Any, *, pointers: bool) -> Any:
        t = self._cindex.TypeKind
        arrays = (t.CONSTANTARRAY, t.INCOMPLETEARRAY, t.VARIABLEARRAY, t.DEPENDENTSIZEDARRAY)
        for _ in range(20):
            if pointers and found.kind in (t.POINTER, t.LVALUEREFERENCE, t.RVALUEREFERENCE):
                found = found.get_pointee()
            elif found.kind in arrays:
                found = found.element_type
        return found

    def _reference(self, node: Any, around: tuple[Any, ...]) -> None:
        declaration = node.referenced
        if declaration is None:
            return
        if declaration.kind == self._kinds.VAR_DECL and self._is_foreign(declaration):
            self._add("object", self._qualified(declaration), node)
        if declaration.kind not in self._functions:
            return
        parent, name = declaration.semantic_parent, self._qualified(declaration)
        if parent is not None and parent.kind in self._classes:
            if self._is_foreign(declaration):
                self._add("method", name, node)
        elif name in ("operator new", "operator new[]"):
            arguments = [a.type.get_canonical().spelling for a in declaration.get_arguments()]
            # A coroutine calls it without saying so.
            is_written = any(token.spelling == "operator" for token in islice(node.get_tokens(), 4))
            if is_written and arguments[1:] != ["void *"]:
                self._add("allocation", name, node, "operator")
        elif self._is_foreign(declaration) and "::" in name:
            self._add("function", name, node)
        elif self._is_foreign(declaration) or declaration.get_definition() is None:
            # A declaration of one's own without a definition names a function of a library, or of another unit.
            symbol = declaration.mangled_name.lstrip("\x01")
            self._add("symbol", symbol, node, name)
            if symbol in ("mmap", "mmap64") and "PROT_EXEC" in {t.spelling for t in node.get_tokens()}:
                self._add("symbol", "mmap(PROT_EXEC)", node, name)

    # -- memory, variables, exceptions, sizes

    def _new(self, node: Any, around: tuple[Any, ...]) -> None:
        words = [token.spelling for token in islice(node.get_tokens(), 12)]
        after = words[words.index("new") + 1 :] if "new" in words else []
        if after[:1] == ["("] and not {"nothrow", "align_val_t"} & set(after):
            return  # placement
        k = self._kinds
        held, inner = False, node
        for parent in reversed(around):
            ends = (k.CALL_EXPR, k.VAR_DECL, k.FIELD_DECL, k.LAMBDA_EXPR, *self._functions)
            if parent.kind in ends or parent.kind.is_statement():
                held = self._holds(parent, inner)
                break
            inner = parent
        self._add("allocation", "new", node, "held" if held else "array" if "[" in node.type.spelling else "object")

    def _holds(self, parent: Any, inner: Any) -> bool:
        """Whether a call, a declaration or a constructor gives what is in it to a smart pointer."""
        k, children = self._kinds, list(parent.get_children())
        if parent.kind == k.CALL_EXPR and parent.referenced is not None:
            return self._is_smart(parent.referenced)
        holder = None
        if parent.kind == k.CALL_EXPR and children and children[0].kind == k.MEMBER_REF_EXPR:
            # A method in a template that is decided later, of an object whose type may be known.
            holder = next(iter(children[0].get_children()), None)
            if holder is None or holder.type.kind == self._cindex.TypeKind.DEPENDENT:
                return [token.spelling for token in children[0].get_tokens()][-1:] == ["reset"]
        elif parent.kind in (k.CALL_EXPR, k.VAR_DECL, k.FIELD_DECL):
            holder = parent
        elif parent.kind == k.CONSTRUCTOR and inner in children[1:]:
            before = children[children.index(inner) - 1]
            holder = before if before.kind == k.MEMBER_REF else None
        return holder is not None and self._is_smart(holder.type.get_canonical().get_declaration())

    def _is_smart(self, declaration: Any) -> bool:
        """Whether this is a smart pointer of the library, or a part of one."""
        name = self._qualified(declaration).split("::")
        return name[0] == "std" and not _SMART.isdisjoint(name)

    def _reinterprets(self, node: Any) -> bool:
        """Whether a cast in the style of C is between pointers to different types, or a pointer and an integer."""
        t = self._cindex.TypeKind
        operand = [child for child in node.get_children() if child.kind.is_expression()]
        place = (self.place(node)[0], node.extent.start.offset, node.extent.end.offset)
        if not operand or place in self._library_macros:
            return False
        to, of = node.type.get_canonical(), operand[-1].type.get_canonical()
        if to.kind == of.kind == t.POINTER:
            names = [re.sub(r"\b(?:const|volatile) ?", "", p.get_pointee().spelling).strip() for p in (to, of)]
            loose = (t.VOID, t.RECORD, t.UNEXPOSED, t.DEPENDENT)
            return names[0] != names[1] and not {to.get_pointee().kind, of.get_pointee().kind} & set(loose)
        whole = (t.INT, t.UINT, t.LONG, t.ULONG, t.LONGLONG, t.ULONGLONG)
        if to.kind == t.POINTER and of.kind in whole:
            return [token.spelling for token in islice(operand[-1].get_tokens(), 2)] != ["0"]
        return to.kind in whole and of.kind == t.POINTER

    def _acts(self, handler: Any) -> bool:
        """Whether the body of a catch does anything: a call, a jump, a change of a value."""
        k = self._kinds
        acts = {
            k.CALL_EXPR, k.CXX_THROW_EXPR, k.RETURN_STMT, k.BREAK_STMT, k.CONTINUE_STMT, k.GOTO_STMT, k.ASM_STMT,
            k.CXX_DELETE_EXPR, k.CXX_NEW_EXPR, k.COMPOUND_ASSIGNMENT_OPERATOR,
        }  # fmt: skip
        later = self._cindex.TypeKind.DEPENDENT
        body = [child for child in handler.get_children() if child.kind == k.COMPOUND_STMT]
        return any(
            node.kind in acts
            or (
                node.kind in (k.BINARY_OPERATOR, k.UNARY_OPERATOR)
                # What an operator in a template does may be decided later.
                and (node.type.kind == later or {"=", "++", "--"} & {token.spelling for token in node.get_tokens()})
            )
            for block in body
            for node in block.walk_preorder()
        )

    def _changes(self, found: Any) -> bool:
        t = self._cindex.TypeKind
        found = found.get_canonical()
        if found.kind in (t.LVALUEREFERENCE, t.RVALUEREFERENCE):
            found = found.get_pointee()
        constant = found.is_const_qualified()
        found = self._element(found, pointers=False)
        if not (constant or found.is_const_qualified()):
            return True
        fields = found.get_declaration().get_children()
        return any(f.kind == self._kinds.FIELD_DECL and f.is_mutable_field() and self.is_own(f) for f in fields)

    def _size(self, node: Any) -> None:
        k = self._kinds
        deepest = 0
        pending: list[tuple[Any, int, Any]] = [(child, 0, node) for child in node.get_children()]
        parameters = sum(child.kind == k.PARM_DECL for child in node.get_children())
        while pending:
            found, depth, parent = pending.pop()
            if found.kind in self._control:
                children = list(parent.get_children()) if parent.kind == k.IF_STMT else []
                # "else if" is not deeper than its "if".
                if not (found.kind == k.IF_STMT and len(children) > 2 and children[-1] == found):
                    depth += 1
                    deepest = max(deepest, depth)
            pending += [(child, depth, found) for child in found.get_children()]
        first, last = node.extent.start, node.extent.end
        file = self._path(first.file.name)
        name = node.spelling[:80] or "(unnamed)"
        self.facts.append(("size", name, file, first.line, "", (last.line, deepest, parameters)))


def _blank(text: bytearray, start: int, end: int) -> None:
    text[start:end] = re.sub(rb"[^\n]", b" ", bytes(text[start:end]))


if __name__ == "__main__":
    main(*sys.argv[1:])
