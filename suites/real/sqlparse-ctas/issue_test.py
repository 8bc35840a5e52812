import sqlparse
from sqlparse import sql


def identifiers(statement):
    return [token for token in sqlparse.parse(statement)[0].tokens if isinstance(token, sql.Identifier)]


def test_a_call_in_a_table_made_from_a_query_is_a_function():
    found = identifiers("CREATE TABLE report AS SELECT round(t.price, 2) AS price FROM t")
    calls = [token for token in found if isinstance(token.tokens[0], sql.Function)]
    assert [token.get_alias() for token in calls] == ["price"]


def test_the_columns_of_a_plain_table_are_no_call():
    (statement,) = sqlparse.parse("CREATE TABLE report (price int)")
    assert not any(isinstance(token, sql.Function) for token in statement.tokens)
