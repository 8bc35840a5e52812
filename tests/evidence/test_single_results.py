"""What came of each single test, from the output of the runners that name them all."""

from __future__ import annotations

from rigorbench.evidence.testruns.results import read_results

NODE_TAP = """\
TAP version 13
# Subtest: adds
ok 1 - adds
  ---
  duration_ms: 0.4
  ...
# Subtest: wagon \\# 2
not ok 2 - wagon \\# 2
  ---
  error: |-
    ok 9 - this is no test
  ...
# Subtest: routes
    # Subtest: are short
    ok 1 - are short
    # Subtest: later
    ok 2 - later # SKIP
    1..2
ok 3 - routes
1..3
# tests 4
# pass 2
# fail 1
"""
NODE_SPEC = """\
✔ adds (0.4ms)
✖ wagon # 2 (0.9ms)
  AssertionError [ERR_ASSERTION]: 1 == 2
▶ routes
  ✔ are short (0.2ms)
  ﹣ later (0.1ms) # SKIP
▶ routes (1.2ms)
ℹ tests 4
✖ failing tests:

✖ wagon # 2 (0.9ms)
"""
CARGO = """\
     Running unittests src/lib.rs (target/debug/deps/roads-1a)

running 2 tests
test tests::far ... ok
test tests::old ... ignored, slow

test result: ok. 1 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s

     Running tests/roads.rs (target/debug/deps/roads-2b)

running 2 tests
test far ... FAILED
test breaks - should panic ... ok

failures:

---- far stdout ----
test result: no

failures:
    far

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

   Doc-tests roads

running 1 test
test src/lib.rs - far (line 3) ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
"""


def test_node_says_the_same_in_both_formats() -> None:
    expected = {"adds": "passed", "wagon # 2": "failed", "routes > are short": "passed", "routes > later": "skipped"}
    assert read_results(NODE_TAP) == expected
    assert read_results(NODE_SPEC) == expected


def test_cargo_names_each_test_with_the_file_of_its_target() -> None:
    assert read_results(CARGO) == {
        "src/lib.rs::tests::far": "passed",
        "src/lib.rs::tests::old": "skipped",
        "tests/roads.rs::far": "failed",
        "tests/roads.rs::breaks": "passed",
        "Doc-tests::src/lib.rs - far": "passed",
    }


def test_plain_tap_and_a_test_named_twice() -> None:
    output = (
        "1..4\nok 1 - testFar\nnot ok 2 - testNear\nok 3 testNear\nok 4 - testSlow # skip not here\nnoise ok 5 - x\n"
    )
    assert read_results(output) == {"testFar": "passed", "testNear": "failed", "testSlow": "skipped"}
    assert read_results("compiling\nerror: no\n") == {}
