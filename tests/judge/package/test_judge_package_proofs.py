"""Packages proved for real, and imported ones judged: everything from the file to the verdict."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from test_judge_package_import import polygon, write

from rigorbench.cli.judge.verify import command
from rigorbench.judge.problems.importing import import_package
from rigorbench.judge.verify.proof import read_record

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("bwrap") is None or shutil.which("g++") is None, reason="needs bwrap and g++"),
]

NEGATE = '#include <cstdio>\nint main() { int n; if (scanf("%d", &n) == 1) printf("%d\\n", -n); }\n'
CHECK = """#include "testlib.h"
int main(int argc, char* argv[]) {
    registerTestlibCmd(argc, argv);
    int wanted = ans.readInt(), found = ouf.readInt();
    if (wanted != found) quitf(_wa, "expected %d, found %d", wanted, found);
    quitf(_ok, "%d", found);
}
"""
VALIDATE = """#include "testlib.h"
int main(int argc, char* argv[]) {
    registerValidation(argc, argv);
    inf.readInt(1, 100, "n");
    inf.readEoln();
    inf.readEof();
}
"""


def standing(package: Path, record: Path, *more: str) -> dict[str, str]:
    """What `rigor judge verify` says of each check."""
    command([str(package), "--record", str(record), *more])
    return {check.name: check.status for check in read_record(record)[package.name].checks}


def test_the_sum_is_proved(tmp_path: Path) -> None:
    package = Path(__file__).parent.parent / "packages" / "sum"
    found = standing(package, tmp_path / "proofs.json")
    # It is no project, and has no rules.
    assert {found.pop("classification"), found.pop("review")} == {"skipped"}
    assert set(found.values()) == {"ok"}


def test_an_imported_polygon_package_is_judged(tmp_path: Path) -> None:
    programs = {"files/check.cpp": CHECK, "files/val.cpp": VALIDATE, "solutions/main.cpp": NEGATE}
    tests = [{"sample": "true"}, {"group": "a", "points": "50"}, {"group": "a", "points": "50"}]
    import_package(write(tmp_path / "in", polygon(tests, **programs)), tmp_path / "out")
    found = standing(tmp_path / "out", tmp_path / "proofs.json", "--repeats", "1")
    assert {name for name, status in found.items() if status == "ok"} == {
        "statement",
        "inputs",
        "reference",
        "labels",
        "limits",
    }
