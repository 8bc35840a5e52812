"""The helpers are where they belong."""

from sqlparse import utils
from sqlparse.filters import margins
from sqlparse.matching import is_any, recurse


def test_each_helper_has_its_module():
    assert {margins.indent.__module__, margins.offset.__module__} == {"sqlparse.filters.margins"}
    assert {is_any.__module__, recurse.__module__} == {"sqlparse.matching"}


def test_no_old_name_stays():
    assert [name for name in ("imt", "indent", "is_any", "offset", "recurse") if hasattr(utils, name)] == []


def test_nothing_is_no_token():
    assert is_any(None) is False
