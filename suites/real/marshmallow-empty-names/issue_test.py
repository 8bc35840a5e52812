import pytest
from marshmallow import EXCLUDE, Schema, ValidationError, fields


class Reading(Schema):
    value = fields.Integer(data_key="")
    unit = fields.String(data_key="u")


class Station(Schema):
    reading = fields.Pluck(Reading, "value")
    readings = fields.Pluck(Reading, "value", many=True)
    units = fields.Pluck(Reading, "unit", many=True)


def test_a_reading_is_written_as_it_was_read():
    sent = {"": 7, "u": "mm"}
    assert Reading().load(sent) == {"value": 7, "unit": "mm"}
    assert Reading().dump(Reading().load(sent)) == sent


def test_a_station_is_written_as_it_was_read():
    sent = {"reading": 7, "readings": [1, 2], "units": ["mm", "cm"]}
    loaded = Station().load(sent)
    assert loaded == {
        "reading": {"value": 7},
        "readings": [{"value": 1}, {"value": 2}],
        "units": [{"unit": "mm"}, {"unit": "cm"}],
    }
    assert Station().dump(loaded) == sent


def test_names_without_a_key_of_their_own_stay():
    class Plain(Schema):
        value = fields.Integer()
        other = fields.Integer(data_key=None)

    assert Plain().dump({"value": 1, "other": 2}) == {"value": 1, "other": 2}
    assert Plain().load({"value": 1, "other": 2}) == {"value": 1, "other": 2}


def test_errors_are_found_under_the_key():
    with pytest.raises(ValidationError) as error:
        Reading().load({"": "seven"})
    assert error.value.messages == {"": ["Not a valid integer."]}
    assert Reading(unknown=EXCLUDE).load({"value": 3}) == {}
