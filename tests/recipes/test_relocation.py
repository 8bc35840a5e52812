"""Tests that leave their place in a package still find what they import, and their fixtures."""

from __future__ import annotations

import ast

import pytest

from rigorbench.recipes.relocation import relocated
from rigorbench.recipes.trees import Tree


def moved(
    content: str, file: str = "test_a.py", directory: str = "pack/tests", places: tuple[str, ...] = (".",)
) -> str:
    return relocated({file: content.encode()}, directory, places, {})[file].decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("from .._core import one\n", "from pack._core import one\n"),
        ("from .. import one\n", "from pack import one\n"),
        ("from..core import one\n", "from pack.core import one\n"),
        ("def f():\n    x = 'ü'; from ..core import (\n        one,\n    )\n", None),
        ("from . import helpers\n", "from . import helpers\n"),
        ("from .helpers import two\n", "from .helpers import two\n"),
        ("text = 'from .. import one'\n", "text = 'from .. import one'\n"),
        # Nothing is above the outermost package.
        ("from ...core import one\n", "from ...core import one\n"),
        ("def f(:\n", "def f(:\n"),
    ],
)
def test_imports_that_lead_out_are_absolute(before: str, after: str | None) -> None:
    expected = before.replace("..core", "pack.core") if after is None else after
    assert moved(before) == expected


def test_a_file_further_down_has_more_of_its_own() -> None:
    assert moved("from ..helpers import two\nfrom ...core import one\n", "io/test_a.py") == (
        "from ..helpers import two\nfrom pack.core import one\n"
    )


@pytest.mark.parametrize(("places", "name"), [((".",), "src.pack"), (("src",), "pack"), ((".", "src"), "pack")])
def test_the_name_is_that_of_the_nearest_place(places: tuple[str, ...], name: str) -> None:
    assert (
        moved("from ..core import one\n", directory="src/pack/tests", places=places) == f"from {name}.core import one\n"
    )


def test_several_imports_of_a_file() -> None:
    content = "".join(f"from ..part{n} import (\n    one,\n)\n" for n in range(3))
    found = ast.parse(moved(content))
    assert [n.module for n in found.body if isinstance(n, ast.ImportFrom)] == [f"pack.part{n}" for n in range(3)]


@pytest.mark.parametrize(
    ("tree", "own", "expected"),
    [
        ({"conftest.py": b"root"}, {}, b"root"),
        ({"conftest.py": b"root", "pack/conftest.py": b"nearer"}, {}, b"nearer"),
        ({"conftest.py": b"root"}, {"conftest.py": b"own"}, b"own"),
        ({"other/conftest.py": b"elsewhere"}, {}, None),
    ],
)
def test_fixtures_come_along(tree: Tree, own: Tree, expected: bytes | None) -> None:
    assert relocated(own, "pack/tests", ["."], tree).get("conftest.py") == expected
