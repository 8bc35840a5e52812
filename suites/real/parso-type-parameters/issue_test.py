import pytest

import parso
from parso.parser import ParserSyntaxError

KNOWN = ["3.12", "3.13", "3.14"]


def parsed(code, version):
    module = parso.load_grammar(version=version).parse(f"{code}\n", error_recovery=False)
    assert module.get_code() == f"{code}\n"
    return module.children[0]


@pytest.mark.parametrize("version", KNOWN)
def test_the_bases_behind_type_parameters(version):
    node = parsed("class Shelf[T: str](Base, Mixin): pass", version)
    assert node.get_super_arglist().get_code() == "Base, Mixin"
    assert parsed("class Shelf[T,](): pass", version).get_super_arglist() is None
    assert parsed("class Shelf[T]: pass", version).get_super_arglist() is None


@pytest.mark.parametrize("version", KNOWN)
def test_the_parameters_behind_type_parameters(version):
    node = parsed("def pick[T: int, *Rest, **P](x: T, *y) -> T: pass", version)
    assert [parameter.name.value for parameter in node.get_params()] == ["x", "y"]
    assert node.annotation.value == "T"
    assert parsed("def pick[T](x): pass", version).annotation is None


@pytest.mark.parametrize("code", ["class A[T: str = int]: pass", "def f[*Ts = int, **P = None](): pass"])
def test_defaults_came_later(code):
    for version in KNOWN[1:]:
        parsed(code, version)
    with pytest.raises(ParserSyntaxError):
        parsed(code, "3.12")


@pytest.mark.parametrize("code", ["class A[T]: pass", "def f[T](): pass"])
def test_older_versions_have_none(code):
    with pytest.raises(ParserSyntaxError):
        parsed(code, "3.11")
