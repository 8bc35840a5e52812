"""The hidden tests of an npm package: its own files, and a file of pytest that runs them and has a test for each."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from .trees import Tree

FILE = "test_hidden.py"
# Where the files of the package are, beside that of pytest.
_PLACE = "package"
# Stands for the tests of a file that no statement of it names, and for the end of the file.
REST = "*"

# The tests of node as lines of JSON: file, titles of the groups above it and its own, outcome; and a line at the end.
REPORTER = """export default async function* (events) {
  const open = [];
  for await (const { type, data } of events) {
    if (type === "test:start") {
      open.length = data.nesting;
      open.push(data.name);
    } else if (type === "test:pass" || type === "test:fail") {
      const { file } = data;
      const path = [...open.slice(0, data.nesting), data.name];
      const skipped = data.skip !== undefined || data.todo !== undefined;
      yield JSON.stringify({ file, path, passed: type === "test:pass", skipped }) + "\\n";
    }
  }
  yield '{"end": true}\\n';
}
"""
_PROGRAM = '''"""Hidden tests: those of the package, run by node on a copy of the repository, each as a function."""

import functools
import json
import shutil
import subprocess
import tempfile
from pathlib import Path

FILES = Path(__file__).parent / "package"
SEPARATOR = " > "

@functools.cache
def results(file):
    """What came of each test of a file: its title, whether it passed, whether it was skipped. None: it did not end."""
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as own:
        root = Path(name, "repository")
        shutil.copytree(Path.cwd(), root, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        shutil.rmtree(root / DIRECTORY, ignore_errors=True)
        shutil.copytree(FILES, root / DIRECTORY)
        reporter = Path(own, "reporter.mjs")
        reporter.write_text(REPORTER)
        command = ["node", "--test", f"--test-reporter={reporter}", f"{DIRECTORY}/{file}"]
        try:
            done = subprocess.run(
                command, cwd=root, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60
            )
        except subprocess.TimeoutExpired:
            return None
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    if not lines or lines.pop() != {"end": True}:
        return None
    return [(SEPARATOR.join(" ".join(t.split()) for t in r["path"]), r["passed"], r["skipped"]) for r in lines]


def belongs(test, title):
    return test == title or test.startswith(title + SEPARATOR)


def check(file, title):
    """A test of this title passed, with all that belongs to it."""
    found = results(file)
    assert found is not None, "node did not end"
    mine = [(passed, skipped) for test, passed, skipped in found if belongs(test, title)]
    assert mine, "did not run"
    assert all(passed for passed, _ in mine)
    assert not all(skipped for _, skipped in mine), "was skipped"


def check_rest(file):
    """The file ran to its end, and everything in it passed that has no function here."""
    found = results(file)
    assert found is not None, "node did not end"
    # Node takes a file that ends before its first test for a test of its own.
    ran = [test for test, _, _ in found if not test.endswith(f"{DIRECTORY}/{file}")]
    assert ran, "did not run"
    assert all(any(belongs(test, title) for test in ran) for title in TITLES[file]), "did not run to its end"
    groups = {title[:at] for title in TITLES[file] for at in range(len(title)) if title.startswith(SEPARATOR, at)}
    others = [(test, passed) for test, passed, _ in found if not any(belongs(test, t) for t in TITLES[file])]
    assert all(passed for test, passed in others if test not in groups)
'''


def hidden_tree(directory: str, files: Tree, titles: Mapping[str, Sequence[str]]) -> Tree:
    """The tree of the hidden tests.

    Args:
        directory: of the tests in the repository.
        files: of the package's tests, relative to it.
        titles: of the tests of each file that is run.
    """
    parts = [_PROGRAM, f'REPORTER = r"""{REPORTER}"""', f"DIRECTORY = {json.dumps(directory)}"]
    parts += [
        "# For each file the titles that have a function of their own.\n"
        f"TITLES = {json.dumps(titles, indent=4, ensure_ascii=False)}"
    ]
    for (file, title), name in functions(titles).items():
        quoted = [json.dumps(text, ensure_ascii=False) for text in (file, title)]
        call = f"check_rest({quoted[0]})" if title == REST else f"check({', '.join(quoted)})"
        parts.append(f"def {name}():\n    {call}\n")
    return {FILE: "\n\n".join(parts).encode(), **{f"{_PLACE}/{path}": content for path, content in files.items()}}


def functions(titles: Mapping[str, Sequence[str]]) -> dict[tuple[str, str], str]:
    """The name of the function of each (file, title); no two are the same."""
    found: dict[tuple[str, str], str] = {}
    for file, known in titles.items():
        for title in (*known, REST):
            name = word = _word(file, title)
            number = 1
            while name in found.values():
                number += 1
                name = f"{word}_{number}"
            found[file, title] = name
    return found


def _word(file: str, title: str) -> str:
    what = "everything else" if title == REST else title
    stem = re.sub(r"(\.test)?\.[cm]?js$", "", file)
    return "test_" + re.sub(r"\W+", "_", f"{stem} {what}", flags=re.ASCII).strip("_").lower()[:100]
