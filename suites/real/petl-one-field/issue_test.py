import pytest

import petl as etl

SALES = [("region", "sales"), ("north", 4), ("north", 6), ("south", 1)]
WANTED = [("region", "total", "n"), ("north", 10, 2), ("south", 1, 1)]


@pytest.mark.parametrize("key", ["region", ["region"], ("region",)])
def test_a_key_of_one_field(key):
    by_dict = etl.aggregate(SALES, key, {"total": ("sales", sum), "n": len})
    by_list = etl.aggregate(SALES, key, [("total", "sales", sum), ("n", len)])
    later = etl.aggregate(SALES, key)
    later["total"] = "sales", sum
    later["n"] = len
    assert [list(table) for table in (by_dict, by_list, later)] == [WANTED] * 3


@pytest.mark.parametrize("fields", [["a", "c"], ("a", "c")])
def test_fields_to_cut_out_as_one_value(fields):
    assert list(etl.cutout([("a", "b", "c"), (1, 2, 3)], fields)) == [("b",), (2,)]


@pytest.mark.parametrize("options", [{}, {"key": "a"}, {"key": "a", "reverse": True}, {"strict": True}])
def test_a_table_without_rows_is_sorted(options):
    assert etl.issorted([("a", "b")], **options) is True


@pytest.mark.parametrize("value", [" Maybe ", None, 2, ""])
def test_unknown_values_are_handed_back(value):
    assert etl.boolparser(strict=False)(value) == value


def test_known_booleans():
    parse = etl.boolparser(strict=False)
    assert [parse(text) for text in (" YES", "no ", "True", "f")] == [True, False, True, False]


@pytest.mark.parametrize("make", [list, lambda rows: (row for row in rows)])
def test_no_fields_at_all(make):
    table = etl.fromdicts(make([{"a": 1}, {"a": 2}]), header=[])
    assert [tuple(row) for row in table] == [(), (), ()]
    assert [tuple(row) for row in table] == [(), (), ()]
