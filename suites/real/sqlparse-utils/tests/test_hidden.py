"""Where the helpers are, and that nothing else has changed."""

import ast
import importlib
from pathlib import Path

import sqlparse
from sqlparse import sql, utils
from sqlparse import tokens as T

PACKAGE = Path(sqlparse.__file__).parent
REINDENTED = (
    "SELECT a,\n       CASE\n           WHEN b = 1 THEN 'x'\n           ELSE c\n       END AS d\n"
    "FROM t\nLEFT JOIN u ON t.i = u.i\nWHERE a IN (1,\n            2)\n  AND d > 3"
)
ALIGNED = (
    "select a,\n       case when b = 1 then 'x'\n            else c\n             end as d\n"
    "  from t\n  left join u\n    on t.i = u.i\n where a in (1, 2)\n   and d > 3"
)
KINDS = ["Token", "IdentifierList", "Token", "Identifier", "Where", "Token", "Identifier"]


def modules():
    return {path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text()) for path in PACKAGE.rglob("*.py")}


def places(*names):
    """The modules that define functions of these names, or that import them from utils."""
    defined, taken = {}, []
    for path, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name in names:
                defined.setdefault(node.name, []).append(path)
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[-1] == "utils":
                taken += [alias.name for alias in node.names if alias.name in names]
    return defined, taken


def test_margins_are_with_the_filters():
    margins = importlib.import_module("sqlparse.filters.margins")
    defined, taken = places("indent", "offset")
    assert defined == {name: ["filters/margins.py"] for name in ("indent", "offset")}
    assert taken == []
    assert not hasattr(utils, "indent")
    assert not hasattr(utils, "offset")

    class Filter:
        indent = offset = 3

    one = Filter()
    with margins.indent(one), margins.offset(one, 4):
        assert (one.indent, one.offset) == (4, 7)
    assert (one.indent, one.offset) == (3, 3)


def test_matching_is_a_module():
    matching = importlib.import_module("sqlparse.matching")
    defined, taken = places("is_any", "recurse")
    assert defined == {name: ["matching.py"] for name in ("is_any", "recurse")}
    assert taken == []
    assert not hasattr(utils, "recurse")
    assert not hasattr(utils, "is_any")
    token = sqlparse.parse("select a")[0].tokens[0]
    assert matching.is_any(token, t=T.DML) is True
    assert matching.is_any(token, i=sql.Token) is True
    assert matching.is_any(token, m=[(T.Keyword, "from"), (T.DML, "select")]) is True
    assert matching.is_any(token, t=[T.Name, T.Comment]) is False


def test_the_old_name_is_gone():
    found = []
    for path, tree in modules().items():
        for node in ast.walk(tree):
            words = (getattr(node, key, None) for key in ("id", "attr", "name", "asname", "arg"))
            found += [path for word in words if word == "imt"]
    assert found == []
    assert not hasattr(utils, "imt")


def test_statements_are_formatted_as_before():
    importlib.import_module("sqlparse.matching")
    text = "select a, case when b = 1 then 'x' else c end as d from t left join u on t.i = u.i where a in (1, 2) and d > 3"
    assert sqlparse.format(text, reindent=True, keyword_case="upper") == REINDENTED
    assert sqlparse.format(text, reindent_aligned=True) == ALIGNED


def test_statements_are_grouped_as_before():
    importlib.import_module("sqlparse.matching")
    (statement,) = sqlparse.parse("select f(a) as b, c.d from e where g = 1 order by h desc")
    kinds = [type(token).__name__ for token in statement.tokens if not token.is_whitespace]
    assert kinds == KINDS
    columns = next(token for token in statement.tokens if isinstance(token, sql.IdentifierList))
    assert [(c.get_name(), c.get_parent_name()) for c in columns.get_identifiers()] == [("b", None), ("d", "c")]


def test_the_rest_stays():
    importlib.import_module("sqlparse.matching")
    assert utils.remove_quotes('"a"') == "a"
    assert utils.split_unquoted_newlines("a\n'b\nc'") == ["a", "'b\nc'"]
    numbers = iter(range(5))
    utils.consume(numbers, 2)
    assert next(numbers) == 2
    assert sqlparse.split("a; b;") == ["a;", "b;"]
