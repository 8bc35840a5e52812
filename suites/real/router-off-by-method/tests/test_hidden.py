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
    "find-route.test.js": [
        "findRoute returns handler for a regex + non-regex multi-param route",
        "findRoute returns handler and regexp param for a regexp route",
        "findRoute returns null for a regexp route",
        "findRoute and duplicate detection follow off() and reset()"
    ],
    "has-route.test.js": [
        "hasRoute returns true for a regexp route",
        "hasRoute returns false for a regexp route"
    ],
    "issue-369.test.js": [
        "findRoute distinguishes routes differing only by an interior static part"
    ],
    "methods.test.js": [
        "deregister a route by method"
    ]
}

def test_find_route_findroute_returns_handler_for_a_regex_non_regex_multi_param_route():
    check("find-route.test.js", "findRoute returns handler for a regex + non-regex multi-param route")


def test_find_route_findroute_returns_handler_and_regexp_param_for_a_regexp_route():
    check("find-route.test.js", "findRoute returns handler and regexp param for a regexp route")


def test_find_route_findroute_returns_null_for_a_regexp_route():
    check("find-route.test.js", "findRoute returns null for a regexp route")


def test_find_route_findroute_and_duplicate_detection_follow_off_and_reset():
    check("find-route.test.js", "findRoute and duplicate detection follow off() and reset()")


def test_find_route_everything_else():
    check_rest("find-route.test.js")


def test_has_route_hasroute_returns_true_for_a_regexp_route():
    check("has-route.test.js", "hasRoute returns true for a regexp route")


def test_has_route_hasroute_returns_false_for_a_regexp_route():
    check("has-route.test.js", "hasRoute returns false for a regexp route")


def test_has_route_everything_else():
    check_rest("has-route.test.js")


def test_issue_369_findroute_distinguishes_routes_differing_only_by_an_interior_static_part():
    check("issue-369.test.js", "findRoute distinguishes routes differing only by an interior static part")


def test_issue_369_everything_else():
    check_rest("issue-369.test.js")


def test_methods_deregister_a_route_by_method():
    check("methods.test.js", "deregister a route by method")


def test_methods_everything_else():
    check_rest("methods.test.js")
