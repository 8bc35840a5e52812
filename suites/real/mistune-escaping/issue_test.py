"""The functions that make text safe are in one module."""

import pytest

import mistune
from mistune import escaping, util

NAMES = ["escape", "escape_url", "safe_entity", "unescape"]


@pytest.mark.parametrize("name", NAMES)
def test_the_new_module_has_it(name):
    assert getattr(escaping, name).__module__ == "mistune.escaping"


@pytest.mark.parametrize("name", NAMES)
def test_the_old_module_does_not(name):
    assert not hasattr(util, name)


def test_the_package_offers_the_same_functions():
    assert mistune.escape is escaping.escape
    assert mistune.escape("<a>") == "&lt;a&gt;"
