import pytest

from marshmallow import (
    EXCLUDE,
    INCLUDE,
    RAISE,
    Schema,
    ValidationError,
    fields,
    missing,
)
from marshmallow.exceptions import StringNotCollectionError
from marshmallow.orderedset import OrderedSet
from tests.base import ALL_FIELDS


class TestParentAndName:
    class MySchema(Schema):
        foo = fields.Raw()
        bar = fields.List(fields.Str())
        baz = fields.Tuple((fields.Str(), fields.Int()))
        bax = fields.Dict(fields.Str(), fields.Int())

    @pytest.fixture
    def schema(self):
        return self.MySchema()

    # https://github.com/marshmallow-code/marshmallow/pull/572#issuecomment-275800288

    # Regression test for https://github.com/marshmallow-code/marshmallow/issues/1357

    # Regression test for https://github.com/marshmallow-code/marshmallow/issues/1808


class TestErrorMessages:
    class MyField(fields.Field):
        default_error_messages = {"custom": "Custom error message."}

    error_messages = (
        ("required", "Missing data for required field."),
        ("null", "Field may not be null."),
        ("custom", "Custom error message."),
        ("validator_failed", "Invalid value."),
    )


class TestPluckFiekd:
    @pytest.mark.parametrize("many", [False, True])
    def test_pluck_empty_data_key(self, many):
        class ChildSchema(Schema):
            value = fields.Integer(data_key="")

        class ParentSchema(Schema):
            child = fields.Pluck(ChildSchema, "value", many=many)

        schema = ParentSchema()
        serialized = {"child": [2, 3] if many else 2}
        deserialized = {"child": [{"value": 2}, {"value": 3}] if many else {"value": 2}}
        assert schema.load(serialized) == deserialized
        assert schema.dump(deserialized) == serialized
