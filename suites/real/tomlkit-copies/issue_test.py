import copy

import pytest
import tomlkit


@pytest.mark.parametrize("copied", [copy.copy, lambda document: document.copy()], ids=["module", "method"])
def test_a_copied_document_knows_its_keys(copied):
    other = copied(tomlkit.parse("[server]\nport = 1"))
    assert other["server"]["port"] == 1
    other["name"] = "x"
    assert "name" in other


def test_a_copied_table_has_values_of_its_own():
    table = tomlkit.item({"port": 1})
    other = table.copy()
    table["port"] = 2
    assert other["port"] == 1
    other["port"] = 3
    assert table["port"] == 2


def test_a_merged_table_leaves_the_first_as_it_is():
    table = tomlkit.item({"port": 1})
    assert (table | {"host": "a"}).unwrap() == {"port": 1, "host": "a"}
    assert table.unwrap() == {"port": 1}
