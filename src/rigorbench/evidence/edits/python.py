"""The files that a short Python program writes or prints, found in its syntax tree without running it.

Agents edit with ``python - <<EOF`` scripts: read a file, replace some text, write it back. Values are followed through
straight-line code, loops over literals, and functions called with literals; all other values are unknown.
"""

from __future__ import annotations

import ast
import posixpath
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import zip_longest
from textwrap import dedent

from msgspec import Struct, field

from ...session.model import FileChange

# A program without any of these words writes no file.
_SIGNS = ("write", "dump", "remove", "unlink", "rename", "rmtree", "shutil", "touch", "file")
_MODULES = ("os", "shutil", "json", "yaml", "pathlib", "re", "textwrap", "io", "codecs", "sys")
_MAX_CODE = 500_000  # characters; the tree of a program takes 250 times the memory
_MAX_CALLS = 50
_MAX_VALUES = 20
_MAX_STEPS = 5_000  # statements walked
_MAX_TEXT = 1_000_000  # characters of a value


class Content(Struct):
    """Text read from a file."""

    path: str
    hunks: list[tuple[str, str]] = field(default_factory=list)
    """Replacements made in it since."""
    everywhere: bool = True
    """Every replacement is of all occurrences."""


class PythonFile(Struct):
    """An open file."""

    path: str
    mode: str


class Path(Struct):
    path: str


class Items(Struct):
    """A literal list or tuple."""

    values: list[Value]


Value = str | Content | PythonFile | Path | Items | None


@lru_cache(64)
def python_edits(code: str, output: str | None = None, name: str = "<stdin>") -> tuple[FileChange, ...]:
    """The file changes of a program; paths as it writes them. ``output`` and ``name``: as for :func:`.executed`."""
    program = _walked(code, output, name) if any(sign in code for sign in _SIGNS) else None
    return () if program is None else tuple(c for c in program.changes if "*" not in c.path)


@lru_cache(64)
def python_prints(code: str) -> tuple[str, ...]:
    """The files whose text a program prints, and patterns of files; as it writes them."""
    program = _walked(code, None, "") if "print" in code else None
    return () if program is None else tuple(program.printed)


def _walked(code: str, output: str | None, name: str) -> _Program | None:
    """The program, as far as it can be followed; None: it cannot be parsed."""
    if len(code) > _MAX_CODE:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if output is not None:
        tree = executed(tree, output, name)
    program = _Program()
    with suppress(RecursionError):  # keep what was found so far
        program.block(tree.body)
    return program


class _Program:
    def __init__(self) -> None:
        self.names: dict[str, Value] = {}
        self.functions: dict[str, ast.FunctionDef] = {}
        self.changes: list[FileChange] = []
        self.printed: dict[str, None] = {}
        self.calls = 0
        self.returned: Value = None
        self.steps = 0

    def block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self.steps += 1
            if self.steps > _MAX_STEPS:
                break
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Assign):
            value = self.value(node.value)
            for target in node.targets:
                self.assign(target, value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self.assign(node.target, self.value(node.value))
        elif isinstance(node, ast.AugAssign):
            value = self.value(node.value)
            name = node.target.id if isinstance(node.target, ast.Name) else ""
            old = self.names.get(name)
            if isinstance(old, str) and isinstance(value, str):
                self.names[name] = _short(old + value)
            else:
                self.assign(node.target, _changed(old))
        elif isinstance(node, ast.Expr):
            self.value(node.value)
        elif isinstance(node, ast.With):
            for item in node.items:
                value = self.value(item.context_expr)
                if item.optional_vars is not None:
                    self.assign(item.optional_vars, value)
            self.block(node.body)
        elif isinstance(node, ast.For):
            values = self.value(node.iter)
            for one in values.values[:_MAX_VALUES] if isinstance(values, Items) else [_changed(values)]:
                self.assign(node.target, one)
                self.block(node.body)
        elif isinstance(node, ast.If):
            self.value(node.test)
            self.block([*node.body, *node.orelse])
        elif isinstance(node, ast.While):
            self.block(node.body)
        elif isinstance(node, ast.Try):
            self.block([*node.body, *node.orelse, *node.finalbody])
        elif isinstance(node, ast.FunctionDef):
            self.functions[node.name] = node
        elif isinstance(node, ast.Return) and node.value is not None:
            self.returned = self.value(node.value)

    def assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.names[target.id] = value
        elif isinstance(target, ast.Tuple | ast.List):
            values = value.values if isinstance(value, Items) and len(value.values) == len(target.elts) else None
            for i, element in enumerate(target.elts):
                self.assign(element, values[i] if values is not None else _changed(value))
        elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            # lines[3] = ...: a change that is not followed
            old = self.names.get(target.value.id)
            if isinstance(old, Content):
                self.names[target.value.id] = _changed(old)

    # Expressions

    def value(self, node: ast.expr) -> Value:
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        if isinstance(node, ast.Name):
            return self.names.get(node.id)
        if isinstance(node, ast.Call):
            return self.call(node)
        if isinstance(node, ast.BinOp):
            return self.operation(node)
        if isinstance(node, ast.List | ast.Tuple):
            return Items([self.value(e) for e in node.elts])
        if isinstance(node, ast.Dict):
            return Items([self.value(k) if k is not None else None for k in node.keys])
        if isinstance(node, ast.JoinedStr):
            return self.formatted(node)
        if isinstance(node, ast.Subscript | ast.Starred | ast.Await | ast.NamedExpr):
            inner = self.value(node.value)
            if isinstance(node, ast.NamedExpr):
                self.assign(node.target, inner)
                return inner
            return _changed(inner)
        if isinstance(node, ast.IfExp):
            return self.value(node.body)
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            inner = self.value(node.generators[0].iter)
            return _changed(inner)
        return None

    def operation(self, node: ast.BinOp) -> Value:
        left, right = self.value(node.left), self.value(node.right)
        if isinstance(node.op, ast.Div) and isinstance(left, Path) and isinstance(right, str | Path):
            joined = _short(posixpath.join(left.path, _path(right) or ""))
            return Path(joined) if joined is not None else None
        if isinstance(node.op, ast.Add):
            if isinstance(left, str) and isinstance(right, str):
                return _short(left + right)
            return _changed(left) or _changed(right)
        return None

    def formatted(self, node: ast.JoinedStr) -> Value:
        values = [self.value(part.value if isinstance(part, ast.FormattedValue) else part) for part in node.values]
        if content := next((v for v in values if isinstance(v, Content)), None):
            return _changed(content)
        parts = [text for value in values if (text := _path(value)) is not None]
        return _short("".join(parts)) if len(parts) == len(values) else None

    def call(self, node: ast.Call) -> Value:
        self.calls += 1
        if self.calls > 40 * _MAX_CALLS:
            return None
        function = node.func
        arguments = [self.value(a) for a in node.args]
        if isinstance(function, ast.Name):
            return self.plain_call(function.id, node, arguments)
        if not isinstance(function, ast.Attribute):
            return None
        owner = function.value.id if isinstance(function.value, ast.Name) else ""
        if owner in _MODULES and owner not in self.names:
            return self.module_call(owner, function.attr, node, arguments)
        if _dotted(function) == "os.path.join" and (joined := _joined(arguments)) is not None:
            return joined
        return self.method(self.value(function.value), function.attr, node, arguments)

    def plain_call(self, name: str, node: ast.Call, arguments: list[Value]) -> Value:
        if name == "open":
            return self.open(node, arguments)
        if name in ("Path", "PurePath", "PosixPath"):
            joined = _joined(arguments)
            return None if joined is None else Path(joined)
        if name == "str" and arguments:
            return _path(arguments[0])
        if name == "print":
            self.printed.update({a.path: None for a in arguments if isinstance(a, Content)})
            for keyword in node.keywords:
                if keyword.arg == "file":
                    target = self.value(keyword.value)
                    if isinstance(target, PythonFile):
                        self.write(target, arguments[0] + "\n" if arguments and isinstance(arguments[0], str) else None)
            return None
        if name in ("list", "sorted", "reversed", "enumerate") and arguments:
            return arguments[0] if name != "enumerate" else _changed(arguments[0])
        if name in ("glob", "iglob") and arguments:
            return Items(arguments[:1])
        called = self.functions.get(name)
        if called is None or self.calls > _MAX_CALLS:
            return None
        return self.user_function(name, called, node, arguments)

    def user_function(self, name: str, called: ast.FunctionDef, node: ast.Call, arguments: list[Value]) -> Value:
        outer, returned = self.names, self.returned
        self.names, self.returned = dict(outer), None
        parameters = [a.arg for a in (*called.args.posonlyargs, *called.args.args)]
        self.names.update(zip_longest(parameters, arguments[: len(parameters)]))
        self.names.update({k.arg: self.value(k.value) for k in node.keywords if k.arg is not None})
        del self.functions[name]  # no recursion
        self.block(called.body)
        self.functions[name] = called
        result = self.returned
        self.names, self.returned = outer, returned
        return result

    def open(self, node: ast.Call, arguments: list[Value]) -> Value:
        path = _path(arguments[0]) if arguments else None
        mode = arguments[1] if len(arguments) > 1 else None
        for keyword in node.keywords:
            if keyword.arg == "mode":
                mode = self.value(keyword.value)
        return PythonFile(path, mode if isinstance(mode, str) else "r") if path is not None else None

    def module_call(self, module: str, name: str, node: ast.Call, arguments: list[Value]) -> Value:
        first = arguments[0] if arguments else None
        path = _path(first)
        if module in ("io", "codecs") and name == "open":
            return self.open(node, arguments)
        if module == "pathlib":
            return self.plain_call(name, node, arguments)
        if module == "textwrap" and name == "dedent" and isinstance(first, str):
            return dedent(first)
        if module in ("json", "yaml") and name in ("dump", "safe_dump") and len(arguments) > 1:
            if isinstance(arguments[1], PythonFile):
                self.write(arguments[1], None)
        elif module == "re" and name in ("sub", "subn") and len(arguments) > 2 and isinstance(arguments[2], Content):
            return _changed(arguments[2])
        elif path is not None and (name in ("remove", "unlink", "rmtree")):
            self.changes.append(FileChange(path, "delete"))
        elif path is not None and len(arguments) > 1 and (target := _path(arguments[1])) is not None:
            if name in ("rename", "replace", "move"):
                self.changes.append(FileChange(path, "rename", new_path=target))
            elif name in ("copy", "copy2", "copyfile", "copytree"):
                self.changes.append(FileChange(target, "create"))
        return None

    def method(self, owner: Value, name: str, node: ast.Call, arguments: list[Value]) -> Value:
        first = arguments[0] if arguments else None
        if isinstance(owner, str):
            return _changed(first) if name == "join" else _string_method(owner, name, arguments)
        if isinstance(owner, Path):
            return self.path_method(owner, name, arguments)
        if isinstance(owner, PythonFile):
            if name in ("read", "readlines"):
                return Content(owner.path)
            if name == "write":
                self.write(owner, first)
            elif name == "writelines":
                self.write(owner, _changed(first))
            return None
        if isinstance(owner, Content):
            if name == "replace" and len(arguments) >= 2:
                return _replaced(owner, first, arguments[1], limited=len(node.args) > 2)
            if name in ("insert", "append", "extend", "pop", "remove", "sort"):
                return None
            return owner if name in ("decode", "encode") else _changed(owner)
        if name == "sub" and len(arguments) > 1:  # a compiled pattern
            return _changed(arguments[1])
        if name in ("glob", "iglob"):
            return Items(arguments[:1])
        return _changed(first) if name == "join" else None

    def path_method(self, owner: Path, name: str, arguments: list[Value]) -> Value:
        first = arguments[0] if arguments else None
        if name in ("read_text", "read_bytes"):
            return Content(owner.path)
        if name in ("write_text", "write_bytes"):
            self.write(PythonFile(owner.path, "w"), first)
        elif name == "open":
            mode = first if isinstance(first, str) else "r"
            return PythonFile(owner.path, mode)
        elif name == "unlink":
            self.changes.append(FileChange(owner.path, "delete"))
        elif name == "touch":
            self.changes.append(FileChange(owner.path, "create"))
        elif name in ("rename", "replace") and (target := _path(first)) is not None:
            self.changes.append(FileChange(owner.path, "rename", new_path=target))
        elif name == "joinpath" and (joined := _joined([owner, *arguments])) is not None:
            return Path(joined)
        elif name in ("resolve", "absolute", "expanduser"):
            return owner
        elif name in ("glob", "rglob") and isinstance(first, str):
            return Items([Path(posixpath.join(owner.path, "**" if name == "rglob" else "", first))])
        return None

    def write(self, file: PythonFile, value: Value) -> None:
        if not set("wax+").intersection(file.mode) or len(self.changes) > 200:
            return
        last = self.changes[-1] if self.changes else None
        if "a" in file.mode:
            self.changes.append(FileChange(file.path, hunks=[("", value)] if isinstance(value, str) else []))
        elif isinstance(value, Content):
            same = value.path == file.path
            change = FileChange(file.path, "modify" if same else "create")
            if same and value.hunks:
                change.hunks = list(value.hunks)
                change.replace_all = len(value.hunks) == 1 and value.everywhere
            self.changes.append(change)
        elif last is not None and last.path == file.path and last.after is not None and last.operation == "create":
            # a further write to the same open file
            last.after = _short(last.after + value) if isinstance(value, str) else None
        else:
            self.changes.append(FileChange(file.path, "create", after=value if isinstance(value, str) else None))


def _changed(value: Value) -> Content | None:
    """The text of a file, or some of it, after a change that is not followed."""
    return Content(value.path) if isinstance(value, Content | PythonFile) else None


def _replaced(content: Content, old: Value, new: Value, *, limited: bool) -> Content:
    if isinstance(old, str) and isinstance(new, str):
        return Content(content.path, [*content.hunks, (old, new)], content.everywhere and not limited)
    return Content(content.path, content.hunks)


def _string_method(text: str, name: str, arguments: list[Value]) -> Value:
    if name == "format" or not all(isinstance(a, str) for a in arguments):
        return None
    words = [a for a in arguments if isinstance(a, str)]
    if name == "replace" and len(words) == 2:
        grown = text.count(words[0]) * len(words[1])
        return text.replace(words[0], words[1]) if grown < _MAX_TEXT else None
    if name in ("strip", "lstrip", "rstrip") and len(words) <= 1:
        return str(getattr(text, name)(*words))
    if name == "split" and len(words) <= 1:
        return Items(list(text.split(words[0] if words else None)))
    if name in ("encode", "decode"):
        return text
    return None


def _short(text: str) -> str | None:
    """The text, unless it is too long (a program may double it in a loop)."""
    return text if len(text) <= _MAX_TEXT else None


def _path(value: Value) -> str | None:
    if isinstance(value, Path):
        return value.path
    return value if isinstance(value, str) else None


def _joined(values: Sequence[Value]) -> str | None:
    """The path of these parts; None if one of them is unknown, or there are none."""
    parts = [p for v in values if (p := _path(v)) is not None]
    return posixpath.join(*parts) if parts and len(parts) == len(values) else None


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


# How far a program came, as its output shows: what it did not reach, it did not do. A script that edits files often
# prints in each branch what it found, or fails in an assertion before it writes.

# The outermost frame of a traceback: where the program itself stopped.
_STOPPED = re.compile(
    r'^Traceback \(most recent call last\):\n(?: *\^.*\n)* *File "([^"\n]+)", line (\d+)', re.MULTILINE
)
# A shorter text may be in any output.
_TELLING = 5


def executed(tree: ast.Module, output: str, name: str) -> ast.Module:
    """The program, which a traceback calls ``name``, without the statements that its output shows it did not reach."""
    body = tree.body
    for stopped in _STOPPED.finditer(output):
        if stopped[1].endswith(name):
            body = [s for s in body if (s.end_lineno or s.lineno) < int(stopped[2])]
    return ast.Module(_reached(body, output, once=True), [])


def stopped(output: str, name: str) -> bool:
    """Whether the output shows where an error ended the program."""
    return any(m[1].endswith(name) for m in _STOPPED.finditer(output))


def _reached(body: Iterable[ast.stmt], output: str, *, once: bool) -> list[ast.stmt]:
    """The statements of a block that may have run. ``once``: it runs once, so that of two branches one did not run."""
    found: list[ast.stmt] = []
    for node in body:
        if isinstance(node, ast.If):
            taken = _branch(node.body, output)
            other = _branch(node.orelse, output)
            one, two = (
                [] if taken is False or (once and other and taken is None) else node.body,
                [] if other is False or (once and taken and other is None) else node.orelse,
            )
            one, two = _reached(one, output, once=once), _reached(two, output, once=once)
            found.append(ast.copy_location(ast.If(node.test, one, two), node))
            if once and taken and node.body and _leaves(node.body[-1]):
                break
        elif isinstance(node, ast.For | ast.While | ast.FunctionDef):
            inner = _reached(node.body, output, once=False)
            found.append(_with_body(node, inner))
        elif isinstance(node, ast.With):
            found.append(_with_body(node, _reached(node.body, output, once=once)))
        else:
            found.append(node)
    return found


def _with_body(node: ast.stmt, body: list[ast.stmt]) -> ast.stmt:
    fields = {name: getattr(node, name) for name in node._fields if hasattr(node, name)}
    return ast.copy_location(type(node)(**{**fields, "body": body}), node)


def _branch(body: list[ast.stmt], output: str) -> bool | None:
    """Whether a branch ran, by what it prints; None: it prints nothing that is known beforehand."""
    texts = [text for node in body for text in _printed(node)]
    return None if not texts else all(text in output for text in texts)


def _printed(node: ast.stmt) -> Iterator[str]:
    """The literal text that a statement certainly prints: the longest part of it without values."""
    value: ast.expr | None = None
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and node.value.args:
        called = ast.unparse(node.value.func)
        if called in ("print", "sys.exit", "exit") and not node.value.keywords:
            value = node.value.args[0]
    elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
        value = node.exc.args[0]
    parts = value.values if isinstance(value, ast.JoinedStr) else [value]
    texts = [p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)]
    lines = [line.strip() for text in texts for line in text.split("\n")]
    longest = max(lines, key=len, default="")
    if len(longest) >= _TELLING:
        yield longest


def _leaves(node: ast.stmt) -> bool:
    """Whether a statement ends the program."""
    if isinstance(node, ast.Raise):
        return True
    call = node.value if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and ast.unparse(call.func) in ("sys.exit", "exit", "quit", "os._exit")
