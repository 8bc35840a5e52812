import pytest
from pyrsistent import InvariantException, PClass, PRecord, field, pvector_field


class Server(PRecord):
    port = field(factory=int, invariant=lambda port: (port > 0, "port"))
    name = field(mandatory=True)


class Settings(PRecord):
    server = field(type=Server)
    retries = field(invariant=lambda retries: (retries > 0, "retries"))


class Point(PRecord):
    x = field(type=int)


class Line(PRecord):
    start = field(type=Point)
    points = pvector_field(Point)


def test_a_factory_may_be_a_builtin_type():
    settings = Settings.create({"server": {"port": "80", "name": "a"}, "retries": 3})
    assert settings.server.port == 80
    assert Server(port="80", name="a") == {"port": 80, "name": "a"}


def test_so_it_may_in_a_class():
    class Host(PClass):
        port = field(factory=int)

    assert Host.create({"port": "80"}).port == 80


def test_a_value_that_breaks_a_rule_is_refused():
    with pytest.raises(InvariantException) as error:
        Settings(retries=-1)
    assert error.value.invariant_errors == ("retries",)


def test_all_errors_are_told_at_once():
    with pytest.raises(InvariantException) as error:
        Settings.create({"server": {"port": "-1"}, "retries": 0})
    assert set(error.value.invariant_errors) == {"port", "retries"}
    assert error.value.missing_fields == ("Server.name",)


def test_unknown_keys_can_be_ignored_at_any_depth():
    data = {"start": {"x": 1, "y": 2}, "points": [{"x": 3, "y": 4}], "z": 5}
    assert Line.create(data, ignore_extra=True).points[0] == {"x": 3}
    with pytest.raises(AttributeError):
        Line.create(data)
    with pytest.raises(AttributeError):
        Line.create({"start": data["start"]})
