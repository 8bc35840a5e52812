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
    "file-stream-limit.test.js": [
        "BusboyFileStream emits limit"
    ],
    "types-multipart-coverage.test.js": [
        "multipart parser rejects bare CR or LF in disposition parameters"
    ],
    "types-multipart.test.js": [
        "types-multipart.test"
    ],
    "types-urlencoded-limits.test.js": [
        "fieldSize is enforced for repeated incomplete escapes",
        "default fieldSize and fieldNameSize are enforced for repeated incomplete escapes"
    ],
    "types-urlencoded.test.js": [
        "types-urlencoded"
    ]
}

def test_file_stream_limit_busboyfilestream_emits_limit():
    check("file-stream-limit.test.js", "BusboyFileStream emits limit")


def test_file_stream_limit_everything_else():
    check_rest("file-stream-limit.test.js")


def test_types_multipart_coverage_multipart_parser_rejects_bare_cr_or_lf_in_disposition_parameters():
    check("types-multipart-coverage.test.js", "multipart parser rejects bare CR or LF in disposition parameters")


def test_types_multipart_coverage_everything_else():
    check_rest("types-multipart-coverage.test.js")


def test_types_multipart_types_multipart_test():
    check("types-multipart.test.js", "types-multipart.test")


def test_types_multipart_everything_else():
    check_rest("types-multipart.test.js")


def test_types_urlencoded_limits_fieldsize_is_enforced_for_repeated_incomplete_escapes():
    check("types-urlencoded-limits.test.js", "fieldSize is enforced for repeated incomplete escapes")


def test_types_urlencoded_limits_default_fieldsize_and_fieldnamesize_are_enforced_for_repeated_incomplete_esc():
    check("types-urlencoded-limits.test.js", "default fieldSize and fieldNameSize are enforced for repeated incomplete escapes")


def test_types_urlencoded_limits_everything_else():
    check_rest("types-urlencoded-limits.test.js")


def test_types_urlencoded_types_urlencoded():
    check("types-urlencoded.test.js", "types-urlencoded")


def test_types_urlencoded_everything_else():
    check_rest("types-urlencoded.test.js")
