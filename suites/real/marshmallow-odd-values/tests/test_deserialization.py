# mypy: disable-error-code="arg-type"
import datetime as dt
import decimal
import ipaddress
import math
import typing
import uuid
from unittest.mock import patch

import pytest

from marshmallow import (
    EXCLUDE,
    INCLUDE,
    RAISE,
    Schema,
    fields,
    missing,
    validate,
)
from marshmallow.exceptions import ValidationError
from tests.base import (
    ALL_FIELDS,
    DateEnum,
    GenderEnum,
    HairColorEnum,
    UltimatumEnum,
    assert_date_equal,
    assert_time_equal,
    central,
    predicate,
)


class MockDateTimeOverflowError(dt.datetime):
    """Used to simulate the possible OverflowError of datetime.fromtimestamp"""

    def fromtimestamp(self, *args, **kwargs):  # type: ignore[override]
        raise OverflowError


class MockDateTimeOSError(dt.datetime):
    """Used to simulate the possible OSError of datetime.fromtimestamp"""

    def fromtimestamp(self, *args, **kwargs):  # type: ignore[override]
        raise OSError


class TestFieldDeserialization:

    # Regression test for https://github.com/marshmallow-code/marshmallow/pull/2102

    @pytest.mark.parametrize(
        "in_value", ["", "badvalue", [], 9999999999, "nan", "inf", "-inf"]
    )
    def test_invalid_timedelta_field_deserialization(self, in_value):
        field = fields.TimeDelta(fields.TimeDelta.DAYS)
        with pytest.raises(ValidationError) as excinfo:
            field.deserialize(in_value)
        assert excinfo.value.args[0] == "Not a valid period of time."

    # regression test for https://github.com/marshmallow-code/marshmallow/issues/1400

    # regression test for https://github.com/marshmallow-code/marshmallow/issues/1400

    @pytest.mark.parametrize("in_value", ["malformed", 123, [], b"tooshort"])
    def test_invalid_uuid_deserialization(self, in_value):
        field = fields.UUID()
        with pytest.raises(ValidationError) as excinfo:
            field.deserialize(in_value)

        assert excinfo.value.args[0] == "Not a valid UUID."


# No custom deserialization behavior, so a dict is returned
class SimpleUserSchema(Schema):
    name = fields.String()
    age = fields.Float()


class Validator(Schema):
    email = fields.Email()
    colors = fields.Str(validate=validate.OneOf(["red", "blue"]))
    age = fields.Integer(validate=validate.Range(min=0, min_inclusive=False))


class Validators(Schema):
    email = fields.Email()
    colors = fields.Str(validate=validate.OneOf(["red", "blue"]))
    age = fields.Integer(validate=[validate.Range(1, 99)])


validators_gen = (
    func for func in [predicate(lambda x: x <= 24), predicate(lambda x: x >= 18)]
)

validators_gen_float = (
    func for func in [predicate(lambda f: f <= 4.1), predicate(lambda f: f >= 1.0)]
)

validators_gen_str = (
    func
    for func in [
        predicate(lambda n: len(n) == 3),
        predicate(lambda n: n[1].lower() == "o"),
    ]
)
