"""Texts that crashed a grammar or kept it busy for minutes: each gives an answer now, and real code the same as ever.

A crash of a grammar ends the test run; that is the point of running them here and not in a process of their own.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rigorbench.base.code.grammars import grammar_for, parse
from rigorbench.base.code.parsing import LARGEST, legible, nested_deeply
from rigorbench.base.code.testcode import test_functions as functions_of
from rigorbench.evidence.code.units import changed_units, units, units_at, units_of_fragment
from rigorbench.evidence.edits.facts import edit_facts, symbols
from rigorbench.session.model import FileChange

# One function of each language: {body} is where a text is put, and the name is one that ASCII has no letters for.
_CODE = {"py": "def größe(x):\n    return {body}\n", "js": "function größe(x) {{ return {body}; }}\n",
    "ts": "function größe(x: number) {{ return {body}; }}\n", "tsx": "function größe(x: number) {{ return {body}; }}\n",
    "go": "package a\nfunc größe(x int) int {{ return {body} }}\n", "rs": "fn größe(x: i32) -> i32 {{ {body} }}\n",
    "java": "class Ä {{ int größe(int x) {{ return {body}; }} }}\n", "rb": "def größe(x)\n  {body}\nend\n",
    "php": "<?php function größe($x) {{ return {body}; }}\n",
    "cs": "class Ä {{ int größe(int x) {{ return {body}; }} }}\n", "c": "int größe(int x) {{ return {body}; }}\n",
    "cpp": "int größe(int x) {{ return {body}; }}\n"}  # fmt: skip
_NAMES = {extension: "Ä.größe" if extension in ("java", "cs") else "größe" for extension in _CODE}


def _everything(path: str, before: str, after: str) -> None:
    """All that the evidence asks of a text."""
    for unit in units(path, after).values():
        assert 0 <= unit.start <= unit.end <= len(after.encode("utf-8", "surrogatepass"))
        assert 1 <= unit.start_line <= unit.end_line
    changed_units(path, before, after)
    units_at(path, after, 2, 2)
    units_of_fragment(path, after)
    functions_of(path, after)
    change = FileChange(path=path, operation="modify", hunks=[(before, after)])
    edit_facts(change, root="/r", path=path)
    symbols(change, path)


@pytest.mark.parametrize("extension", _CODE)
def test_names_beyond_ascii_are_cut_where_they_stand(extension: str) -> None:
    path, code = f"a.{extension}", _CODE[extension].format(body="x")
    found = units(path, code)
    assert _NAMES[extension] in found
    unit = found[_NAMES[extension]]
    assert "größe" in code.encode()[unit.start : unit.end].decode()
    changed = changed_units(path, code, _CODE[extension].format(body="x + 1"))
    assert changed == [_NAMES[extension]]


_DEEP = 50_000
# Ran out of stack where the tree is written out, or took time and memory that grow with the square of the length.
_NESTED = {"balanced brackets": "(" * _DEEP + "x" + ")" * _DEEP, "open brackets": "[" * _DEEP,
    "words and brackets": "%w[" * 3000, "member chain": "a." * 30_000 + "a", "not": "!" * _DEEP + "x",
    "sum": "x+" * 30_000 + "x", "conditional": "x?x:" * 2_000 + "x", "lambda": "x=>" * 2_000 + "x",
    "functions": "function(){" * 2_000, "interpolation": '"#{' * 20_000, "here-documents": "<<A " * 20_000,
    "preprocessor": "\n#if A" * 3_000, "else if": "if(x){}else " * 1_000, "arrows": "->" * 2000,
    "classes": "class A { " * 2_000}  # fmt: skip


@pytest.mark.parametrize("extension", _CODE)
@pytest.mark.parametrize("kind", _NESTED)
def test_nested_and_endless_texts(extension: str, kind: str) -> None:
    path, text = f"a.{extension}", _NESTED[kind]
    code = _CODE[extension].format(body=text)
    assert len(units(path, code)) <= 5_001
    changed_units(path, _CODE[extension].format(body="x"), code)
    functions_of(f"test_{path}", text)


@pytest.mark.parametrize("extension", _CODE)
@pytest.mark.parametrize(
    "piece", ["x ", "/*", "/**", "'", '"', '"""', "'''", "`", "\\", "é", "\0", "\ud800", "\n", "#", 'R"x(', "{{", "eq"]
)
def test_large_texts(extension: str, piece: str) -> None:
    path = f"tests/test_a.{extension}"
    for size in (50_000, 1_000_000):
        text = piece * (size // len(piece))
        _everything(path, "x = 1\n", text)


def test_what_is_too_large_or_too_deep_has_no_units_and_the_rest_has() -> None:
    function = "def f():\n    return 1\n"
    assert list(units("a.py", function)) == ["f"]
    assert units("a.py", function + "# " + "x" * LARGEST) == {}
    assert units("a.py", function + "y = " + "(" * 401 + "1" + ")" * 401) == {}
    assert list(units("a.py", function + "y = " + "(" * 300 + "1" + ")" * 300)) == ["f"]
    assert units("a.py", function + "y = " + "1 + " * 5000 + "1") == {}
    assert list(units("a.py", function + "y = " + "1 + " * 400 + "1")) == ["f"]


def test_brackets_in_text_do_not_make_a_file_deep() -> None:
    smileys = "".join(f"def f{n}():\n    return ':({n}'  # [ :-)\n" for n in range(300))
    assert len(units("a.py", smileys)) == 300


def _depth(text: str) -> int:
    depth = deepest = 0
    for character in text:
        if character in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in ")]}" and depth:
            depth -= 1
    return deepest


@given(st.lists(st.tuples(st.sampled_from("([{)]}x"), st.integers(1, 300)), max_size=12))
def test_depth_of_brackets(runs: list[tuple[str, int]]) -> None:
    text = "".join(character * count for character, count in runs)
    if nested_deeply(text.encode()):
        assert _depth(text) > 400
    else:
        # Every open bracket that is never closed counts, those before a closed pair as well as those after it.
        assert _depth(text) <= 800


@given(st.text(st.sampled_from("ab\n\r\u2028'"), max_size=60), st.integers(0, 3000))
def test_legible_text_loses_only_endless_words(text: str, length: int) -> None:
    long = f"{text} {'y' * length} z"
    assert legible(long) == long if length < 500 else f"{text} {'y' * 100} z"


def test_legible_text_is_no_longer_than_what_a_grammar_reads() -> None:
    assert legible("a b\n" * LARGEST) == "a b\n" * (LARGEST // 4)
    assert legible("é" * 2 * LARGEST + "\n") == "é" * 100


_TOKENS = [
    *"()[]{}<>'\"`#$%&*+-/=?@\\^_|~!.,;: \t\n",
    *('"""', "'''", "/*", "*/", "//", "`${", "#{", 'f"{', "<<~A\n", "\nA\n", "<?php ", "?>", 'R"x(', ')x"', 'r#"'),
    *("#if A\n", "#endif\n", "=begin\n", "\n=end\n", "__END__\n", "%w[", "=>", "->", "::", "\\\n", '@"', "<a>", "</a>"),
    *("def f", "class A", "function ", "func (", "fn f", "end", "do |x|", "it('x', () => {", "void Test", "@Test "),
    *("x", "é", "名", "😀", "\u202e", "\ufeff", "\u2028", "\xa0", "\x00", "\x85", "\ud800", "\udfff", "\U0010ffff"),
]  # fmt: skip
_TEXT = st.lists(st.one_of(st.sampled_from(_TOKENS), st.characters()), max_size=60).map("".join)


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(extension=st.sampled_from(sorted(_CODE)), data=st.data())
def test_any_text_is_survived(extension: str, data: Any) -> None:
    code = _CODE[extension].format(body="x")
    at = data.draw(st.integers(0, len(code)))
    until = data.draw(st.integers(at, len(code)))
    _everything(f"tests/test_a.{extension}", code, code[:at] + data.draw(_TEXT) + code[until:])


def test_an_assertion_of_many_terms_and_a_file_of_many_helpers() -> None:
    """The first ran out of stack in the syntax tree of Python itself, the second took the square of its length."""
    terms = " + ".join(["f(1)"] * 600)
    change = FileChange(
        path="tests/test_a.py",
        operation="create",
        after=f"def test_sum():\n    assert {terms} == {terms}\n"
        + "".join(f"def help{n}():\n    return help{n + 1}() + f({n})\n" for n in range(1000))
        + "".join(f"def test_{n}():\n    assert help{n}() is not None\n" for n in range(1000)),
    )
    facts = edit_facts(change, root="/r", path=change.path)
    assert len(facts.tests) == 1001
    assert "f" in facts.tests[1].references


def test_threads_parse_one_after_the_other() -> None:
    texts = [b"int f%d() { return (1 + %d); }\n" % (n, n) * 3000 for n in range(16)]
    grammar = grammar_for("a.cpp", "")
    assert grammar is not None
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda text: parse(grammar, text), texts))
    assert [tree[0].root_node.child_count for tree in found if tree is not None] == [3000] * 16
