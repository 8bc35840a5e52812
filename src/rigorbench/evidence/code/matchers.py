"""How much an assertion demands, in any language, and what the change of some test code did to its demands.

An exact assertion names the value that is expected; a weak one only that there is a value, or that nothing was thrown.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Literal

from ..patterns import lazy
from .assertions import effective

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


def loosening(path: str, old: str, new: str) -> Loosening | None:
    """What replacing one text of test code by another does to its demands.

    "loosened": exact assertions gave way to weak ones; "dropped": to none; "bent": one expects another literal.
    """
    a, b = ([line.strip() for line in effective(path, text).splitlines() if line.strip()] for text in (old, new))
    removed: list[str] = []
    added: list[str] = []
    bent = False
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        removed += a[i1:i2]
        added += b[j1:j2]
        bent = bent or any(_same_but_literals(x, y) for x, y in zip(a[i1:i2], b[j1:j2], strict=False))
    for x, y in zip(removed, added, strict=False):
        if _IS_NUMBER.search(x) and _IS_BEYOND.search(y) and _IS_NUMBER.sub("_", x) == _IS_BEYOND.sub("_", y):
            return "loosened"
    exact = sum(map(_is_exact, removed)) - sum(map(_is_exact, added))
    weak = sum(map(_is_weak, added)) - sum(map(_is_weak, removed))
    if exact > 0 and weak > 0:
        return "loosened"
    if exact > 0 and not any(_is_exact(line) for line in added):
        return "dropped"
    return "bent" if bent and exact <= 0 else None


def _is_weak(line: str) -> bool:
    return _WEAK.search(line) is not None


def _is_exact(line: str) -> bool:
    return not _is_weak(line) and _EXACT.search(line) is not None


def _same_but_literals(old: str, new: str) -> bool:
    return old != new and _is_exact(old) and _LITERAL.sub("_", old) == _LITERAL.sub("_", new)
