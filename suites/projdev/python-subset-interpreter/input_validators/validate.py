# rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
"""Accepts (status 42) a program of the language in the statement that prints something or fails; else ends with 43.

The syntax is a part of Python's, so that Python's parser can read it; only what the statement mentions may be used.
"""

import ast
import re
import sys

PROGRAM = re.compile(r"(?:[ -~]*\n)+")
STATEMENTS = (
    ast.Expr, ast.Assign, ast.AugAssign, ast.Return, ast.Break, ast.Continue, ast.Pass, ast.Global, ast.Nonlocal, ast.If, ast.While, ast.For,
    ast.FunctionDef,
)  # fmt: skip
EXPRESSIONS = (
    ast.Lambda, ast.IfExp, ast.BoolOp, ast.UnaryOp, ast.Compare, ast.BinOp, ast.Call, ast.Attribute, ast.Subscript, ast.Slice, ast.Name, ast.Constant,
    ast.Tuple,
)  # fmt: skip
OPERATORS = (
    ast.And, ast.Or, ast.Not, ast.UAdd, ast.USub, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.Eq, ast.NotEq, ast.Lt,
    ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn,
)  # fmt: skip
OTHERS = (ast.Module, ast.arguments, ast.arg, ast.keyword, ast.Load, ast.Store)
OTHER_ESCAPE = re.compile(r"""(?:[^\\]|\\[nt\\'"])*\\[^nt\\'"]""", re.DOTALL)


def node_complaint(node):
    if not isinstance(node, STATEMENTS + EXPRESSIONS + OPERATORS + OTHERS):
        return f"{type(node).__name__} is not in the language"
    if isinstance(node, (ast.For, ast.While)) and node.orelse:
        return "a loop with else"
    if isinstance(node, ast.Constant) and type(node.value) not in (int, float, str, bool, type(None)):
        return "a constant of another type"
    if isinstance(node, ast.arguments) and (node.vararg or node.kwarg or node.kwonlyargs or node.posonlyargs):
        return "parameters of another kind"
    if isinstance(node, ast.keyword) and node.arg is None:
        return "arguments of another kind"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.keywords:
        return "a method with named arguments"
    if isinstance(node, ast.FunctionDef) and (node.decorator_list or node.returns):
        return "a function with more than parameters"
    if (
        isinstance(node, (ast.stmt, ast.expr))
        and not isinstance(node, (ast.If, ast.While, ast.For, ast.FunctionDef))
        and node.lineno != node.end_lineno
    ):
        return "a statement on several lines"
    return target_complaint(node)


def target_complaint(node):
    targets = (
        node.targets
        if isinstance(node, ast.Assign)
        else [node.target]
        if isinstance(node, (ast.For, ast.AugAssign))
        else []
    )
    for target in targets:
        names = target.elts if isinstance(target, ast.Tuple) and not isinstance(node, ast.AugAssign) else [target]
        if not all(isinstance(name, ast.Name) for name in names) or not names:
            return "a target that is neither a name nor names"
    return None


def complaint(data):
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError:
        return "not ASCII"
    if not PROGRAM.fullmatch(text) or len(text) > 100_000:
        return "not lines of printable characters, or too long"
    try:
        tree = ast.parse(text)
        compile(tree, "program", "exec")
    except (SyntaxError, ValueError, RecursionError) as problem:
        return f"not well formed: {problem}"
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        reason = node_complaint(node)
        if isinstance(node, ast.Attribute) and id(node) not in called:
            reason = "an attribute that is not called"
        if reason:
            return f"line {getattr(node, 'lineno', '?')}: {reason}"
    strings = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    if any(OTHER_ESCAPE.match(ast.get_source_segment(text, node) or "") for node in strings):
        return "an escape that is not in the language"
    if not any(isinstance(node, ast.Call) for node in ast.walk(tree)):
        return "nothing is called"
    return None


def main():
    sys.set_int_max_str_digits(0)
    reason = complaint(sys.stdin.buffer.read())
    if reason:
        sys.stderr.write(f"{reason}\n")
    sys.exit(43 if reason else 42)


main()
