"""Steps of a refactoring: what moves, who imports it from where, and what is called otherwise."""

from __future__ import annotations

import pytest

from rigorbench.recipes.restructure import Move, Rename, Retarget, Step, stages
from rigorbench.recipes.rewrites import Rewrite
from rigorbench.recipes.trees import Tree, TreeError

_UTIL = """\
import re

# About words.
_WORD = re.compile("x")


def first(x):
    return x


@property
def second(x):
    return first(x)


def third():
    return "first"
"""
_USER = "def f():\n    from .util import (\n        first as one,\n        third,\n    )\n\n    return one, third\n"
_TREE: Tree = {
    "p/util.py": _UTIL.encode(),
    "p/user.py": _USER.encode(),
    "p/other.py": b"from p.util import second\nfrom q.futil import first\n\nx = second\n",
}
_MOVE = Move(["second", "_WORD", "first"], "p/util.py", "p/new.py", '"""New."""\n')


def _step(**parts: object) -> Step:
    return Step("s", "text", "true", **parts)  # type: ignore[arg-type]


def test_definitions_move_with_their_decorators_and_comments() -> None:
    (tree,) = stages(_TREE, [_step(moves=[_MOVE])])
    assert tree["p/util.py"].decode() == 'import re\n\ndef third():\n    return "first"\n'
    new = tree["p/new.py"].decode()
    assert new.startswith('"""New."""\n\n\n# About words.\n_WORD = ')
    assert '"x")\n\n\ndef first(x):\n    return x\n\n\n@property\ndef second' in new


def test_imports_are_split_and_keep_their_other_names() -> None:
    one = Retarget(["first", "second"], "util", "deep.new", ["p/user.py", "p/other.py"])
    (tree,) = stages(_TREE, [_step(retargets=[one])])
    assert tree["p/user.py"].decode().splitlines()[1:3] == [
        "    from .util import third",
        "    from .deep.new import first as one",
    ]
    assert tree["p/other.py"].startswith(b"from p.deep.new import second\nfrom q.futil import first\n")


def test_names_change_in_the_code_only() -> None:
    (tree,) = stages(_TREE, [_step(renames=[Rename("first", "one", ["p/util.py"])])])
    text = tree["p/util.py"].decode()
    assert "def one(x):" in text
    assert "return one(x)" in text
    assert 'return "first"' in text


def test_each_step_begins_where_the_last_one_ended() -> None:
    steps = [_step(moves=[_MOVE]), _step(rewrites=[Rewrite("p/util.py", (1, 2), "from .new import first\n")])]
    before, after = stages(_TREE, steps)
    assert before["p/new.py"] == after["p/new.py"]
    assert after["p/util.py"].startswith(b"from .new import first\ndef third")


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"moves": [Move(["fourth"], "p/util.py", "p/new.py", "")]}, "step s: p/util.py: defines no fourth"),
        ({"moves": [Move(["first"], "p/gone.py", "p/new.py", "")]}, "step s: p/gone.py: missing"),
        ({"moves": [Move(["first"], "p/util.py", "p/user.py", "")]}, "step s: p/user.py: missing, or there already"),
        ({"renames": [Rename("fourth", "one", ["p/*.py"])]}, "step s: nothing to change in p/*.py"),
        ({"rewrites": [Rewrite("p/util.py", (90, 91))]}, "step s: p/util.py: lines 90 to 91"),
    ],
)
def test_a_step_that_does_not_fit_is_named(parts: dict[str, object], said: str) -> None:
    with pytest.raises(TreeError) as error:
        stages(_TREE, [_step(**parts)])
    assert str(error.value).startswith(said)
