from types import SimpleNamespace

import pytest

from asteval import Interpreter


@pytest.fixture
def interpreter():
    return Interpreter()


@pytest.mark.parametrize(
    "code",
    [
        "[p for p in range(3)]",
        "{p: q for p, q in [(1, 2)]}",
        "{p for p in 'xyz'}",
        "[(p, q) for p in range(2) for q in range(p)]",
        "[[q for q in range(p)] for p in range(3)]",
    ],
)
def test_no_loop_name_is_left(interpreter, code):
    interpreter(code)
    assert not interpreter.error
    assert not {"p", "q"} & set(interpreter.symtable)


@pytest.mark.parametrize("code", ["[p for p in range(3)]", "{p: 1 for p in range(3)}"])
def test_a_name_from_before_keeps_its_value(interpreter, code):
    interpreter("p = 'old'")
    interpreter(code)
    assert interpreter("p") == "old"


@pytest.mark.parametrize("name", ["__mine__", "__dict__", "func_code", "gi_frame"])
def test_an_unsafe_attribute_is_not_set(interpreter, name):
    thing = interpreter.symtable["thing"] = SimpleNamespace()
    interpreter(f"thing.{name} = {{}}", show_errors=False)
    kind, text = interpreter.error[0].get_error()
    assert kind == "AttributeError"
    assert f"cannot assign to unsafe attribute {name}" in text
    assert vars(thing) == {}


def test_an_ordinary_attribute_is_set(interpreter):
    thing = interpreter.symtable["thing"] = SimpleNamespace()
    interpreter("thing.size = 3")
    assert vars(thing) == {"size": 3}
