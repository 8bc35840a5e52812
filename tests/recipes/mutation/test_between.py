"""Wrong fixes between a starter and its golden solution."""

from __future__ import annotations

from random import Random

from rigorbench.recipes.mutation import apply, mutations
from rigorbench.recipes.mutation.between import WrongFix, draw

GOLDEN = (
    "LIMIT = 3\n\n\ndef within(n, low, high):\n    return low <= n and n < high\n\n\n"
    "def first(n, default=0):\n    return n - 1 if n else default\n"
)


def fixes(golden: dict[str, str], starter: dict[str, str], seed: int = 1) -> list[WrongFix]:
    return draw(golden, starter, Random(seed))


def kind(fix: WrongFix) -> str:
    if fix.only_if is not None:
        return "case"
    return "part" if fix.mutation is None else "instead" if fix.undo is not None else "beside"


def test_wrong_fixes_of_a_mutant_are_neither_the_starter_nor_the_golden_solution() -> None:
    mutation = next(m for m in mutations(GOLDEN) if m.qualname == "within")
    starter = apply(GOLDEN, mutation)
    found = fixes({"a.py": GOLDEN}, {"a.py": starter})
    assert found == fixes({"a.py": GOLDEN}, {"a.py": starter})
    assert {kind(fix) for fix in found} == {"beside", "case", "instead"}
    # The kinds take turns.
    assert len({kind(fix) for fix in found[:3]}) == 3
    texts = [fix.text for fix in found]
    assert len(set(texts)) == len(texts)
    assert not {GOLDEN, starter} & set(texts)
    for fix in found:
        if kind(fix) in ("beside", "instead"):
            assert fix.mutation is not None
            assert fix.text == apply(GOLDEN if fix.undo is None else starter, fix.mutation)
        else:
            assert str(fix.only_if) in fix.text


def test_each_change_of_a_version_may_be_missing() -> None:
    earlier = GOLDEN.replace("LIMIT = 3", "LIMIT = 2").replace("n - 1 if", "n if")
    found = {fix.undo: fix.text for fix in fixes({"a.py": GOLDEN}, {"a.py": earlier}) if kind(fix) == "part"}
    assert found == {
        "a.py#1": GOLDEN.replace("LIMIT = 3", "LIMIT = 2"),
        "a.py#2": GOLDEN.replace("n - 1 if", "n if"),
    }


def test_files_without_operators_and_files_that_do_not_parse_have_none() -> None:
    assert fixes({"a.md": "one\n", "b.py": "def f(:\n"}, {"a.md": "two\n", "b.py": "x = 1\n"}) == []
    assert fixes({"a.py": GOLDEN}, {"a.py": GOLDEN}) == []
    assert fixes({"a.py": GOLDEN}, {}) == []
