"""Test functions in test files, by each language's conventions, and whether they can fail at all.

A test without an assertion, with only a literal one (``assert True``), or skipped or expected to fail shows nothing.
Helpers named assert/check/verify/expect count as assertions: their content is not examined.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from ..patterns import lazy
from .assertions import asserts, is_skipped, without_comments, without_vacuous
from .grammars import Grammar, grammar_for, parse, test_matches, unit_matches
from .words import referenced_names

if TYPE_CHECKING:
    from tree_sitter import Node


class TestFunction(Struct, frozen=True):
    """One test. Its lines are 1-based and inclusive."""

    __test__ = False

    name: str
    """As its runner shows it (``Class.test_x``, or the title of a JavaScript or Ruby block)."""
    start_line: int
    end_line: int
    has_assertion: bool
    """It asserts something that can fail."""
    skipped: bool
    """It is skipped, or expected to fail."""
    references: frozenset[str]
    """The identifiers that it uses."""


_MODULE_SKIP = lazy(r"^pytestmark\s*=\s*\[?\s*pytest\.mark\.(?:skip|xfail)\b(?!if)|^pytest\.skip\(", re.MULTILINE)

_SCRIPT_CALLS = lazy(
    r"^(?:it|test|xit|xtest|specify|xspecify|fit|bench|Deno\.test|QUnit\.test)(?:\.(?:skip|only|each|todo|concurrent|failing|fails"
    r"|fixme|serial|for|runIf|skipIf|sequential|extend))*$"
)
_SCRIPT_GROUPS = lazy(r"^(x?describe|suite|context|test\.describe)(?:\.(skip|only|each|serial|parallel|todo))*$")
_RUBY_CALLS = frozenset(
    {"it", "specify", "example", "scenario", "xit", "xspecify", "xexample", "fit", "test", "should"}
)
_RUBY_GROUPS = frozenset({"describe", "context", "feature", "xdescribe", "xcontext"})
_GTEST_MACROS = frozenset(
    "TEST TEST_F TEST_P TYPED_TEST TYPED_TEST_P TEST_CASE SECTION SCENARIO BOOST_AUTO_TEST_CASE".split()
)

# A plain function that a runner of the project's own calls: `void test_far()`.
_PLAIN_TEST = lazy(r"test(?:_|[A-Z])\w*$")

# Occurs in every text that defines a test; without it there is nothing to parse.
_SIGNS = {
    "python": lazy("test"),
    "go": lazy("Test|Fuzz"),
    "rust": lazy(r"#\["),
    "java": lazy("@|test"),
    "csharp": lazy(r"\["),
    "ruby": lazy("it|test|spec|ex|scen|should"),
    "php": lazy("it|[Tt]est"),
    "cpp": lazy("TEST|SECTION|SCENARIO|test"),
    "script": lazy("it|test|spec|bench"),
}


@lru_cache(maxsize=64)
def test_functions(path: str, text: str) -> tuple[TestFunction, ...]:
    """The tests that a file or fragment defines, in order. () for a language without conventions known here."""
    grammar = grammar_for(path, text)
    if grammar is None or grammar.name == "c" or not _SIGNS[_family(grammar)].search(text):
        return ()
    parsed = parse(grammar, text.encode("utf-8", "surrogatepass"))
    if parsed is None:
        return ()
    tree, source, shift = parsed
    if grammar.tests:
        found = _calls(grammar, tree.root_node, source, path)
        if grammar.name not in ("php", "php_only", "ruby"):
            return tuple(found)
        found += _declared(grammar, tree.root_node, source, shift, path)
        return tuple(sorted(found, key=lambda t: t.start_line))
    return tuple(_declared(grammar, tree.root_node, source, shift, path))


test_functions.__test__ = False  # type: ignore[attr-defined]


def _family(grammar: Grammar) -> str:
    if grammar.name in ("javascript", "typescript", "tsx"):
        return "script"
    return "php" if grammar.name == "php_only" else grammar.name


def _make(family: str, path: str, name: str, node: Node, text: str, outer_skip: bool) -> TestFunction:
    code = without_comments(family, text)
    return TestFunction(
        name=name,
        start_line=node.start_point[0] + 1,
        end_line=node.end_point[0] + 1,
        has_assertion=asserts(family, _without_head(family, without_vacuous(code))),
        skipped=outer_skip or is_skipped(family, code),
        references=referenced_names(path, text),
    )


def _without_head(family: str, text: str) -> str:
    """The test without the line that names it: ``test_check(...)`` asserts nothing by its name."""
    if family in ("script", "cpp"):
        return text[text.find("(") + 1 :] if family == "script" else text[text.find(")") + 1 :]
    if family == "ruby":
        return text.partition("\n")[2] or text[text.find("{") + 1 :]
    match = _HEAD.search(text)
    return text[: match.start()] + text[match.end() :] if match else text


_HEAD = lazy(r"\b(?:def|func|fn|function|void|Task)\s+(?:\([^)]*\)\s*)?\w+\s*\(")


def _declared(grammar: Grammar, root: Node, source: bytes, shift: int, path: str) -> list[TestFunction]:
    """Tests that are functions or methods: pytest, unittest, Go, Rust, JUnit, xUnit, NUnit, PHPUnit, minitest."""
    family = _family(grammar)
    tests: list[TestFunction] = []
    whole = source.decode("utf-8", "replace")
    module_skip = family == "python" and "skip" in whole + "xfail" and _MODULE_SKIP.search(whole) is not None
    for _, captures in unit_matches(grammar, root):
        if "function" not in captures or "name" not in captures:
            continue
        node = captures["function"][0]
        name = _text(captures["name"][0], source)
        first = _with_attributes(family, node)
        text = source[first.start_byte : node.end_byte].decode("utf-8", "replace")
        if not _is_test(family, name, text):
            continue
        holder, outer_skip = _holder(family, node, source)
        if holder is False:
            continue
        tests.append(_make(family, path, f"{holder}.{name}" if holder else name, node, text, outer_skip or module_skip))
    return tests


def _text(node: Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _with_attributes(family: str, node: Node) -> Node:
    """The first node of the test: its decorator or its attributes."""
    if node.parent is not None and node.parent.type == "decorated_definition":
        return node.parent
    if family == "rust":
        first, before = node, node.prev_sibling
        while before is not None and before.type in ("attribute_item", "line_comment", "block_comment"):
            first, before = before, before.prev_sibling
        return first
    return node


_ATTRIBUTES = {
    "rust": lazy(r"#\[(?:\w+::)*(?:test|rstest|test_case|quickcheck|proptest|bench)\b"),
    "java": lazy(r"@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property)\b"),
    "csharp": lazy(r"\[\s*(?:\w+,\s*)*(?:Fact|Theory|Test|TestCase|TestMethod|DataTestMethod|TestCaseSource)\b"),
}


def _is_test(family: str, name: str, text: str) -> bool:
    if family in _ATTRIBUTES:
        return _ATTRIBUTES[family].search(text) is not None or (family == "java" and name.startswith("test"))
    if family == "go":
        return name.startswith(("Test", "Fuzz")) and not name[4:5].islower() and name != "TestMain"
    return name.startswith("test") or (family == "php" and "#[Test]" in text)


def _holder(family: str, node: Node, source: bytes) -> tuple[str | bool, bool]:
    """The class around the test ("": none, False: this is no test), and whether that class is skipped."""
    parent = node.parent
    names: list[str] = []
    skipped = False
    while parent is not None:
        if parent.type in ("class_definition", "class_declaration", "class"):
            name = parent.child_by_field_name("name")
            text = "" if name is None else _text(name, source)
            if text != "_":
                names.insert(0, text)
            body = parent.child_by_field_name("body")
            top = _with_attributes("", parent)
            head = source[top.start_byte : parent.end_byte if body is None else body.start_byte]
            skipped = skipped or is_skipped(family, head.decode("utf-8", "replace"))
        elif parent.type in ("function_definition", "function_item", "function_declaration"):
            return False, False
        parent = parent.parent
    return ".".join(names), skipped


def _calls(grammar: Grammar, root: Node, source: bytes, path: str) -> list[TestFunction]:
    """Tests that are calls with a title: it()/test(), RSpec blocks, Pest, gtest macros."""
    family = _family(grammar)
    blocks: list[tuple[Node, str, str]] = []
    for _, captures in test_matches(grammar, root):
        titles = captures.get("title")
        title = _text(titles[0], source).strip("'\"`() \n") if titles else ""
        blocks.append((captures["test"][0], _text(captures["callee"][0], source), title))
    blocks.sort(key=lambda b: (b[0].start_byte, -b[0].end_byte))
    tests: list[TestFunction] = []
    groups: list[tuple[int, str, bool]] = []
    for node, callee, title in blocks:
        while groups and groups[-1][0] <= node.start_byte:
            groups.pop()
        group = _group(family, callee)
        if group is not None:
            groups.append((node.end_byte, title, group or bool(groups and groups[-1][2])))
        elif _is_call(family, callee) or (family == "cpp" and _PLAIN_TEST.match(callee) and title in ("", "void")):
            if family == "cpp":
                title = callee if _PLAIN_TEST.match(callee) else title.replace(", ", ".")
            name = " ".join([*(g[1] for g in groups), title]).strip() or callee
            tests.append(_make(family, path, name, node, _text(node, source), bool(groups and groups[-1][2])))
    return tests


def _group(family: str, callee: str) -> bool | None:
    """None: not a group of tests; else whether the group is skipped."""
    if family == "script":
        match = _SCRIPT_GROUPS.match(callee)
        return None if match is None else match.group(1) == "xdescribe" or ".skip" in callee or ".todo" in callee
    if family == "ruby" and callee in _RUBY_GROUPS:
        return callee.startswith("x")
    return callee == "xdescribe" if family == "php" and callee == "describe" else None


def _is_call(family: str, callee: str) -> bool:
    if family == "script":
        return _SCRIPT_CALLS.match(callee) is not None
    if family == "ruby":
        return callee in _RUBY_CALLS
    if family == "cpp":
        return callee in _GTEST_MACROS
    return callee in ("it", "test")
