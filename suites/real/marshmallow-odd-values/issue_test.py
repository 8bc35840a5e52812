import uuid

import pytest
from marshmallow import Schema, ValidationError, fields


class Shift(Schema):
    pause = fields.TimeDelta("days")
    rest = fields.TimeDelta("weeks")
    badge = fields.UUID()


def refused(body):
    with pytest.raises(ValidationError) as error:
        Shift().load(body)
    return error.value.messages


@pytest.mark.parametrize("value", [9999999999, -9999999999, "inf", "-inf", "1e400", "nan"])
def test_periods_out_of_range_are_refused(value):
    assert refused({"pause": value}) == {"pause": ["Not a valid period of time."]}
    assert refused({"rest": value}) == {"rest": ["Not a valid period of time."]}


@pytest.mark.parametrize("value", [b"tooshort", b"", b"x" * 17, bytearray(3)])
def test_bytes_that_are_no_badge_are_refused(value):
    assert refused({"badge": value}) == {"badge": ["Not a valid UUID."]}


def test_all_that_is_wrong_is_named():
    assert refused({"pause": "inf", "badge": b"tooshort"}).keys() == {"pause", "badge"}


def test_sixteen_bytes_are_a_badge():
    assert Shift().load({"badge": b"0123456789abcdef"}) == {"badge": uuid.UUID(bytes=b"0123456789abcdef")}
