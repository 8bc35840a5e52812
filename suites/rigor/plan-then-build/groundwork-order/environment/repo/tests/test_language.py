import pytest
from conftest import TEXT

from groundwork import GroundworkError, parse


def test_resources_in_the_order_of_the_file():
    lan, data = parse(TEXT)
    assert (lan.address, lan.line, lan.values) == ("network.lan", 3, {"range": "10.1.0.0/16", "label": ""})
    assert (data.address, data.values) == ("disk.data", {"size": 20, "label": "orders"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lan {", "f:1: a resource is expected"),
        ("house a {", "f:1: no such kind: house; there are disk, network, record, server"),
        ("disk a {\n}", "f:1: disk a: missing: size"),
        ("disk a {\nsize = 1\n}\ndisk a {", "f:4: disk.a is there twice"),
        ("disk a {\ncolour = 1", "f:2: disk a: no such attribute: colour"),
        ("disk a {\nsize = 1\nsize = 2", "f:3: disk a: size is there twice"),
        ('disk a {\nsize = "1"', "f:2: disk a: size: a number is needed"),
        ("disk a {\nsize = x", "f:2: disk a: no value: x"),
        ("disk a {\nsize = 1", "f:2: disk a has no end"),
    ],
)
def test_errors_name_the_line(text, message):
    with pytest.raises(GroundworkError) as caught:
        parse(text, "f")
    assert str(caught.value).startswith(message)
