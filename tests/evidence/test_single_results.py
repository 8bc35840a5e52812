"""What came of each single test, from the output of the runners that name them all."""

from __future__ import annotations

from rigorbench.evidence.testruns.results import read_results
from sources import text_file

NODE_TAP = text_file("single_results.node_tap.txt")
NODE_SPEC = text_file("single_results.node_spec.txt")
CARGO = text_file("single_results.cargo.txt")


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
