"""How much an assertion demands, in any language, and what the change of some test code did to its demands.

An exact assertion names the value that is expected; a weak one only that there is a value, or that nothing was thrown.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Literal

from ...base.code.assertions import assertions, effective
from ...base.patterns import lazy
from ...base.text import differences

Loosening = Literal["loosened", "dropped", "bent"]

_WEAK = lazy(
    r"\.(?:toBeDefined|toBeTruthy|toHaveBeenCalled|toThrow|toExist|toBeOk)\(\s*\)|"
    r"\.not\.(?:toBeNull|toBeUndefined|toThrow)\(\s*\)|\.toBeGreaterThan(?:OrEqual)?\(\s*[01]\s*\)|expect\.any\w*\(|"
    r"\bassert(?:IsNotNone|IsInstance|Greater)\(|\bassert\s+[\w.]+(?:\([^=<>\n]*\))?\s*(?:$|#|,\s*f?[\"'])|"
    r"\bassert\b[^\n]*\bis not None\b|\bassert\b[^\n]*>=?\s*[01]\s*(?:$|,|#)|"
    r"^\s*if \w+ == nil\b|\b(?:assert|require)\.(?:NotNil|NotEmpty|NotZero)\(|\bassert!\([\w.]+\.is_(?:some|ok)\(\)",
    re.MULTILINE,
)
_EXACT = lazy(
    r"\.to(?:Be|Equal|StrictEqual|DeepEqual|MatchObject|HaveLength|HaveBeenCalledTimes|HaveBeenCalledWith|Contain|ContainEqual|"
    r"Throw|ThrowError|Match|MatchInlineSnapshot)\(\s*(?:[^)\s]|$)|(?<!\.not)\.(?:toBeNull|toBeUndefined)\(|\bassert\b[^\n]*(?:[=!]=|\bin\b)|"
    r"\bassert(?:Equals?|DictEqual|ListEqual|In|Same|That)\(|\b(?:assert|require|t)\.(?:Equal|EqualValues|Len|Contains|"
    r"ElementsMatch|JSONEq|ErrorIs|equal|deepEqual|strictEqual|deepStrictEqual|is)\(|\bassert_(?:eq|ne|matches)!\(|"
    r"\b(?:EXPECT|ASSERT)_(?:EQ|NE|STREQ)\(|^\s*if (?!err\b)[^;{]*(?:!=(?! *nil)|==(?! *nil)|DeepEqual\()[^{]*\{$",
)
# A comparison with a number: the value itself, and any value on one side of it.
_IS_NUMBER = lazy(r"(?<![<>=!])==\s*-?[\d._]+\s*(?=$|,|#|\)|;)")
_IS_BEYOND = lazy(r"[<>]=?\s*-?[\d._]+\s*(?=$|,|#|\)|;)")
_LITERAL = lazy(
    r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`\n]*`|\b\d[\d._]*\b|\b(?:true|false|null|None|True|False)\b"
)
# What turns an assertion into its opposite, in the languages of the expressions above.
_OPPOSITE = (
    (lazy(r"\bnot\s+|\.not(?=\.)|(?<=[(\s])!(?=[\w(])|(?<=[.t])(?:No|Not)(?=[A-Z])"), ""),
    (lazy(r"[!=]=(?!=)"), "=="),
    (lazy(r"(?<=assert_)ne\b"), "eq"),
    (lazy(r"(?<=[.t])False(?=\()"), "True"),
    (lazy(r"(?<=\.toBe)Falsy"), "Truthy"),
)


def line_changes(path: str, old: str, new: str) -> tuple[list[str], list[str]]:
    """The lines of test code that a change removes and adds, without comments and vacuous assertions."""
    found = _changes(path, old, new)
    return [line for gone, _ in found for line in gone], [line for _, added in found for line in added]


def _changes(path: str, old: str, new: str) -> list[tuple[list[str], list[str]]]:
    a, b = ([line.strip() for line in effective(path, text).splitlines() if line.strip()] for text in (old, new))
    return [(a[i1:i2], b[j1:j2]) for i1, i2, j1, j2 in differences(a, b)]


def loosening(path: str, old: str, new: str) -> Loosening | None:
    """What replacing one text of test code by another does to its demands.

    "loosened": exact assertions gave way to weak ones; "dropped": to none at all; "bent": one expects another
    literal, or the opposite.
    """
    found = _changes(path, old, new)
    removed = [line for gone, _ in found for line in gone]
    added = [line for _, put in found for line in put]
    pairs = [pair for gone, put in found for pair in zip(gone, put, strict=False)]
    if any((x != y and (assertions(x) > 0 or _is_exact(x)) and _positive(x) == _positive(y)) for x, y in pairs):
        return "bent"
    bent = any((x != y and _is_exact(x) and _LITERAL.sub("_", x) == _LITERAL.sub("_", y)) for x, y in pairs)
    for x, y in zip(removed, added, strict=False):
        if _IS_NUMBER.search(x) and _IS_BEYOND.search(y) and _IS_NUMBER.sub("_", x) == _IS_BEYOND.sub("_", y):
            return "loosened"
    exact = sum(map(_is_exact, removed)) - sum(map(_is_exact, added))
    weak = sum(map(_is_weak, added)) - sum(map(_is_weak, removed))
    if exact > 0 and weak > 0:
        return "loosened"
    if exact > 0 and not any(map(assertions, added)):
        # An assertion of another kind may be what was asked for, such as an exception instead of a value.
        return "dropped"
    return "bent" if bent and exact <= 0 else None


def changed_so(
    path: str, how: Loosening | None, pairs: Iterable[tuple[str | None, str | None]], tests: Collection[str]
) -> set[str]:
    """Those of the tests whose own lines are changed in this way, as far as the texts show where each begins."""
    found: set[str] = set()
    for old, new in pairs:
        before, after = _by_test(old or "", tests), _by_test(new or "", tests)
        found |= {name for name in before if loosening(path, before[name], after.get(name, "")) == how}
    return found


def _by_test(text: str, tests: Collection[str]) -> dict[str, str]:
    """The lines from the first that names a test to the next that names another."""
    found: dict[str, list[str]] = {}
    current: list[str] = []
    for line in text.splitlines():
        named = (n for n in tests if n not in found and re.search(rf"(?<![\w-]){re.escape(n)}(?![\w-])", line))
        if (name := next(named, None)) is not None:
            current = found[name] = []
        current.append(line)
    return {name: "\n".join(lines) for name, lines in found.items()}


def _is_weak(line: str) -> bool:
    return _WEAK.search(line) is not None


def _is_exact(line: str) -> bool:
    return not _is_weak(line) and _EXACT.search(line) is not None


def _positive(line: str) -> str:
    for words, one in _OPPOSITE:
        line = words.sub(one, line)
    return line
