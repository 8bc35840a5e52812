"""The problem "image codec": its files come from its generators, and both references agree with the model.

That references are accepted and mutants get their labels is proved by `rigor judge verify`.
"""

from __future__ import annotations

import filecmp
import importlib.util
import random
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

PACKAGE = Path(__file__).parents[3] / "suites" / "projdev" / "image-codec"
QUICK = ("sample", "1-encode", "2-decode", "3-corrupt")
KINDS = ("flat", "tiles", "lines", "drift", "noise", "spots")
# What the judge gives drivers, for programs that are run by hand.
STANDS_IN = """#pragma once
#include <iostream>
namespace rigor {
inline std::ostream& out = std::cout;
inline void finish() { std::cout.flush(); }
}
"""


@pytest.fixture(scope="module")
def model() -> ModuleType:
    spec = importlib.util.spec_from_file_location("image_codec_model", PACKAGE / "generators" / "model.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def generate(script: str, *arguments: str) -> None:
    subprocess.run([sys.executable, "-B", str(PACKAGE / "generators" / script), *arguments], check=True)


def same(made: Path, committed: Path) -> None:
    """Every file that was made is committed, with this content."""
    files = [str(path.relative_to(made)) for path in made.rglob("*") if path.is_file()]
    _, different, missing = filecmp.cmpfiles(made, committed, files, shallow=False)
    assert files
    assert different + missing == []


def test_committed_cases_are_the_generators(tmp_path: Path) -> None:
    generate("make.py", str(tmp_path), *QUICK)
    same(tmp_path, PACKAGE / "data")


@pytest.mark.slow  # fifteen seconds: large images in Python
def test_committed_large_images_are_the_generators(tmp_path: Path) -> None:
    generate("make.py", str(tmp_path))
    same(tmp_path, PACKAGE / "data")


def test_mutants_come_from_the_reference(tmp_path: Path) -> None:
    generate("mutants.py", str(tmp_path))
    same(tmp_path, PACKAGE / "submissions")


def test_what_the_model_encodes_it_decodes(model: ModuleType) -> None:
    for kind in KINDS:
        for channels in (1, 3, 4):
            stream = model.encoded(kind, 9, 7, channels, 5)
            right, rows = model.decoded(stream)
            assert right
            assert [row for _, row in rows] == [
                b"".join(map(bytes, row)) for row in model.image(kind, 9, 7, channels, 5)
            ]
            assert not model.decoded(stream[:-1])[0]
            assert not model.decoded(stream + b"\0")[0]


@pytest.mark.slow  # four compiles with sanitizers
@pytest.mark.parametrize("reference", ["counters", "window"])
def test_the_references_agree_with_the_model(model: ModuleType, tmp_path: Path, reference: str) -> None:
    if shutil.which("g++") is None:
        pytest.skip("needs g++")
    (tmp_path / "rigor_driver.hpp").write_text(STANDS_IN)
    shown = {}
    for driver in ("encode", "decode"):
        program = tmp_path / driver
        flags = [
            "-std=c++20",
            "-O1",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-fsanitize=address,undefined",
            "-fno-sanitize-recover=all",
        ]
        where = [f"-I{tmp_path}", f"-I{PACKAGE / 'drivers'}", f"-I{PACKAGE / 'submissions' / 'accepted' / reference}"]
        subprocess.run(
            ["g++", *flags, *where, str(PACKAGE / "drivers" / f"{driver}.cpp"), "-o", str(program)], check=True
        )
        shown[driver] = program
    chance = random.Random(9)
    images, streams = "", ""
    for _ in range(150):
        shape = (
            chance.choice(KINDS),
            chance.randint(1, 90),
            chance.randint(1, 12),
            chance.choice((1, 3, 4)),
            chance.randrange(10**6),
        )
        images += " ".join(map(str, shape)) + "\n"
        data = model.encoded(*shape).hex()
        streams += f"stream {chance.randint(1, 40)} {data}\n"
        if len(data) < 800:
            streams += f"damage 60 {chance.randrange(10**6)} {data}\n"
    for driver, text, right in (
        ("encode", images, model.encode_case(images)),
        ("decode", streams, model.decode_case(streams)),
    ):
        run = subprocess.run([shown[driver]], input=text, capture_output=True, text=True, check=True)
        assert run.stdout == right, driver


def test_the_streams_of_decode_are_right_and_damaged_ones_are_of_both_kinds() -> None:
    lines = [
        line for path in (PACKAGE / "data/secret/2-decode").glob("*.ans") for line in path.read_text().splitlines()
    ]
    assert len(lines) == 45
    assert all(line.startswith("done ") for line in lines)
    letters = (PACKAGE / "data/secret/3-corrupt/02.ans").read_text()
    assert set("cd") <= set(letters)
