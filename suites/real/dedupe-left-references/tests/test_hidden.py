"""Hidden tests: those of the package, run by node on a copy of the repository, each as a function."""

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
    # Titles may have line separators of Unicode, at which splitlines() splits too.
    lines = [json.loads(line) for line in done.stdout.split("\n") if line]
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


REPORTER = r"""export default async function* (events) {
  const open = [];
  for await (const { type, data } of events) {
    if (type === "test:start") {
      open.length = data.nesting;
      open.push(data.name);
    } else if (type === "test:pass" || type === "test:fail") {
      const { file } = data;
      const path = [...open.slice(0, data.nesting), data.name];
      const skipped = data.skip !== undefined || data.todo !== undefined;
      yield JSON.stringify({ file, path, passed: type === "test:pass", skipped }) + "\n";
    }
  }
  yield '{"end": true}\n';
}
"""

DIRECTORY = "test"

# For each file the titles that have a function of their own.
TITLES = {
    "storage-memory.test.js": [
        "storage memory > set > should update references of evicted keys (removed by size)",
        "storage memory > remove > should remove a key but not references if still active",
        "storage memory > clear > should clear a keys and their references"
    ]
}

def test_storage_memory_storage_memory_set_should_update_references_of_evicted_keys_removed_by_size():
    check("storage-memory.test.js", "storage memory > set > should update references of evicted keys (removed by size)")


def test_storage_memory_storage_memory_remove_should_remove_a_key_but_not_references_if_still_active():
    check("storage-memory.test.js", "storage memory > remove > should remove a key but not references if still active")


def test_storage_memory_storage_memory_clear_should_clear_a_keys_and_their_references():
    check("storage-memory.test.js", "storage memory > clear > should clear a keys and their references")


def test_storage_memory_everything_else():
    check_rest("storage-memory.test.js")
