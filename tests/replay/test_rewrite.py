"""A rewrite of Python code does what the code does, and is another text and other code."""

from __future__ import annotations

import ast
import types

import pytest

from rigorbench.bench.replay.final import REWRITES, rewritten

CODE = '''\
"""A module."""
from __future__ import annotations

LIMIT = 3  # not more


def plain(a, b=2, *rest, key=None):
    """What it does.

    >>> plain(1)
    """
    total = a + b
    for part in rest:
        total += part
    with_key = f"{total=} {key}"
    return total, with_key


def closure(n):
    count = 0
    step = n

    def inner():
        nonlocal count
        count += step
        return count

    return [inner() for _ in range(n)]


def shadowed(values):
    int = len(values)
    found = [x for x in values if (last := x) > int]
    return found, last


def caught(text):
    import json as reader
    try:
        value = reader.loads(text)
    except ValueError as error:
        message = str(error)
        return message
    match value:
        case {"a": first, **others}:
            return first, others
        case [head, *tail]:
            return head, tail
    global seen
    seen = value
    return seen


def visible(a):
    b = a + 1
    return sorted(locals())


class Counter:
    step = 2

    def take(self, n):
        size = self.step * n
        self.size = size
        yield from range(size)
        del size
'''
CALLS = (
    "plain(1)",
    "plain(1, 2, 3, key='k')",
    "plain.__doc__",
    "closure(3)",
    "shadowed([1, 5, 9])",
    "caught('x')",
    'caught(\'{"a": 1, "b": 2}\')',
    "caught('[1, 2, 3]')",
    "caught('7')",
    "visible(1)[:2]",
    "list(Counter().take(2))",
    "LIMIT",
)


def run(text: str, call: str) -> object:
    space: dict[str, object] = {}
    exec(compile(text, "module", "exec", dont_inherit=True), space)
    return eval(call, space)


@pytest.mark.parametrize("number", range(1, REWRITES + 1))
@pytest.mark.parametrize("call", CALLS)
def test_a_rewrite_does_the_same(call: str, number: int) -> None:
    assert run(rewritten(CODE, number) or "", call) == run(CODE, call)


def test_a_rewrite_is_another_text_and_other_code() -> None:
    texts = [CODE, *(rewritten(CODE, n) or "" for n in range(1, REWRITES + 1))]
    assert len(set(texts)) == len(texts)
    codes = [run(text, "plain") for text in texts]
    assert len({c.__code__.co_code + repr(c.__code__.co_names).encode() for c in codes}) == len(texts)  # type: ignore[attr-defined]
    assert "total" not in codes[1].__code__.co_varnames  # type: ignore[attr-defined]
    assert isinstance(codes[1], types.FunctionType)


def test_the_same_number_gives_the_same_text() -> None:
    assert rewritten(CODE, 2) == rewritten(CODE, 2)


def test_what_cannot_be_parsed_is_not_rewritten() -> None:
    assert rewritten("def f(:\n", 1) is None


def test_comments_and_layout_go_and_docstrings_stay() -> None:
    text = rewritten(CODE, 1) or ""
    assert "not more" not in text
    assert ast.get_docstring(ast.parse(text)) == "A module."
