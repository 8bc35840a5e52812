"""Whether the text of a test can fail: its assertions, and what makes them void.

Most of these expressions are only asked whether they match, over a large part of a session's bytes. Each alternative of
them begins with a literal character, so that the engine finds the next candidate at memory speed instead of trying all
alternatives at every character; ``at_word`` is a word boundary that preserves this.
"""

from __future__ import annotations

import re

from ..patterns import Pattern, lazy


def at_word(pattern: str) -> str:
    r"""``\b`` + pattern for a pattern that begins with a literal letter."""
    return rf"{pattern[0]}(?<!\w{pattern[0]}){pattern[1:]}"


def either(*patterns: str) -> Pattern:
    """Any of the patterns: fast if each begins with a literal character."""
    return lazy("|".join(patterns))


# Named helpers (`check_totals(`, `page.should.`) are taken at their word. `\w*` before the verb would change nothing.
_HELPERS = tuple(
    verb + r"\w*!?\s*[(.]"
    for verb in ("assert", "Assert", "expect", "verify", "Verify", "check", "Check", "should", "Should")
)
# Per family of languages: what asserts.
_ASSERTS: dict[str, Pattern] = {
    "python": either(
        at_word(r"assert\b"), at_word(r"pytest\.(?:raises|warns|fail|approx)\b"), at_word(r"self\.fail\b"),
        at_word(r"cls\.fail\b"), at_word(r"raises\("), *_HELPERS,
    ),
    "go": either(
        *(at_word(name + r"\.(?:Error|Fatal|Fail)\w*\(") for name in "tb"),
        *(at_word(name + r"\.\w+\(") for name in ("assert", "require", "is", "qt", "must")),
        r"\.(?<=\w\.)(?:Equal|NotEqual|NoError|Error|True|False|Nil|NotNil|Len|Contains|ErrorIs)\w*\(",
        r"cmp\.Diff\(", *_HELPERS,
    ),
    "rust": either(
        *(at_word(prefix + r"assert\w*!") for prefix in ("", "debug_", "prop_")), at_word("panic!"), "should_panic",
        at_word("unreachable!"), *_HELPERS,
    ),
    "java": either(at_word(r"fail\("), at_word(r"expected\s*="), at_word(r"assert\b"), *_HELPERS),
    "csharp": either(at_word(r"Assert\b"), at_word(r"ExpectedException\b"), *_HELPERS),
    "ruby": either(
        *(at_word(word) for word in (r"expect\b", "assert", "refute", r"is_expected\b", r"flunk\b", r"should\b")),
        r"\.(?:should|must_|wont_)", *_HELPERS,
    ),
    "php": either(
        r"->(?:assert|expect|should)\w*\(", r"::(?:assert|expect|should)\w*\(", at_word(r"expect\("), r"->fail\(",
        r"::fail\(", *_HELPERS,
    ),
    "cpp": either(
        *(at_word(macro + r"_?\w*\(") for macro in ("EXPECT", "ASSERT", "CHECK", "REQUIRE", "BOOST")),
        at_word(r"FAIL\("), at_word(r"ADD_FAILURE\("), *_HELPERS,
    ),
    "script": either(
        at_word(r"expect\b"), at_word(r"assert\b"), at_word(r"should\b"),
        at_word(r"t\.(?:is|ok|equal|deepEqual|same|throws|true|false|not|like|snapshot|match)\w*\("),
        at_word(r"to(?:Be|Equal|Throw|Match|Have|Contain)\w*\("), at_word(r"fail\("), *_HELPERS,
    ),
}  # fmt: skip
_LITERAL = r"(?:True|true|TRUE|1|None|null|not\s+False|!false|(?P<q{0}>['\"])\w*(?P=q{0}))"
# Assertions that are true whatever the code does: a literal, or an expression compared with itself.
_VACUOUS = lazy(
    r"\bassert\s+" + _LITERAL.format(0) + r"\s*(?:,[^\n]*)?(?=\n|$)"
    r"|\bassert\s+(?P<a>[\w.]+)\s*==\s*(?P=a)\s*(?=\n|$)"
    r"|\bassert\w*!?\s*\(\s*" + _LITERAL.format(1) + r"\s*\)"
    r"|(?:->|::|\.|\b)(?:assert|EXPECT_|ASSERT_|Is)(?:True|TRUE)\s*\(\s*" + _LITERAL.format(2) + r"\s*\)"
    r"|\b\w*(?:[eE]qual|EQ|eq)\w*!?\s*\(\s*(?P<b>[\w.'\"]+)\s*,\s*(?P=b)\s*\)"
    r"|\bexpect\(\s*(?P<c>[\w.'\"]+)\s*\)\.to(?:Be|Equal|StrictEqual)?\.?(?:eq)?\(\s*(?P=c)\s*\)"
    r"|\bexpect\(\s*(?:true|1)\s*\)\.to(?:BeTruthy|BeDefined|\.be\.true|\.be\.ok)(?:\(\))?"
    r"|\bEXPECT_TRUE\(\s*(?:true|1)\s*\)"
)
# Matches wherever the expression above does, and little more.
_ARGUMENT = r"\w*!?[\s(]+(?:True|true|TRUE|1|None|null|not\s+False|!false|['\"]\w*['\"])\s*(?:[,)\n]|$)"
_SUSPECT = either(
    "assert" + _ARGUMENT,
    "True" + _ARGUMENT,
    "TRUE" + _ARGUMENT,
    r"assert\s+([\w.]+)\s*==\s*\1",
    r"equal\w*!?\s*\(\s*([\w.'\"]+)\s*,\s*\2",
    r"Equal\w*!?\s*\(\s*([\w.'\"]+)\s*,\s*\3",
    r"EQ\w*!?\s*\(\s*([\w.'\"]+)\s*,\s*\4",
    r"eq\w*!?\s*\(\s*([\w.'\"]+)\s*,\s*\5",
    r"expect\(\s*([\w.'\"]+)\s*\)\.to\w*\.?(?:eq)?\(\s*\6",
    r"expect\(\s*(?:true|1)\s*\)\.to",
)

# A comment; strings are matched first, so that what looks like one within them is left alone.
_STRINGS = r"\"[^\"\\\n]*(?:\\.[^\"\\\n]*)*\"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'"
_SLASH_COMMENT = lazy(_STRINGS + r"|(//[^\n]*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)")
_HASH_COMMENT = lazy(_STRINGS + r"|(#[^\n]*)")
_HASH_FAMILIES = ("python", "ruby")

_CONDITIONAL = lazy(r"@(?:pytest\.mark\.|mark\.|unittest\.)?skip(?:[iI]f|[uU]nless)\b[^\n]*")
_SKIPS: dict[str, Pattern] = {
    "python": lazy(
        r"@(?:pytest\.mark\.|mark\.)?(?:skip\b|xfail\b)|@(?:unittest\.)?(?:skip\b|expectedFailure\b)"
        r"|^[^\n]*:\s*\n(?:\s*(?:\"\"\"[^\n]*\"\"\"|#[^\n]*)\n)?\s*(?:pytest\.(?:skip|xfail)|self\.skipTest)\(",
        re.MULTILINE,
    ),
    "go": lazy(r"\{\s*\n?\s*t\.Skip(?:Now|f)?\("),
    "rust": lazy(r"#\[ignore\b"),
    "java": lazy(r"@(?:Disabled|Ignore)\b(?!\w)|enabled\s*=\s*false"),
    "csharp": lazy(r"\[\s*(?:\w+,\s*)*(?:Ignore|Explicit)\b|\bSkip\s*=\s*[\"@]"),
    "ruby": lazy(r"\A\s*x(?:it|specify|example)\b|\A[^\n]*\n\s*(?:skip|pending)\b|\A[^\n]*\bskip:\s*(?:true|['\"])"),
    "php": lazy(r"\{\s*(?:\$this->|self::)markTest(?:Skipped|Incomplete)\(|->(?:skip|todo)\("),
    "cpp": lazy(r"\bDISABLED_\w|\{\s*GTEST_SKIP\("),
    "script": lazy(r"\A(?:x(?:it|test|specify)\b|(?:it|test|specify)(?:\.\w+)*?\.(?:skip|todo|failing|fails|fixme)\b)"),
}

# Every match of an expensive expression contains one of these words.
_SKIP_WORDS = {"python": ("skip", "xfail", "expectedFailure")}

# In any language: what a fragment from the inside of a test asserts, and what makes the runner leave a test out.
_ANY_ASSERTION = either(
    at_word(r"assert\w*\b"), at_word(r"expect\s*\("), at_word(r"t\.(?:Error|Fatal|Fail)\w*\("),
    at_word(r"should\b"), r"require\.\w+\(", r"EXPECT_\w+", r"ASSERT_\w+", r"raises\(",
)  # fmt: skip
_ANY_SKIP = either(
    r"@pytest\.mark\.(?:skip|xfail)", r"@unittest\.(?:skip|expectedFailure)", r"pytest\.(?:skip|xfail)\(",
    r"self\.skipTest\(", at_word(r"it\.skip\b"), at_word(r"test\.skip\b"), at_word(r"describe\.skip\b"),
    at_word(r"xit\("), at_word(r"xdescribe\("), at_word(r"xtest\("), at_word(r"t\.Skip"), r"#\[ignore",
    r"@(?:Disabled|Ignore)\b", at_word(r"it\.todo\b"), at_word(r"test\.todo\b"), r"\[Ignore", r"Skip\s*=\s*\"",
    "markTestSkipped", at_word(r"pending\b"),
)  # fmt: skip


def asserts(family: str, code: str) -> bool:
    """Whether a test's text (:func:`effective`, without its head) asserts anything."""
    return _ASSERTS[family].search(code) is not None


def is_skipped(family: str, code: str) -> bool:
    """Whether a test (its text without comments), or the head of a class, is marked as skipped or expected to fail."""
    words = _SKIP_WORDS.get(family)
    if words is not None and not any(word in code for word in words):
        return False
    return _SKIPS[family].search(_CONDITIONAL.sub("", code) if family == "python" else code) is not None


def assertions(code: str) -> int:
    return len(_ANY_ASSERTION.findall(code))


def skips(text: str) -> int:
    return len(_ANY_SKIP.findall(text))


def without_comments(family: str, text: str) -> str:
    if family in _HASH_FAMILIES:
        return _line_by_line(_HASH_COMMENT, "#", text)
    if "/*" not in text:
        return _line_by_line(_SLASH_COMMENT, "//", text)
    # An opened comment without an end is none; otherwise the expression would search for the end again and again.
    closed = text.rfind("*/") + 2 if "*/" in text else 0
    return _SLASH_COMMENT.sub(_uncommented, text[:closed] + text[closed:].replace("/*", "/ *"))


def _line_by_line(comment: Pattern, mark: str, text: str) -> str:
    """The text without its comments, all of which end with their line, as do the strings before them."""
    pieces: list[str] = []
    done = 0
    while (at := text.find(mark, done)) >= 0:
        start, end = text.rfind("\n", done, at) + 1 or done, text.find("\n", at)
        if end < 0:
            end = len(text)
        pieces.append(text[done:start])
        pieces.append(comment.sub(_uncommented, text[start:end]))
        done = end
    pieces.append(text[done:])
    return "".join(pieces)


def _uncommented(match: re.Match[str]) -> str:
    return "" if match.lastindex else match.group()


def without_vacuous(code: str) -> str:
    """A test's text (without comments) without the assertions that are always true."""
    return _VACUOUS.sub(" ", code) if _SUSPECT.search(code) else code


def effective(path: str, text: str) -> str:
    """A fragment of test code without its comments and without the assertions that are always true."""
    family = "python" if path.endswith((".py", ".pyi", ".rb")) else "script"
    return without_vacuous(without_comments(family, text))
