import pytest

import sqlparse
from sqlparse import tokens as T


def test_strip_comments_leaves_the_blank_behind_a_comment():
    assert sqlparse.format("SELECT a/* x */ AS b", strip_comments=True) == "SELECT a AS b"


def test_strip_whitespace_reaches_the_end_of_a_group():
    assert sqlparse.format("( where a = b  ) from", strip_whitespace=True) == "(where a = b) from"


def test_two_cases_in_a_block_do_not_split_it():
    sql = """CREATE TRIGGER t AFTER UPDATE ON x
BEGIN
  UPDATE x SET a = CASE WHEN b THEN 1 ELSE 2 END;
  UPDATE x SET c = CASE WHEN d THEN 3 ELSE 4 END;
END;"""
    assert len(sqlparse.split(sql)) == 1


@pytest.mark.parametrize("text", ["ASC", "desc", "NULLS FIRST", "nulls last", "ASC NULLS LAST", "DESC  NULLS FIRST"])
def test_an_order_is_one_token(text):
    (token,) = sqlparse.parse(text)[0].tokens
    assert token.ttype is T.Keyword.Order
