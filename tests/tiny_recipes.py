"""A Python and an npm package, built by the tests, and recipes that make tasks of them: no index is asked."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import shutil
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

from rigorbench.bench.tasks.prepared import directory_digest
from sources import text_file

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
LICENCE = "Permission is hereby granted, free of charge, to any person.\n"
_TEST = "from tinytext import words\n\n\ndef test_two():\n    assert words('to be') == ['to', 'be']\n"
_BLANKS = "\n\ndef test_blanks():\n    assert words('a   b') == ['a', 'b']\n"
FIRST = {
    "tinytext.py": "from tinysigns import BLANK\n\n\ndef words(text):\n    return text.split(BLANK)\n",
    "docs/notes.txt": "notes\n",
    "tests/helper.py": "",
    "tests/test_words.py": _TEST,
    "CHANGES.md": "Several blanks between two words separate them like a single one does.\n",
}
SECOND = {
    **FIRST,
    "tinytext.py": "def words(text):\n    return text.split()\n",
    "tests/test_words.py": _TEST + _BLANKS,
    "tests/test_clock.py": "import time\n",
}
SIGNS = {"tinysigns.py": "BLANK = ' '\n"}
PAIRS = {
    "index.js": "module.exports = (text) => text.split(';')\n",
    "test/helper.js": "module.exports = 1\n",
    "test/pairs.test.js": "require('..')\n",
}
ECHO = {"index.js": "module.exports = 1\n", "index.d.ts": "export default 1\n", "test/echo.test.js": "require('..')\n"}
TASK = text_file("tiny_recipes.task.toml")
ISSUE = "Two blanks between words give an empty word, and I want none of these.\n"
INI = "diff --git a/pytest.ini b/pytest.ini\nnew file mode 100644\n--- /dev/null\n+++ b/pytest.ini\n@@ -0,0 +1 @@\n"
INI += "+[pytest]\n"
# The mutant of the second version: its code splits at every blank.
FAULT = INI + (
    "diff --git a/tinytext.py b/tinytext.py\n--- a/tinytext.py\n+++ b/tinytext.py\n@@ -1,2 +1,2 @@\n"
    " def words(text):\n-    return text.split()\n+    return text.split(' ')\n"
)
_SOLUTION = (
    "diff --git a/tinytext.py b/tinytext.py\n--- a/tinytext.py\n+++ b/tinytext.py\n@@ -1,2 +1,2 @@\n"
    " def words(text):\n-    return text.split(' ')\n+    return text.split()\n"
)
# Stands for npm: knows what is in the directory of this program, as the registry would.
_NPM = """\
#!/bin/sh
for word in "$@"; do wanted=$word; done
file=$(printf %s "$wanted" | sed 's/^@//; s,/,-,g; s/@/-/g').tgz
if ! cp "$(dirname "$0")/$file" .; then
  echo "npm error code E404" >&2
  echo "npm error 404 Not Found - $wanted is not in this registry." >&2
  exit 1
fi
"""


def _archive(file: Path, outer: str, files: Mapping[str, str]) -> str:
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as tar:
        for name, text in files.items():
            entry = tarfile.TarInfo(f"{outer}/{name}")
            entry.size = len(text.encode())
            tar.addfile(entry, io.BytesIO(text.encode()))
    data = gzip.compress(plain.getvalue(), mtime=0)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return hashlib.sha256(data).hexdigest()


def distribution(directory: Path, version: str, files: Mapping[str, str]) -> str:
    """Write the source distribution of a version of tinytext; returns its SHA-256."""
    metadata = f"Metadata-Version: 2.1\nName: tinytext\nVersion: {version}\nLicense: MIT\n"
    own = {"PKG-INFO": metadata, "LICENSE": LICENCE, "pyproject.toml": _PROJECT, "backend.py": _BACKEND}
    return _archive(directory / f"tinytext-{version}.tar.gz", f"tinytext-{version}", {**own, **files})


def wheel(directory: Path, files: Mapping[str, str], *, platform: str = "any") -> str:
    """Write the wheel of version 2.0 of tinysigns; returns its SHA-256."""
    own = {
        "tinysigns-2.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: tinysigns\nVersion: 2.0\n",
        "tinysigns-2.0.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    place = directory / f"tinysigns-2.0-py3-none-{platform}.whl"
    with zipfile.ZipFile(place, "w") as archive:
        for path, text in {**files, **own}.items():
            archive.writestr(zipfile.ZipInfo(path), text)
    return hashlib.sha256(place.read_bytes()).hexdigest()


def _manifest(name: str, version: str) -> str:
    return json.dumps({"name": name, "version": version, "license": "MIT", "main": "index.js"})


def tarball(directory: Path, name: str, version: str, files: Mapping[str, str]) -> str:
    """Write NAME-VERSION.tgz as npm names it; returns its SHA-256."""
    file = directory / f"{name.removeprefix('@').replace('/', '-')}-{version}.tgz"
    return _archive(file, "package", {"package.json": _manifest(name, version), **files})


class Index:
    """A directory of distributions in place of an index and a registry, and a suite of recipes.

    Attributes:
        files: the directory; it has a program ``npm`` that knows what is in it.
        suite: has the recipes ``mutant`` (one version, with the variant ``2``), ``npm`` and ``pair`` (two versions).
    """

    def __init__(self, root: Path) -> None:
        self.files, self.suite = root / "index", root / "suite"
        first, second = (distribution(self.files, *one) for one in (("1.0", FIRST), ("1.1", SECOND)))
        signs = wheel(self.files, SIGNS)
        pairs, echo = tarball(self.files, "tinypairs", "1.0.0", PAIRS), tarball(self.files, "@tiny/echo", "2.0.0", ECHO)
        (self.files / "npm").write_text(_NPM)
        (self.files / "npm").chmod(0o755)
        own = {"LICENSE": LICENCE, "pyproject.toml": _PROJECT, "backend.py": _BACKEND}
        tests = {"helper.py": "", "test_words.py": SECOND["tests/test_words.py"]}
        seen = {p: c for p, c in FIRST.items() if p != "docs/notes.txt"}
        dependency = f'\n[[package.dependencies]]\nname = "tinysigns"\nversion = "2.0"\nsha256 = "{signs}"\n'
        with zipfile.ZipFile(self.files / "tinysigns-2.0-py3-none-any.whl") as archive:
            installed = {name: archive.read(name).decode() for name in archive.namelist()}
        self._add(
            "pair",
            f'[package]\nname = "tinytext"\n{dependency}',
            f'version = "1.0"\nsha256 = "{first}"\nwithout = ["docs"]\n',
            {**own, **seen, **installed, "pytest.ini": "[pytest]\n"},
            f'version = "1.1"\nsha256 = "{second}"\nfiles = ["helper.py", "test_words.py"]\n',
            tests,
            {"starter.patch": INI},
        )
        for name, ending in (("mutant", ""), ("variants/2/mutant", ", 9")):
            code = f"def words(text):\n    return text.split(' '{ending})\n"
            self._add(
                name,
                '[package]\nname = "tinytext"\n',
                f'version = "1.1"\nsha256 = "{second}"\n',
                {**own, **SECOND, "tinytext.py": code, "pytest.ini": "[pytest]\n"},
                'files = ["helper.py", "test_words.py"]\n',
                tests,
                {"starter.patch": FAULT.replace("' '", f"' '{ending}")},
            )
        modules = {"index.js": ECHO["index.js"], "package.json": _manifest("@tiny/echo", "2.0.0")}
        modules = {f"node_modules/@tiny/echo/{path}": text for path, text in modules.items()}
        self._add(
            "npm",
            '[package]\nname = "tinypairs"\necosystem = "npm"\n'
            f'\n[[package.dependencies]]\nname = "@tiny/echo"\nversion = "2.0.0"\nsha256 = "{echo}"\n',
            f'version = "1.0.0"\nsha256 = "{pairs}"\n',
            {"package.json": _manifest("tinypairs", "1.0.0"), **PAIRS, **modules},
            'directory = "test"\ninto = "package"\nfiles = ["**"]\n',
            {"package/helper.js": PAIRS["test/helper.js"], "package/pairs.test.js": PAIRS["test/pairs.test.js"]},
            {"tests/test_hidden.py": "def test_blanks(): ...\n"},
        )

    def _add(
        self,
        name: str,
        package: str,
        starter: str,
        repository: Mapping[str, str],
        hidden: str,
        tests: Mapping[str, str],
        files: Mapping[str, str],
    ) -> None:
        directory = self.suite / name
        recipe = f'{package}\n[starter]\n{starter}digest = "{self._digest(repository)}"\n'
        recipe += f'\n[hidden]\n{hidden}digest = "{self._digest(tests)}"\n'
        own = {
            "recipe.toml": recipe,
            "task.toml": TASK.format(id=directory.name),
            "instruction.md": ISSUE,
            "LICENSE": LICENCE,
        }
        _write({**own, "solution/solution.patch": _SOLUTION, **files}, directory)

    def _digest(self, tree: Mapping[str, str]) -> str:
        place = self.suite.parent / "expected"
        shutil.rmtree(place, ignore_errors=True)
        _write(tree, place)
        return directory_digest(place)

    def change(self, name: str, old: str, new: str) -> Path:
        """Replace a text of a recipe by another; returns the file."""
        file = self.suite / name / "recipe.toml"
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new, 1))
        return file

    def fetched(self, cache: Path) -> None:
        """Put the distributions where RigorBench keeps what it has fetched: pip takes seconds for each."""
        for file in self.files.glob("tiny*"):
            place = cache / "rigorbench" / "distributions" / hashlib.sha256(file.read_bytes()).hexdigest()
            place.mkdir(parents=True)
            shutil.copyfile(file, place / file.name)

    def remove(self) -> None:
        """From now on nothing can be fetched."""
        shutil.rmtree(self.files)
        self.files.mkdir()


def _write(tree: Mapping[str, str], directory: Path) -> None:
    for name, text in tree.items():
        file = directory / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
