"""What the operators make of sources, ours and the standard library's."""

from __future__ import annotations

import difflib
import json
import re
import sysconfig
from pathlib import Path

import golden
import pytest

from rigorbench.recipes.mutation import Mutation, MutationError, apply, catalogue, mutations
from rigorbench.recipes.mutation.javascript import OPERATORS as JAVASCRIPT_OPERATORS
from rigorbench.recipes.mutation.mutate import place_of
from rigorbench.recipes.mutation.python import OPERATORS as PYTHON_OPERATORS

STDLIB = Path(sysconfig.get_paths()["stdlib"])
MODULES = ("json/decoder.py", "json/encoder.py", "csv.py", "textwrap.py", "heapq.py")
MORE_MODULES = ("collections/__init__.py", "urllib/parse.py", "argparse.py", "statistics.py", "configparser.py")


def _change(before: str, after: str) -> tuple[str, str]:
    """The changed lines of a text, before and after, joined by a stroke."""
    lines = [line for line in difflib.ndiff(before.splitlines(), after.splitlines()) if line[0] in "+-"]
    return tuple(" / ".join(line[2:].strip() for line in lines if line[0] == sign) for sign in "-+")


@pytest.mark.parametrize(
    ("language", "source", "expected"),
    [
        ("python", golden.PYTHON, golden.PYTHON_MUTATIONS),
        ("javascript", golden.JAVASCRIPT, golden.JAVASCRIPT_MUTATIONS),
    ],
)
def test_operators_make_exactly_these_changes(language, source, expected):
    found = [(m.operator, *_change(source, apply(source, m, language))) for m in mutations(source, language)]
    assert found == expected


@pytest.mark.parametrize("name", [*MODULES, *(pytest.param(m, marks=pytest.mark.slow) for m in MORE_MODULES)])
def test_every_mutation_of_a_standard_module_compiles_and_changes_its_place_only(name):
    # Slow: the larger modules have hundreds of mutations, each compiled and compared as a tree.
    source = (STDLIB / name).read_bytes().decode()
    found = mutations(source)
    assert found
    assert len({(m.operator, m.qualname, m.index) for m in found}) == len(found)
    data = source.encode()
    for mutation in found:
        result = apply(source, mutation)  # Raises if the tree is the same.
        compile(result, name, "exec", dont_inherit=True)
        splices = sorted(place_of(source, mutation).splices, key=lambda splice: splice.start)
        kept, at = [], 0
        for splice in splices:
            kept.append(data[at : splice.start])
            at = splice.end
        rest = result.encode()
        for piece in [*kept, data[at:]]:
            assert piece in rest
            rest = rest[rest.index(piece) + len(piece) :]


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_line_ends_and_byte_order_mark_stay(ending):
    source = "\ufeff" + golden.PYTHON.replace("\n", ending)
    expected = mutations(golden.PYTHON)
    assert mutations(source) == expected
    for mutation in expected:
        assert apply(source, mutation) == "\ufeff" + apply(golden.PYTHON, mutation).replace("\n", ending)


def test_table_lists_the_operators():
    rows = re.findall(r"^\| ([a-z-]+) \| ([a-z ]+) \| (.*) \| (\w+) \|$", catalogue.__doc__, re.MULTILINE)[1:]
    both = JAVASCRIPT_OPERATORS.names()
    assert [tuple(row) for row in rows] == [
        (one.name, one.family, one.what, "both" if one.name in both else "Python") for one in catalogue.OPERATORS
    ]
    assert PYTHON_OPERATORS.names() == {one.name for one in catalogue.OPERATORS}


def test_descriptions_are_one_line_without_source_text():
    for mutation in mutations(golden.PYTHON):
        assert re.fullmatch(r"[A-Z`][^\n]*", mutation.description)
        assert not re.search(r"[=<>+\"']", mutation.description)


@pytest.mark.parametrize(
    "source",
    [
        "def f(a, b):\n    assert a and b\n",
        "def f(a, b):\n    raise ValueError(a and b)\n",
        "def f(a: 'x' = None) -> 'y':\n    logging.info(a, f)\n",
        "import sys\nif sys.version_info >= (3, 8):\n    x = y[:]\n",
        "__all__ = names[:]\n",
        "def f(a):\n    return f'{a and b}'\n",
    ],
)
def test_harmless_places_are_left_out(source):
    assert mutations(source) == []


@pytest.mark.parametrize(
    ("source", "operator", "expected"),
    [
        # Brackets, comments and lines of several statements around the place.
        ("def f():\n    return (a\n      # why\n      and (b or c))\n", "dropped-condition", "return ((b or c))\n"),
        ("def f(): x.clear(); return 1\n", "stale-cache", "def f(): pass; return 1\n"),
        ("def f(x):\n    return (x\n        .y) + 1\n", "dropped-increment", "return (x\n        .y)\n"),
        ("x = sorted((y), key=lambda a, b: a,)\n", "dropped-sort-key", "x = sorted((y),)\n"),
        ("def f(x):\n    x = list(x)\n    return x\n", "dropped-copy", "def f(x):\n    return x\n"),
    ],
)
def test_text_around_a_place_stays(source, operator, expected):
    results = [apply(source, m) for m in mutations(source) if m.operator == operator]
    assert any(expected in result for result in results)


def test_errors_name_the_place():
    with pytest.raises(MutationError, match="line 1: not Python"):
        mutations("def f(:\n")
    with pytest.raises(MutationError, match="line 2: not JavaScript"):
        mutations("f()\nif (\n", "javascript")
    with pytest.raises(MutationError, match="no operators for the language 'cobol'"):
        mutations("", "cobol")
    with pytest.raises(MutationError, match=r"line 7: no place 3 of stale-cache in A\.b"):
        apply("x = 1\n", Mutation("stale-cache", "A.b", 3, 7, ""))


def test_mutations_come_in_a_stable_order():
    source = Path(json.__file__).read_text()
    assert mutations(source) == mutations(source + "\n")
