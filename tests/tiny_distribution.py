"""A package of two versions, built by the tests, and recipes that make tasks of it: no index is asked."""

from __future__ import annotations

import gzip
import hashlib
import io
import shutil
import tarfile
import zipfile
from pathlib import Path

NAME = "tinytext"
# A build backend in the distribution itself: pip asks it for the metadata, and installs nothing for that.
_BACKEND = """\
import pathlib


def prepare_metadata_for_build_wheel(directory, config_settings=None):
    info = pathlib.Path(directory, "tinytext.dist-info")
    info.mkdir()
    info.joinpath("METADATA").write_text(pathlib.Path("PKG-INFO").read_text())
    return info.name
"""
_PROJECT = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
_LICENCE = "Permission is hereby granted, free of charge, to any person.\n"
_WORDS = '''\
"""Words of a text."""


def words(text):
    return text.split(SEPARATOR)


def longest(text):
    best = ""
    for word in words(text):
        if len(word) > len(best) and word.isalpha():
            best = word
    return best
'''
_TITLES = '''\
"""Titles."""

SMALL = ("and", "of")


def title(text):
    parts = text.split()
    return " ".join(PART for number, part in enumerate(parts))
'''
_TEST_WORDS = '''\
"""Tests of words."""

import pytest

from tinytext.words import longest, words


class TestWords:
    def test_two(self):
        assert words("to be") == ["to", "be"]


@pytest.mark.parametrize("text", ["a bcd e", "bcd"])
def test_longest(text):
    assert longest(text) == "bcd"


def test_numbers_are_no_words():
    assert longest("a 1234") == "a"


def test_unusable():
    import socket

    socket.create_connection(("192.0.2.1", 80), timeout=1)
'''
_MORE_WORDS = """

def test_many_blanks():
    assert words("to  be") == ["to", "be"]
"""
_TEST_TITLES = """\
from tinytext.titles import title


def test_title():
    assert title("to be") == "To Be"
"""
_MORE_TITLES = """

def test_small_words():
    assert title("of mice and men") == "Of Mice and Men"
"""
FIRST = {
    "tinytext/__init__.py": "",
    "tinytext/words.py": _WORDS.replace("SEPARATOR", '" "'),
    "tinytext/titles.py": _TITLES.replace("PART", "part.capitalize()"),
    "tests/test_words.py": _TEST_WORDS,
    "tests/test_titles.py": _TEST_TITLES,
    "README.md": "# tinytext\n",
}
SECOND = {
    **FIRST,
    "tinytext/words.py": _WORDS.replace("SEPARATOR", ""),
    "tinytext/titles.py": _TITLES.replace("PART", "part if number and part in SMALL else part.capitalize()"),
    "tests/test_words.py": _TEST_WORDS + _MORE_WORDS,
    "tests/test_titles.py": _TEST_TITLES + _MORE_TITLES,
}


def distribution(directory: Path, version: str, files: dict[str, str], *, licence: str = "MIT") -> str:
    """Write ``tinytext-VERSION.tar.gz``; returns its SHA-256."""
    metadata = f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {version}\nLicense: {licence}\n"
    own = {"PKG-INFO": metadata, "LICENSE": _LICENCE, "pyproject.toml": _PROJECT, "backend.py": _BACKEND}
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as tar:
        for name, text in {**own, **files}.items():
            entry = tarfile.TarInfo(f"{NAME}-{version}/{name}")
            entry.size = len(text.encode())
            tar.addfile(entry, io.BytesIO(text.encode()))
    data = gzip.compress(plain.getvalue(), mtime=0)
    directory.mkdir(parents=True, exist_ok=True)
    (directory / f"{NAME}-{version}.tar.gz").write_bytes(data)
    return hashlib.sha256(data).hexdigest()


def wheel(directory: Path, name: str, files: dict[str, str], *, platform: str = "any") -> str:
    """Write the wheel of version 2.0 of another package; returns its SHA-256."""
    own = {
        f"{name}-2.0.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 2.0\n",
        f"{name}-2.0.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    place = directory / f"{name}-2.0-py3-none-{platform}.whl"
    with zipfile.ZipFile(place, "w") as archive:
        for path, text in {**files, **own}.items():
            archive.writestr(zipfile.ZipInfo(path), text)
    return hashlib.sha256(place.read_bytes()).hexdigest()


_PAIR = """\
kind = "version-pair"
category = "verify-or-die"
difficulty = "easy"
description = "Blanks and small words"
sentences = [
  {{ text = "Two blanks", of = ["blanks"] }},
  {{ text = "And titles", of = ["small"] }},
]

[package]
name = "tinytext"
version = "1.1"
sha256 = "{later}"
before = "1.0"
before_sha256 = "{earlier}"
licence = "MIT"
source = ["tinytext/**"]

[tests]
visible = 5
hidden = ["test_words.py", "test_titles.py"]
leave_out = [{{ tests = ["test_words.py::test_unusable"], reason = "needs a network" }}]

[[requirements]]
id = "blanks"
text = "several blanks separate like one"
tests = ["test_words.py::test_many_blanks"]
undo = ["tinytext/words.py"]

[[requirements]]
id = "small"
text = "small words stay small"
tests = ["test_titles.py::test_small_words"]
undo = ["tinytext/titles.py#1"]

[[near_misses]]
id = "only-blanks"
text = "titles stay as they were"
obvious = true
undo = ["tinytext/titles.py"]
"""
_MUTANT = """\
kind = "mutant"
category = "verify-or-die"
difficulty = "easy"
description = "Only words can be the longest word"
sentences = [{{ text = "longest", of = ["words"] }}]

[package]
name = "tinytext"
version = "1.1"
sha256 = "{later}"
licence = "MIT"
source = ["tinytext/**"]

[tests]
visible = 6
hidden = ["test_words.py::test_numbers_are_no_words"]
leave_out = [{{ tests = ["test_words.py::test_unusable"], reason = "needs a network" }}]

[[mutations]]
file = "tinytext/words.py"
operator = "dropped-condition"
function = "longest"
line = 11
index = 1

[[requirements]]
id = "words"
text = "a number is no word"
tests = ["test_words.py::test_numbers_are_no_words"]

[[near_misses]]
id = "last"
text = "takes the last of several"
obvious = true
on = "starter"
mutate = [{{ file = "tinytext/words.py", operator = "boundary-comparison", function = "longest", line = 11 }}]
"""
_ISSUES = {
    "pair": "Two blanks between words give an empty word. And titles write every small word large.\n",
    "mutant": "longest('a 1234') gives me the number, and I want a word.\n",
}
_TESTS = {
    "pair": (
        "from tinytext.titles import title\nfrom tinytext.words import words\n\n\n"
        'def test_blanks():\n    assert words("a   b") == ["a", "b"]\n\n\n'
        'def test_small():\n    assert title("bread and salt") == "Bread and Salt"\n'
    ),
    "mutant": (
        "from tinytext.words import longest\n\n\n"
        'def test_number():\n    assert longest("ab 123") == "ab"\n\n\n'
        'def test_length():\n    assert longest("abc de") == "abc"\n'
    ),
}


class Index:
    """A directory of distributions in place of an index, and a suite of recipes.

    Attributes:
        files: the directory.
        suite: has the recipes ``pair`` and ``mutant``.
    """

    def __init__(self, root: Path) -> None:
        self.files, self.suite = root / "index", root / "suite"
        self.hashes = {
            "earlier": distribution(self.files, "1.0", FIRST),
            "later": distribution(self.files, "1.1", SECOND),
        }
        self.add("pair", _PAIR)
        self.add("mutant", _MUTANT)

    def add(self, name: str, recipe: str) -> Path:
        directory = self.suite / name
        directory.mkdir(parents=True)
        (directory / "recipe.toml").write_text(recipe.format(**self.hashes))
        (directory / "instruction.md").write_text(_ISSUES[name])
        (directory / "issue_test.py").write_text(_TESTS[name])
        return directory

    def change(self, name: str, old: str, new: str) -> Path:
        """Replace a text of a recipe by another; returns the file."""
        file = self.suite / name / "recipe.toml"
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new, 1))
        return file

    def fetched(self, cache: Path) -> None:
        """Put the distributions where RigorBench keeps what it has fetched: pip takes seconds for each."""
        for file in self.files.iterdir():
            place = cache / "rigorbench" / "distributions" / hashlib.sha256(file.read_bytes()).hexdigest()
            place.mkdir(parents=True)
            shutil.copyfile(file, place / file.name)

    def remove(self) -> None:
        """From now on nothing can be fetched."""
        shutil.rmtree(self.files)
        self.files.mkdir()
