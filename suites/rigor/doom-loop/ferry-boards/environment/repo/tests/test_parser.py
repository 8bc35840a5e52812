import pytest

from strata import SettingsError
from strata.parser import Append, Assign, Include, Text, parse
from strata.source import statements


def said(text):
    (statement,) = statements("a.conf", text)
    return parse(statement)


def test_values():
    assert said("a.b = -12  # number").value == -12
    assert said("a = false").value is False
    assert said("a = [true, {b = 2, c = [3],},]").value == [True, {"b": 2, "c": [3]}]
    found = said(r'a = "say \"hi\" \\ # no comment"')
    assert isinstance(found, Assign)
    assert isinstance(found.value, Text)
    assert found.value.value == r'say "hi" \ # no comment'


def test_other_statements():
    assert said('include "x/*.conf"') == Include(said("a = 1").place, "x/*.conf")
    found = said("a += [1]")
    assert isinstance(found, Append)
    assert found.values == [1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = 1 2", "a.conf:1: expected the end of the statement, found '2'"),
        ("a 1", "a.conf:1: expected '=', found '1'"),
        ("a = b", "a.conf:1: expected a value, found 'b'"),
        ('a = "b', "a.conf:1: the text is not closed"),
        ('a = "\\t"', "a.conf:1: \\t has no meaning; a backslash is written \\\\"),
        ("a = ?", "a.conf:1: '?' is not understood"),
        ("a = [1,\n 2 3]", "a.conf:2: expected ',', found '3'"),
        ("a = {\n b = 1,\n b = 2}", "a.conf:3: 'b' stands twice in the table"),
        ("a += 1", "a.conf:1: only a list can be added"),
        ("a = 1]", "a.conf:1: expected the end of the statement, found ']'"),
    ],
)
def test_errors_name_the_line(text, message):
    with pytest.raises(SettingsError) as caught:
        said(text)
    assert str(caught.value) == message
