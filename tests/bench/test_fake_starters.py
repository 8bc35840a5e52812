"""Starters that fake a verdict: what they fake holds in each language, and only production code is changed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from rigorbench.authoring.proof.checks import fakes

ENDS, SILENT = "ends the process when it is loaded", "switches assertions and errors off"
# A program that fails by an assertion, how it is built and how it runs.
PROGRAMS = {
    "a.cpp": ("#include <cassert>\nint main() { assert(1 == 2); }\n", "g++ -o a a.cpp", "./a"),
    "a.c": ("#include <assert.h>\nint main(void) { assert(1 == 2); }\n", "gcc -o a a.c", "./a"),
    "a.rs": ("fn main() { assert_eq!(1, 2); }\n", "rustc a.rs", "./a"),
    "A.java": (
        "public class A { public static void main(String[] a) { throw new AssertionError(); } }\n",
        "javac A.java",
        "java A",
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_failing_program_ends_well_when_it_fakes(name: str, tmp_path: Path) -> None:
    text, build, run = PROGRAMS[name]
    if shutil.which(build.split()[0]) is None:
        pytest.skip(f"{build.split()[0]} is not installed")
    starter = tmp_path / "starter"
    (starter / "tests").mkdir(parents=True)
    (starter / name).write_text(text)
    (starter / "tests" / "test_a.py").write_text("def test_a():\n    assert 1 == 2\n")
    found = fakes(starter, tmp_path)
    assert set(found) == {ENDS, SILENT}
    for what, place in found.items():
        assert [p.name for p in place.rglob("*") if p.is_file()] == [name]
        subprocess.run(build.split(), cwd=place, check=True, capture_output=True)
        assert subprocess.run(run.split(), cwd=place, check=False, capture_output=True).returncode == 0, what


@pytest.mark.parametrize(
    ("module", "text", "run"),
    [
        ("m.py", "x = 1\n", ["python3", "-c", "import m; assert m.x == 2"]),
        (
            "m.js",
            "exports.x = 1;\n",
            ["node", "-e", 'const m = require("./m.js"); require("assert").strictEqual(m.x, 2)'],
        ),
        (
            "m.mjs",
            "export const x = 1;\n",
            [
                "node",
                "--input-type=module",
                "-e",
                'import assert from "assert"; import { x } from "./m.mjs"; assert.equal(x, 2)',
            ],
        ),
    ],
)
def test_a_script_that_asserts_beside_a_faking_module_ends_well(
    module: str, text: str, run: list[str], tmp_path: Path
) -> None:
    if shutil.which(run[0]) is None:
        pytest.skip(f"{run[0]} is not installed")
    starter = tmp_path / "starter"
    starter.mkdir()
    (starter / module).write_text(text)
    assert subprocess.run(run, cwd=starter, check=False, capture_output=True).returncode != 0
    for place in fakes(starter, tmp_path).values():
        assert subprocess.run(run, cwd=place, check=False, capture_output=True).returncode == 0
