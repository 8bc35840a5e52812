"""Which test files a change can reach. The others keep the outcome that they had on a similar tree.

A change reaches a test file through the names in the file and in its imports: import statements at any depth, string
literals that are the dotted name or path of a module, the ``conftest.py`` above it and the ``__init__.py`` of every
package. A file that finds modules by other means (``importlib``, ``pkgutil``, a walk through directories, another
Python) may reach all of them. This covers changes of existing Python files, of test files, and of documents that no
code names. After any other change, and where pytest's configuration makes a test depend on the one before, all tests
run.
"""

from __future__ import annotations

import posixpath
import re
import threading
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from ...evidence.replayed import TestRun
from .compare import split
from .store import Change, Entry, ObjectStore, ObjectStoreError

# Among so many trees tested last the closest one is chosen.
_LOOKED_AT = 12
# Above this share of the test files, all tests run.
_MOST = 0.6
_DOCUMENTS = (".md", ".rst", ".adoc")
_CONFIGURATION = ("pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
# Options with which a test depends on the others in its outcome, or in whether it runs.
_ORDERED = re.compile(r"(?<![\w-])-x\b|exitfirst|maxfail|doctest|stepwise|python_files|(?<![\w-])--(?:lf|ff|nf)\b")

_IMPORT = re.compile(
    r"^[ \t]*(?:>>> )?(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#;]+)|import[ \t]+([^\n#;]+))",
    re.MULTILINE,
)
_NAMED = re.compile(r"""["']((?:[A-Za-z_][\w-]*[./])+[A-Za-z_]\w*)[:"']""")
_WORD = re.compile(r"[A-Za-z_]\w*")
_BY_OTHER_MEANS = re.compile(
    r"\b(?:import_module|__import__|pkgutil|iter_modules|walk_packages|runpy|entry_points|spec_from_file_location)\b"
    r"|\bsys\.executable\b|\bsys\.modules\b|\bexec\("
)
# In tests, also everything that finds files by pattern or starts programs.
_TESTS_BY_OTHER_MEANS = re.compile(
    r"\b(?:subprocess|popen|Popen|glob|rglob|iterdir|listdir|scandir|pytester|testdir|multiprocessing|getsource)\b"
    r"|\bos\.(?:walk|system|exec|spawn)|\beval\("
)
_TEST_FILE = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_test)\.py$")


class _Mentions(Struct):
    """What a Python file names: (level, module) of imports and of dotted names in strings, and documents."""

    modules: dict[tuple[int, str], None]
    by_other_means: bool
    by_other_means_in_tests: bool
    documents: frozenset[str]


class SelectedTests(Struct):
    """Run ``files`` only; ``kept`` are the outcomes that the other tests had on the tree before."""

    files: list[str]
    kept: TestRun


class Impact:
    """Finished runs of a session, and which of their outcomes are still valid for the next tree."""

    def __init__(self, store: ObjectStore) -> None:
        self.store = store
        self._finished: dict[str, tuple[dict[str, Entry], TestRun]] = {}
        self._mentions: dict[str, _Mentions] = {}
        self._lock = threading.Lock()

    def finished(self, tree: str, files: dict[str, Entry], run: TestRun) -> None:
        """Record a run of all tests of a tree, if it is complete."""
        if run.problem is None and not run.broken and run.exit_status in (0, 1) and run.outcomes:
            with self._lock:
                self._finished[tree] = (files, run)

    def select(self, files: dict[str, Entry]) -> SelectedTests | None:
        """The tests that must run on a tree with these files; None: all tests."""
        with self._lock:
            configuration = (entry for name in _CONFIGURATION if (entry := files.get(name)) is not None)
            if any(_ORDERED.search(self._text(entry.sha)) for entry in configuration):
                return None
            best: tuple[int, str, dict[str, tuple[Change, Change]]] | None = None
            for tree in list(self._finished)[-_LOOKED_AT:] + list(self._finished)[:1]:
                old = self._finished[tree][0]
                changed = {path: (old.get(path), files.get(path)) for path, _ in old.items() ^ files.items()}
                if best is None or len(changed) < best[0]:
                    best = len(changed), tree, changed
            return None if best is None else self._selection(best[1], best[2], files)

    def _selection(
        self, base: str, changed: Mapping[str, tuple[Change, Change]], files: dict[str, Entry]
    ) -> SelectedTests | None:
        before, run = self._finished[base]
        tested = dict.fromkeys(split(test)[0] for test in run.outcomes)
        places = {posixpath.dirname(path) for path in tested}
        relevant: set[str] = set()
        for path, (old, new) in changed.items():
            if path.endswith(_DOCUMENTS) and not self._is_named(path, files):
                continue
            own_tests = _TEST_FILE.search(path) and posixpath.dirname(path) in places
            if (
                not path.endswith(".py")
                or _is_link(old)
                or _is_link(new)
                or ((old is None or new is None) and not own_tests)
            ):
                return None
            if posixpath.basename(path) in ("conftest.py", "sitecustomize.py", "usercustomize.py"):
                return None
            relevant.add(path)
        if not relevant:
            return SelectedTests([], _part(run, set(tested)))
        reached = self._reached(relevant, {**before, **files}, tested)
        if reached is None:
            return None
        added = {p for p in relevant if p in files and p not in before}
        run_files = sorted((reached & set(tested) | added | (relevant & set(tested))) & set(files))
        if len(run_files) > _MOST * max(1, len(tested)):
            return None
        kept = {path for path in tested if path in files and path not in run_files}
        return SelectedTests(run_files, _part(run, kept))

    def _reached(self, changed: set[str], files: Mapping[str, Entry], tested: Mapping[str, None]) -> set[str] | None:
        """The Python files from which a changed file, or one that may reach any, is reached; None: unreadable."""
        modules = {p: e for p, e in files.items() if p.endswith(".py") and not _is_link(e)}
        known = _Names(modules)
        users: dict[str, list[str]] = {}
        start = set(changed)
        try:
            for path, entry in modules.items():
                mentions = self._read(entry.sha)
                if mentions.by_other_means or (
                    mentions.by_other_means_in_tests and (path in tested or path.endswith("conftest.py"))
                ):
                    start.add(path)
                for used in known.used_by(path, mentions):
                    users.setdefault(used, []).append(path)
        except ObjectStoreError:
            return None
        waiting = list(start)
        while waiting:
            for user in users.get(waiting.pop(), ()):
                if user not in start:
                    start.add(user)
                    waiting.append(user)
        return start

    def _is_named(self, path: str, files: Mapping[str, Entry]) -> bool:
        """Whether code names a document, or documents of its kind."""
        name = posixpath.basename(path).partition(".")[0]
        suffix = "." + path.rpartition(".")[2]
        for other, entry in files.items():
            if other.endswith(".py") and not _is_link(entry):
                documents = self._read(entry.sha).documents
                if suffix in documents or name in documents:
                    return True
        return False

    def _read(self, sha: str) -> _Mentions:
        found = self._mentions.get(sha)
        if found is None:
            found = self._mentions[sha] = _mentions(self._text(sha))
        return found

    def _text(self, sha: str) -> str:
        return self.store.blob(sha).decode("utf-8", "replace")


def merge(selection: SelectedTests, run: TestRun) -> TestRun | None:
    """The outcomes of all tests of a tree; None when this needs a run of all tests."""
    if run.problem is not None or run.exit_status not in (0, 1, 5) or not set(run.broken) <= set(selection.files):
        return None
    outcomes = {**selection.kept.outcomes, **run.outcomes}
    failed = bool(run.broken) or any(outcome in ("failed", "error") for outcome in outcomes.values())
    return TestRun(outcomes, run.broken, exit_status=int(failed), seconds=run.seconds)


def _part(run: TestRun, files: set[str]) -> TestRun:
    return TestRun({t: o for t, o in run.outcomes.items() if split(t)[0] in files})


def _is_link(entry: Change) -> bool:
    return entry is not None and entry.mode not in ("100644", "100755")


def _mentions(text: str) -> _Mentions:
    imports: list[tuple[int, str]] = []
    for dots, module, names, plain in _IMPORT.findall(text):
        if plain:
            imports += [(0, part.split()[0]) for part in plain.split(",") if part.split()]
            continue
        level = len(dots)
        imports.append((level, module))
        for name in _WORD.findall(names):
            imports.append((level, f"{module}.{name}" if module else name))
    imports += [(0, name.removesuffix(".py").replace("/", ".")) for name in _NAMED.findall(text)]
    documents = {suffix for suffix in _DOCUMENTS if suffix in text}
    documents |= {word for word in ("README", "CHANGELOG", "CHANGES", "NOTES", "LICENSE", "HISTORY") if word in text}
    return _Mentions(
        dict.fromkeys(imports),
        _BY_OTHER_MEANS.search(text) is not None,
        _TESTS_BY_OTHER_MEANS.search(text) is not None,
        frozenset(documents),
    )


class _Names:
    """From names of modules to the files that they may mean, wherever the import path starts."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths = set(paths)
        self.ending: dict[str, list[str]] = {}
        for path in self.paths:
            dotted = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            while dotted:
                self.ending.setdefault(dotted, []).append(path)
                dotted = dotted.partition(".")[2]

    def used_by(self, path: str, mentions: _Mentions) -> set[str]:
        used: set[str] = set()
        for level, module in mentions.modules:
            used.update(self._relative(path, level, module) if level else self._absolute(path, module))
        directory = posixpath.dirname(path)
        while True:
            prefix = directory + "/" if directory else ""
            used.update(p for p in (prefix + "__init__.py", prefix + "conftest.py") if p in self.paths)
            if not directory:
                break
            directory = posixpath.dirname(directory)
        used.discard(path)
        return used

    def _relative(self, path: str, level: int, module: str) -> Iterator[str]:
        base = posixpath.dirname(path)
        for _ in range(level - 1):
            base = posixpath.dirname(base)
        inside = posixpath.join(base, module.replace(".", "/")) if module else base
        yield from (p for p in (inside + ".py", posixpath.join(inside, "__init__.py")) if p in self.paths)
        # The last part of the name may be a name inside a module.
        above = posixpath.dirname(inside)
        yield from (p for p in (above + ".py", posixpath.join(above, "__init__.py")) if p in self.paths)

    def _absolute(self, path: str, module: str) -> Iterator[str]:
        """The module and the packages above it (all of them are executed)."""
        while module:
            found = self.ending.get(module)
            if found is not None:
                yield from found if len(found) == 1 else self._closest(path, module, found)
            module = module.rpartition(".")[0]

    @staticmethod
    def _closest(path: str, module: str, found: list[str]) -> list[str]:
        """Of several files with one name, those that an import from ``path`` can mean; all if none is near."""
        inside = module.replace(".", "/")
        roots = {"", "src/", "lib/", "python/"}
        directory = posixpath.dirname(path)
        while directory:
            roots.add(directory + "/")
            directory = posixpath.dirname(directory)
        near = {root + inside + end for root in roots for end in (".py", "/__init__.py")}
        return [p for p in found if p in near] or found
