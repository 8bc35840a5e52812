import tomlkit

from tomlkit.items import Array
from tomlkit.items import Table


def test_custom_dict_or_returns_new_table_with_merged_items() -> None:
    table = tomlkit.table()
    table["a"] = 1
    table["b"] = 2

    result = table | {"c": 3}

    assert dict(result) == {"a": 1, "b": 2, "c": 3}
    assert isinstance(result, Table)
    assert result is not table
