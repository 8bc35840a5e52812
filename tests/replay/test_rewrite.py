"""A rewrite of code does what the code does, and is another text and other code."""

from __future__ import annotations

import ast
import shutil
import subprocess
import types
from pathlib import Path

import pytest

from rigorbench.bench.replay.rewrites import REWRITES, rewritten
from sources import text_file

CODE = text_file("rewrite.code.txt")
CALLS = ("plain(1)", "plain(1, 2, 3, key='k')", "plain.__doc__", "closure(3)", "shadowed([1, 5, 9])", "caught('x')",
    'caught(\'{"a": 1, "b": 2}\')', "caught('[1, 2, 3]')", "caught('7')", "visible(1)[:2]", "list(Counter().take(2))",
    "LIMIT")  # fmt: skip


def run(text: str, call: str) -> object:
    space: dict[str, object] = {}
    exec(compile(text, "module", "exec", dont_inherit=True), space)
    return eval(call, space)


@pytest.mark.parametrize("number", range(1, REWRITES + 1))
@pytest.mark.parametrize("call", CALLS)
def test_a_rewrite_does_the_same(call: str, number: int) -> None:
    assert run(rewritten("a.py", CODE, number) or "", call) == run(CODE, call)


def test_a_rewrite_is_another_text_and_other_code() -> None:
    texts = [CODE, *(rewritten("a.py", CODE, n) or "" for n in range(1, REWRITES + 1))]
    assert len(set(texts)) == len(texts)
    codes = [run(text, "plain") for text in texts]
    assert len({c.__code__.co_code + repr(c.__code__.co_names).encode() for c in codes}) == len(texts)  # type: ignore[attr-defined]
    assert "total" not in codes[1].__code__.co_varnames  # type: ignore[attr-defined]
    assert isinstance(codes[1], types.FunctionType)


def test_the_same_number_gives_the_same_text() -> None:
    assert rewritten("a.py", CODE, 2) == rewritten("a.py", CODE, 2)


def test_what_cannot_be_parsed_is_not_rewritten() -> None:
    assert rewritten("a.py", "def f(:\n", 1) is None


def test_comments_and_layout_go_and_docstrings_stay() -> None:
    text = rewritten("a.py", CODE, 1) or ""
    assert "not more" not in text
    assert ast.get_docstring(ast.parse(text)) == "A module."


SCRIPT = """import { a as b, c } from "./x.mjs"; // x, (y)
const text = `one, ${[1, 2].join(", ")} (two)`, pattern = /[,)]/g;
export default ({ a, b = (c, 1) }, ...rest) => ({ a, b });
"""


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.mjs", "f(a, 'b, c');\n", "f(a/*3*/, 'b, c'/*3*/);\n"),
        ("a.rs", 'fn f(a: u8) -> u8 { g!(a, ",)") }\n', 'fn f(a: u8/*3*/) -> u8 { g!(a/*3*/, ",)"/*3*/) /*3*/}\n'),
        ("a.cpp", "#define F(a, b) (a)\n", "#define F(a/*3*/, b/*3*/) (a)\n"),
        ("a.cpp", 'auto s = f(R"x(a, (b))x");\n', 'auto s = f(R"x(a, (b))x"/*3*/);\n'),
        ("A.java", "class A { @B(c = 1) int d() { return 1; } }\n", None),
        ("a.go", "func f(", None),
        ("a.js", "f(;", None),
    ],
)
def test_other_languages_get_comments_between_tokens(path: str, text: str, expected: str | None) -> None:
    found = rewritten(path, text, 3)
    assert found == expected if path != "A.java" else (found or "").replace("/*3*/", "") == text != found


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not here")
def test_a_rewritten_script_is_the_same_script(tmp_path: Path) -> None:
    (tmp_path / "x.mjs").write_text("export const a = 1, c = 2;\n")
    told = []
    for number, text in enumerate((SCRIPT, rewritten("a.mjs", SCRIPT, 1) or "")):
        (tmp_path / f"{number}.mjs").write_text(text + "console.log(text, String(pattern), b, c);\n")
        told.append(subprocess.run(["node", tmp_path / f"{number}.mjs"], capture_output=True, check=True).stdout)
    assert told[0] == told[1] == b"one, 1, 2 (two) /[,)]/g 1 2\n"
