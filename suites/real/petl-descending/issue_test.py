import petl as etl
import pytest

ROWS = [("name", "points"), ("a", 3), ("b", 9), ("c", 3), ("d", 1), ("e", 9), ("f", 7), ("g", None)]
DESCENDING = [("name", "points"), ("b", 9), ("e", 9), ("f", 7), ("a", 3), ("c", 3), ("d", 1), ("g", None)]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, None])
def test_a_descending_sort_at_any_size_of_the_buffer(size):
    table = etl.sort(ROWS, "points", reverse=True, buffersize=size)
    assert list(table) == DESCENDING
    assert list(table) == DESCENDING


@pytest.mark.parametrize("size", [1, 2, 3, None])
def test_an_ascending_sort_at_any_size_of_the_buffer(size):
    assert [row[1] for row in etl.sort(ROWS, "points", buffersize=size)] == ["points", None, 1, 3, 3, 7, 9, 9]


def test_tables_merged_descending():
    table = etl.mergesort([*ROWS[:4]], [ROWS[0], *ROWS[4:]], key="points", reverse=True)
    assert list(table) == DESCENDING
    assert etl.issorted(table, "points", reverse=True)


def test_a_sorted_table_is_known_as_sorted():
    assert etl.issorted(etl.sort(ROWS, "points"), "points")
    assert not etl.issorted(etl.sort(ROWS, "points"), "points", strict=True)


def test_rows_with_less():
    assert list(etl.selectlt(ROWS[:-1], "points", 3)) == [("name", "points"), ("d", 1)]
    assert list(etl.selectgt(ROWS[:-1], "points", 7)) == [("name", "points"), ("b", 9), ("e", 9)]
