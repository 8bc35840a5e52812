"""Which events carry out the items of a plan."""

from __future__ import annotations

from builders import Session as Log
from rigorbench.bench.rigorscore.planning import pea
from rigorbench.evidence.walk.extract import extract
from rigorbench.review.session import Session

BUILD = "g++ -o /tmp/check tests/check.cpp"


def test_a_run_is_the_command_on_its_file_nearest_to_its_place_in_the_plan() -> None:
    log = Log("Write a codec").todo(
        "A test of the example in tests/check.cpp",
        "Both directions in codec.hpp",
        "README.md explains it",
        "Run tests/check.cpp and submit",
    )
    log = log.write("tests/check.cpp", "int main() { return test(); }\n").shell(f"{BUILD} && /tmp/check", exit_status=1)
    log = log.write("codec.hpp", "int test() { return 0; }\n").shell(f"{BUILD} -g && /tmp/check", exit_status=0)
    found = pea(Session(extract(log.write("README.md", "# Codec\n").say("Done.").build())))
    assert "1 of 6 pairs in the wrong order" in found.reason


def test_an_edit_of_the_file_does_not_run_it() -> None:
    log = Log("Write a parser")
    log.todo("Parser of the configuration in src/parser.py", "Run tests/check.py after the change")
    log = log.write("src/parser.py", "def parse(t):\n    return t\n").write("tests/check.py", "assert parse('a')\n")
    assert pea(Session(extract(log.say("Done.").build()))).value == 0.5
