# rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
"""What CPython makes of a program, where the two languages agree: text of values and errors are put in the form of the statement."""

from __future__ import annotations

import ast
import io
import sys
import traceback

# Some messages have one type of exception in CPython.
MESSAGES: dict[type[BaseException], tuple[str, ...]] = {
    ZeroDivisionError: ("division by zero",),
    IndexError: ("index out of range",),
    TypeError: ("wrong type", "wrong arguments"),
    AttributeError: ("wrong type",),
    ValueError: ("wrong value",),
    OverflowError: ("overflow",),
}
QUOTED = str.maketrans({'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"})


def shown(value: object, inside: bool = False) -> str:
    if isinstance(value, tuple):
        text = ", ".join(shown(each, True) for each in value)
        return f"({text},)" if len(value) == 1 else f"({text})"
    if isinstance(value, str) and inside:
        return f'"{value.translate(QUOTED)}"'
    if isinstance(value, range):
        return "<range>"
    if callable(value):
        return f"<function {value.__name__.strip('<>')}>"
    return str(value)


def quotient(one: object, other: object) -> object:
    """The statement converts integers to floats first; CPython rounds their exact quotient."""
    whole = type(one) is int and type(other) is int
    return float(one) / float(other) if whole else one / other  # type: ignore[arg-type,operator]


class Quotients(ast.NodeTransformer):
    """Divides by ``quotient``, which goes by a name that no program can have."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div):
            return node
        divide = ast.Name("/", ast.Load())
        return ast.copy_location(ast.Call(divide, [node.left, node.right], []), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        self.generic_visit(node)
        if not (isinstance(node.op, ast.Div) and isinstance(node.target, ast.Name)):
            return node
        left = ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
        value = self.visit_BinOp(ast.copy_location(ast.BinOp(left, ast.Div(), node.value), node))
        return ast.copy_location(ast.Assign([node.target], value), node)


def answers(program: str) -> set[str]:
    """All outputs that agree with CPython's: an error may have one of two messages."""
    written = io.StringIO()

    def write(*values: object, sep: str = " ", end: str = "\n") -> None:
        written.write(sep.join(map(shown, values)) + end)

    write.__name__ = "print"
    names = {
        "print": write,
        "/": quotient,
        "str": lambda value: shown(value),
        "repr": lambda value: shown(value, True),
        "sorted": lambda *values, **named: tuple(sorted(*values, **named)),
    }
    deep = sys.getrecursionlimit()
    sys.setrecursionlimit(100_000)
    sys.set_int_max_str_digits(0)
    try:
        tree = ast.fix_missing_locations(Quotients().visit(ast.parse(program)))
        exec(compile(tree, "<program>", "exec"), names)
    except (NameError, *MESSAGES) as error:
        text = written.getvalue()
        line = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "<program>"][
            -1
        ]
        messages = (
            (f"undefined name {str(error).split(chr(39))[1]}",)
            if isinstance(error, NameError)
            else next(found for kind, found in MESSAGES.items() if isinstance(error, kind))
        )
        begun = "\n" if text and text[-1] != "\n" else ""
        return {f"{text}{begun}error in line {line}: {message}\n" for message in messages}
    finally:
        sys.setrecursionlimit(deep)
    return {written.getvalue()}
