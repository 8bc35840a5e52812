# ruff: noqa: E501 - sources of other languages read best on one line
"""Code units and tests as found in source texts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigorbench.evidence.code.python_tests import look_closely
from rigorbench.evidence.code.units import (
    changed_units,
    is_source,
    referenced_names,
    test_functions,
    units,
    units_at,
    units_of_fragment,
)
from sources import text_file

PYTHON = text_file("units.python.txt")


def test_python_units_have_qualified_names_kinds_and_lines() -> None:
    found = units("cart.py", PYTHON)
    assert [(u.name, u.kind, u.start_line, u.end_line) for u in found.values()] == [
        ("total", "function", 4, 8),
        ("Cart", "class", 11, 23),
        ("Cart.add", "function", 14, 15),
        ("Cart.size", "function", 17, 19),
        ("Cart.size#2", "function", 21, 23),
    ]
    body = found["Cart.add"].body
    assert PYTHON.encode()[body[0] : body[1]] == b"self.items.append(item)"


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        ("a.js", "const f = (x) => x\nexport class A { m() { return 1 } static n = () => 2 }\nmodule.exports.q = function () {}", ["f", "A", "A.m", "A.n", "q"]),
        ("a.js", "  foo(a) {\n    return 1;\n  }\n", ["foo"]),
        ("a.ts", "interface I { a: number }\nabstract class A<T> { private async m(x: T): Promise<void> {} }", ["I", "A", "A.m"]),
        ("a.tsx", "export const Panel = React.memo(() => <div/>)", ["Panel"]),
        ("a.go", "package p\nfunc (s *Server[T]) Start() error { return nil }\nfunc New() *Server { return nil }\ntype Server struct{}", ["Server.Start", "New", "Server"]),
        ("a.rs", "impl<T> Foo<T> for Bar<T> { fn x(&self) {} }\nstruct Bar;\nmod m { fn y() {} }", ["Bar.x", "Bar", "y"]),
        ("A.java", "class A { A() {} int f() { return 1; } int f(int a) { return 2; } }", ["A", "A.A", "A.f", "A.f#2"]),
        ("A.java", "@Test public void foo() { a(); }\n  private int x;", ["foo"]),
        ("a.rb", "module M\n  class A < B\n    def self.x; end\n    def y?; end\n  end\nend", ["M.A", "M.A.x", "M.A.y?"]),
        ("a.php", "<?php namespace X; class A { function b() {} } function c() {}", ["A", "A.b", "c"]),
        ("a.php", "public function foo() { return 1; }", ["foo"]),
        ("a.cs", "namespace N; class A { void B() {} }", ["A", "A.B"]),
        ("a.c", "static int *foo(int a) { return 0; }\nstruct s { int a; };", ["foo", "s"]),
        ("a.cpp", "template <class T> int Foo<T>::bar() const { return 1; }\nclass A { void f() {} };", ["Foo.bar", "A", "A.f"]),
        ("a.kt", "fun foo() {}", []),
    ],
)  # fmt: skip
def test_units_of_each_language(path: str, text: str, names: list[str]) -> None:
    assert list(units(path, text)) == names


def test_functions_inside_a_function_belong_to_it() -> None:
    assert list(units("a.py", "def f():\n    def g():\n        pass\n    class C:\n        pass\n")) == ["f"]


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        # Comments, layout and renames are no change.
        ("# add up\n    return (sum(items))", "return sum(items)", []),
        ('"""Sum."""', '"""Adds all items up."""', []),
        ('    """Sum."""\n', "", []),
        ("'size'", '"size"', []),
        ("def add(self, item):", "def add(\n        self,\n        item,\n    ):", []),
        ("def add(", "def put(", []),
        ("\n\nclass", "\n\n\n\nclass", []),
        # What changes the tree changes its unit and no other.
        ("sum(items)", "max(items)", ["total"]),
        ("@cache\n", "", ["total"]),
        ("limit = 3", "limit = 4", ["Cart"]),
        ("'size'", "'si ze'", ["Cart.size#2"]),
        ("    limit = 3\n", "    limit = 3\n\n    def clear(self):\n        self.items = []\n", ["Cart.clear"]),
        ("append(item)", "append(item); self.items.sort()", ["Cart.add"]),
        ("class Cart(Base)", "class Cart(Other)", ["Cart"]),
    ],
)
def test_what_a_change_changes(old: str, new: str, changed: list[str]) -> None:
    assert old in PYTHON
    assert changed_units("cart.py", PYTHON, PYTHON.replace(old, new)) == changed


def test_a_dedented_statement_is_a_change() -> None:
    before = "def f():\n    if x:\n        a()\n        b()\n"
    assert changed_units("a.py", before, before.replace("        b()", "    b()")) == ["f"]


def test_new_and_deleted_files_and_callers_of_a_renamed_function() -> None:
    text = "def f(a):\n    return a\n\n\ndef g():\n    return f(1)\n"
    assert changed_units("a.py", None, text) == ["f", "g"]
    assert changed_units("a.py", text, None) == ["f", "g"]
    assert changed_units("a.py", text, text.replace("f(", "first(")) == []
    assert changed_units("a.py", text, text.replace("f(a)", "first(a)")) == []
    assert changed_units("a.py", text, text.replace("f(", "first(").replace("1)", "2)")) == ["g"]


def test_rust_and_typescript_comments_are_no_change() -> None:
    rust = "/// Doc.\nfn f() -> i32 {\n    // note\n    1 /* x */\n}\n"
    assert changed_units("a.rs", rust, "fn f() -> i32 { 1 }\n") == []
    script = "function f(a: number) {\n  // note\n  return (a + 1);\n}\n"
    assert changed_units("a.ts", script, "function f(a: number) { return a + 1 }\n") == []
    assert changed_units("a.ts", script, "function f(a: number) { return a - 1 }\n") == ["f"]


def test_fragments_give_the_units_they_define() -> None:
    assert units_of_fragment("a.py", "        return x\n\n    def next(self):\n        pass\n") == ["next"]
    assert units_of_fragment("a.kt", "  fun area(): Int = 1\n") == ["area"]
    assert units_of_fragment("notes.txt", "nothing here") == []


def test_units_at_names_the_innermost() -> None:
    assert units_at("cart.py", PYTHON, 15, 15) == ["Cart.add"]
    assert units_at("cart.py", PYTHON, 12, 12) == ["Cart"]
    assert units_at("cart.py", PYTHON, 1, 1) == []


def test_referenced_names_leave_out_comments_strings_and_keywords() -> None:
    names = referenced_names("a.py", "def test_x():\n    # helper\n    assert total('word', y=a.b) // 2\n")
    assert names == {"test_x", "total", "y", "a", "b"}
    assert referenced_names("a.ts", "// gone\nconst x = this.#load('word') // gone") == {"x", "load"}


TESTS = {
    "test_a.py": (
        """\
@pytest.mark.skip(reason="later")
def test_skipped(): assert f()

@pytest.mark.skipif(old, reason="x")
def test_conditional():
    assert f(1) == 2

def test_checks_nothing():
    f()

def test_literal():
    f()
    assert True

def test_same():
    assert f == f

def helper():
    assert f()

class TestThing(unittest.TestCase):
    def test_method(self):
        self.assertEqual(f(), 1)
    @unittest.expectedFailure
    def test_expected(self):
        self.assertEqual(f(), 1)
    async def test_literal(self):
        self.assertTrue(True)
""",
        {
            "test_skipped": (True, True), "test_conditional": (True, False), "test_checks_nothing": (False, False),
            "test_literal": (False, False), "test_same": (False, False), "TestThing.test_method": (True, False),
            "TestThing.test_expected": (True, True), "TestThing.test_literal": (False, False),
        },
    ),
    "a.test.ts": (
        """\
describe('A', () => {
  it('does', () => { expect(f(1)).toBe(2) })
  it.skip('not now', () => { expect(f(1)).toBe(2) })
  test.each([1])('row %s', (x) => { expect(x).toBe(x) })
  it('empty', () => { f() })
});
describe.skip('B', () => { it('inner', () => { expect(g()).toBe(1) }) })
""",
        {
            "A does": (True, False), "A not now": (True, True), "A row %s": (False, False), "A empty": (False, False),
            "B inner": (True, True),
        },
    ),
    "a_test.go": (
        """\
package a
func TestX(t *testing.T) { if f() != 1 { t.Errorf("x") } }
func TestSkip(t *testing.T) {
	t.Skip("later")
}
func Testing() {}
func (s *Suite) TestY() { s.Equal(1, f()) }
""",
        {"TestX": (True, False), "TestSkip": (False, True), "TestY": (True, False)},
    ),
    "a.rs": (
        """\
mod tests {
    #[test]
    #[ignore]
    fn later() { assert_eq!(f(), 1); }
    #[test]
    fn calls() { f(); }
    #[tokio::test]
    async fn checks() { assert!(f()); }
    fn helper() {}
}
""",
        {"later": (True, True), "calls": (False, False), "checks": (True, False)},
    ),
    "ATest.java":
        ("class ATest { @Test void a() { assertEquals(1, f()); } @Disabled @Test void b() { assertEquals(1, f()); }\n"
         "@Test public void c() { f(); } void helper() {} @Test void d() { assertTrue(true); } }",
         {"ATest.a": (True, False), "ATest.b": (True, True), "ATest.c": (False, False), "ATest.d": (False, False)}),
    "a_spec.rb": (
        "RSpec.describe Foo do\n  it 'x' do\n    expect(f).to eq 1\n  end\n  xit 'y' do\n    expect(f).to eq 1\n  end\n"
        "  it 'z' do\n    f\n  end\nend\n",
        {"Foo x": (True, False), "Foo y": (True, True), "Foo z": (False, False)},
    ),
    "ATest.php":
        ("<?php class ATest extends TestCase { public function testA() { $this->assertSame(1, f()); }\n"
         "public function testB() { $this->markTestSkipped('x'); } public function testC() { f(); } }",
         {"ATest.testA": (True, False), "ATest.testB": (False, True), "ATest.testC": (False, False)}),
    "A.cs": (
        'public class A { [Fact] public void X() { Assert.Equal(1, F()); }\n[Fact(Skip="x")] public void Y() { Assert.Equal(1, F()); }\n'
        "[Test] public async Task Z() { F(); } }",
        {"A.X": (True, False), "A.Y": (True, True), "A.Z": (False, False)},
    ),
    "a.cc": (
        "TEST(Suite, Name) { EXPECT_EQ(1, f()); }\nTEST_F(Suite, DISABLED_N) { EXPECT_EQ(1, f()); }\nTEST(Suite, Empty) { f(); }\n",
        {"Suite.Name": (True, False), "Suite.DISABLED_N": (True, True), "Suite.Empty": (False, False)},
    ),
}  # fmt: skip


def test_a_block_that_must_raise_can_fail_wherever_the_exception_comes_from() -> None:
    text = (
        "from shop import Refused, total\n\n\ndef helper():\n    return 1\n\n\n"
        "def test_refuses():\n    with pytest.raises(Refused, match='a code or a name'):\n        total('X')\n"
    )
    found = look_closely("tests/test_shop.py", text, test_functions("tests/test_shop.py", text))
    assert [t.has_assertion for t in found] == [True]


@pytest.mark.parametrize("path", TESTS)
def test_tests_by_the_conventions_of_each_language(path: str) -> None:
    text, expected = TESTS[path]
    assert {t.name: (t.has_assertion, t.skipped) for t in test_functions(path, text)} == expected
    for found in test_functions(path, text):
        assert 1 <= found.start_line <= found.end_line <= text.count("\n") + 1


def test_a_test_refers_to_what_it_uses() -> None:
    (found,) = test_functions("test_a.py", "def test_total():\n    assert total([1]) == 1\n")
    assert "total" in found.references


def test_a_module_wide_skip_skips_every_test() -> None:
    text = "import pytest\npytestmark = pytest.mark.skip\ndef test_a():\n    assert f()\n"
    assert [t.skipped for t in test_functions("test_a.py", text)] == [True]


def test_source_files_by_name() -> None:
    assert is_source("src/a.py")
    assert is_source("b.kt")
    assert not is_source("README.md")
    assert not is_source("Makefile")


@settings(max_examples=60)
@given(
    st.text(max_size=200),
    st.sampled_from(["a.py", "a.ts", "a.go", "a.rs", "A.java", "a.rb", "a.php", "A.cs", "a.cpp", "x"]),
)
def test_any_text_is_survived(text: str, path: str) -> None:
    names = list(units(path, text))
    assert len(names) == len(set(names))
    assert changed_units(path, text, text) == []
    assert isinstance(test_functions(path, text), tuple)
    assert isinstance(referenced_names(path, text), frozenset)
    assert isinstance(units_of_fragment(path, text), list)
