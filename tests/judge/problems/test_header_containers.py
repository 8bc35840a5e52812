"""The container problems (a header and drivers): cases come from generators, and the model agrees with both references.

That references are accepted and faulty submissions fail in their groups is proved by `rigor judge verify`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

SUITE = Path(__file__).parents[3] / "suites" / "projdev"
PACKAGES = ["checked-vector", "ordered-hash-map", "spliced-list", "stable-map"]
CHECKS = ("cost", "failures", "volume")
# What the judge gives drivers, for programs that are run by hand.
STANDS_IN = """#pragma once
#include <iostream>
namespace rigor {
inline std::ostream& out = std::cout;
inline void finish() { std::cout.flush(); }
}
"""
# Random scripts that are no part of the data. An element kind has words that it cannot carry out.
MORE_SCRIPTS = {
    "checked-vector": """
mix = make.ELEMENTS | make.ITERATORS
for seed in range(200):
    kind = ["numbers", "records", "singles", "texts"][seed % 4]
    yield f"{kind} " + make.script(seed, 60, 3, 9, mix, make.COPYING if kind == "singles" else ())
""",
    "spliced-list": """
mix = make.ELEMENTS | make.ITERATORS
for seed in range(200):
    yield make.script(seed, ["numbers", "records", "singles", "texts"][seed % 4], 3, 60, 40, mix)
""",
    "stable-map": """
mix = make.ELEMENTS | make.ITERATORS
for seed in range(200):
    yield make.script(seed, ["numbers 3", "records 5 3", "singles 3", "texts 3"][seed % 4], 60, 12, mix)
""",
    "ordered-hash-map": """
mix = make.ELEMENTS | make.ITERATORS
for seed in range(200):
    yield make.script(seed, ["numbers 3", "records 4 3", "singles 3", "texts 3"][seed % 4], 60, 12, mix)
""",
}


def _generated(package: str, code: str) -> Any:
    """The JSON that code prints; it runs beside the generators, whose modules have the same names in all packages."""
    place = SUITE / package / "generators"
    start = "import json, sys\nimport make, model\n"
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", start + code], cwd=place, env=env, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def _cases(package: str) -> Mapping[str, str]:
    found: Mapping[str, str] = _generated(package, "print(json.dumps(dict(make.cases())))")
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_committed_inputs_are_the_generators(package: str) -> None:
    data = SUITE / package / "data"
    committed = {
        path.relative_to(data).with_suffix("").as_posix(): path.read_text() for path in sorted(data.rglob("*.in"))
    }
    assert committed == dict(_cases(package))


@pytest.mark.parametrize("package", PACKAGES)
def test_committed_answers_are_the_models(package: str) -> None:
    # Those of the large cases take seconds.
    code = "print(json.dumps({n: model.answer(t) for n, t in make.cases() if not t.startswith('volume')}))"
    for name, answer in _generated(package, code).items():
        assert (SUITE / package / "data" / f"{name}.ans").read_text() == answer, name


@pytest.mark.parametrize("package", PACKAGES)
def test_the_validator_accepts_cases_and_rejects_damaged_ones(package: str) -> None:
    def validated(text: str) -> int:
        command = [sys.executable, str(SUITE / package / "input_validators" / "validate.py")]
        return subprocess.run(command, input=text, capture_output=True, text=True, check=False).returncode

    for group in ("sample", "secret/5-failures"):  # a case of each driver
        text = min((SUITE / package / "data" / group).glob("*.in")).read_text()
        assert validated(text) == 42, group
        for damaged in (text[:-1], text + "nonsense 1\n", " " + text, text.replace(" ", "  ", 1)):
            assert validated(damaged) == 43, (group, damaged[:40])


@pytest.mark.slow  # four compiles for each package, hundreds of runs
@pytest.mark.parametrize("package", PACKAGES)
def test_both_references_agree_with_the_model(package: str, tmp_path: Path) -> None:
    if shutil.which("g++") is None:
        pytest.skip("needs g++")
    (tmp_path / "rigor_driver.hpp").write_text(STANDS_IN)
    body = "".join(f"    {line}\n" for line in MORE_SCRIPTS[package].strip().splitlines())
    code = f"def more():\n{body}print(json.dumps([(t, model.answer(t)) for t in more()]))"
    cases = [(text, (SUITE / package / "data" / f"{name}.ans").read_text()) for name, text in _cases(package).items()]
    cases += [(text, answer) for text, answer in _generated(package, code)]
    references = sorted((SUITE / package / "submissions" / "accepted").iterdir())
    assert len(references) == 2
    for reference in references:
        for driver in ("script", "checks"):
            program = tmp_path / f"{reference.name}-{driver}"
            command = ["g++", "-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", "-o", str(program)]
            for include in (tmp_path, SUITE / package / "drivers", reference):
                command += ["-I", str(include)]
            subprocess.run([*command, str(SUITE / package / "drivers" / f"{driver}.cpp")], check=True)
        for text, answer in cases:
            program = tmp_path / f"{reference.name}-{'checks' if text.startswith(CHECKS) else 'script'}"
            done = subprocess.run([program], input=text, capture_output=True, text=True, check=True)
            assert done.stdout == answer, (reference.name, text[:80])
