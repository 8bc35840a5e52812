"""What holds for every source: the result parses, differs, is the same each time, and only the place changes."""

from __future__ import annotations

import ast

from hypothesis import given, settings
from hypothesis import strategies as st

from rigorbench.recipes.mutation import apply, mutations
from rigorbench.recipes.mutation.mutate import place_of

NAMES = st.sampled_from(["a", "b.c", "self._x", "d[k]", "é", "f(a)"])
ATOMS = st.one_of(NAMES, st.sampled_from(["None", "0", "1", "-1", "'utf-8'", "[]", "{}", "''", "True"]))
EXPRESSIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(" and , or , < , is ,\n + , - , // , / ".split(",")), inner).map(
            lambda parts: f"({''.join(parts)})"
        ),
        st.tuples(st.sampled_from(["list", "range", "g", "a.get", "sorted", "round"]), inner, inner).map(
            lambda parts: f"{parts[0]}({parts[1]}, {parts[2]})"
        ),
        inner.map("(not {})".format),
        inner.map("a.b[{}:]".format),
        inner.map("sorted(a, key=lambda x, y: {})".format),
        inner.map("list({})".format),
        st.tuples(inner, inner).map("({0[0]} if {0[1]} else 1)".format),
    ),
    max_leaves=6,
)
STATEMENTS = st.one_of(
    EXPRESSIONS,
    EXPRESSIONS.map("self._x = {}".format),
    EXPRESSIONS.map("if {}: return".format),
    EXPRESSIONS.map("for i in {}: break".format),
    EXPRESSIONS.map("try: {}\n    except (KeyError, ValueError): pass".format),
    st.sampled_from(["self._x = None", "del d[k]", "a.clear()", "a.strip(); b.c()", "return a[:]  # é"]),
)


@settings(max_examples=150)
@given(st.lists(STATEMENTS, min_size=1, max_size=4), st.sampled_from(["\n", "\r\n"]))
def test_mutations_of_made_up_functions(statements, ending):
    text = "class K:\n  def m(self, a, b=None, é=1):\n" + "".join(f"    {one}\n" for one in statements)
    source = text.replace("\n", ending)
    found = mutations(source)
    assert found == mutations(source)
    for mutation in found:
        result = apply(source, mutation)
        assert ast.dump(ast.parse(result)) != ast.dump(ast.parse(source))
        assert result == apply(source, mutation)
        splices = place_of(source, mutation).splices
        first, last = min(splice.start for splice in splices), max(splice.end for splice in splices)
        before, after = source.encode(), result.encode()
        assert after[:first] == before[:first]
        assert after.endswith(before[last:])
