"""How a project is built and tested: by the commands of its task, else by its files."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from ...evidence.shell.parse import parse
from ...session.task import Task
from .store import Entry, ObjectStore, ObjectStoreError

# Directories of Python files that are not part of the product, or broken on purpose.
_ASIDE = frozenset("tests test testing docs doc examples example scripts tools benchmarks build dist".split())
_DATA = frozenset(
    ("data", "fixtures", "testdata", "test_data", "templates", "samples", "snippets", "vendor", "_vendor")
)
# Options with which pytest would not run every test, or would not report its outcome.
_DROPPED = re.compile(
    r"-x$|--exitfirst$|--maxfail(=.*)?$|--lf$|--ff$|--last-failed$|--sw$|--stepwise$|-n$|-n\d+$|--cov"
)
_TAKES_A_VALUE = frozenset(
    "-k -m -o -p -c -W -r --rootdir --deselect --ignore --ignore-glob --import-mode --tb --confcutdir "
    "--override-ini --config-file --basetemp --timeout --durations --log-level --color --capture".split()
)
_VALUED = frozenset({"-n", "--maxfail", "--cov", "--cov-report", "--cov-config", "--junitxml", "--durations"})


class Project(Struct):
    """How a project is built and tested."""

    build: str | None = None
    """Shell command; None: Python's own checks (compile and import) are used."""
    test: str | None = None
    """Shell command; None: pytest runs the tests."""
    args: list[str] = field(default_factory=list)
    python: bool = True
    test_described: str | None = None
    """The test command for the reader of a report."""
    build_described: str | None = None
    """The build command for the reader of a report."""

    def pytest_command(self) -> str:
        """pytest and its arguments, as they are part of the cache's keys."""
        return f"pytest {' '.join(self.args)}"


def describe(store: ObjectStore, files: Mapping[str, Entry], task: Task | None) -> Project:
    """The project of a tree: by the commands of the task if there are any; Python needs none."""
    build = task.build if task is not None else None
    test = task.test if task is not None else None
    python = any(path.endswith(".py") for path in files)
    project = Project(build, python=python)
    if test is not None:
        args = _pytest_arguments(test)
        if args is None:
            project.test = test
        else:
            project.args = args
    elif not _python_first(files):
        found_build, found_test = _commands(store, files)
        project.build, project.test = build or found_build, found_test
    project.build_described = project.build or ("compile every module and import the packages" if python else None)
    project.test_described = project.test or project.pytest_command().strip()
    if project.test is not None:  # else cargo runs no test of a crate after the first file that fails
        project.test = re.sub(r"\bcargo test\b(?!.*--no-fail-fast)", "cargo test --no-fail-fast", project.test)
    return project


def _pytest_arguments(command: str) -> list[str] | None:
    """The arguments of a plain pytest command without those that hide outcomes; None for any other command."""
    commands = parse(command)
    if len(commands) != 1 or commands[0].program not in ("pytest", "py.test") or commands[0].env:
        return None
    if commands[0].cwd not in (None, ".") or commands[0].redirects:
        return None
    args: list[str] = []
    skip = False
    for word in commands[0].args:
        if skip:
            skip = False
        elif _DROPPED.match(word) or word in _VALUED:
            skip = word in _VALUED and "=" not in word
        elif word not in ("-q", "-v", "-vv", "-s"):
            args.append(word)
    return args


def narrowed(args: list[str], only: Sequence[str]) -> list[str]:
    """pytest's arguments for a run of ``only`` these tests or files: paths in ``args`` are left out."""
    kept: list[str] = []
    for previous, word in zip(["", *args], args, strict=False):
        if word.startswith("-") or previous in _TAKES_A_VALUE:
            kept.append(word)
    return [*kept, *only]


def _python_first(files: Mapping[str, Entry]) -> bool:
    marks = ("pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "pytest.ini", "conftest.py", "requirements.txt")
    if any(m in files for m in marks):
        return True
    others = ("package.json", "Cargo.toml", "go.mod", "Makefile", "CMakeLists.txt", "pom.xml", "build.gradle")
    return not any(o in files for o in others) and any(p.endswith(".py") for p in files)


def _commands(store: ObjectStore, files: Mapping[str, Entry]) -> tuple[str | None, str | None]:
    """Build and test commands of projects in other languages; none of them needs the network."""
    if "package.json" in files:
        scripts = _scripts(store, files["package.json"])
        test = scripts.get("test", "")
        usable = bool(test) and "no test specified" not in test
        return ("npm run --silent build" if "build" in scripts else None), ("npm test --silent" if usable else None)
    if "Cargo.toml" in files:
        return "cargo build --offline --all-targets", "cargo test --offline --no-fail-fast"
    if "go.mod" in files:
        return "go build ./... && go vet ./...", "go test -v ./..."
    if "Makefile" in files:
        text = _text(store, files["Makefile"])
        targets = set(re.findall(r"^([\w-]+)\s*:(?!=)", text, re.MULTILINE))
        target = next((t for t in ("test", "check") if t in targets), None)
        return ("make build" if "build" in targets else "make"), (None if target is None else f"make {target}")
    return None, None


def _scripts(store: ObjectStore, entry: Entry) -> dict[str, str]:
    try:
        document = json.loads(_text(store, entry))
    except ValueError:
        return {}
    scripts = document.get("scripts") if isinstance(document, dict) else None
    return {k: v for k, v in scripts.items() if isinstance(v, str)} if isinstance(scripts, dict) else {}


def _text(store: ObjectStore, entry: Entry) -> str:
    try:
        return store.blob(entry.sha).decode("utf-8", "replace")
    except ObjectStoreError:
        return ""


def packages(files: Mapping[str, Entry]) -> tuple[list[str], list[str]]:
    """The importable packages of a Python tree, and the directories (from its root) that contain them."""
    found: list[str] = []
    roots: list[str] = []
    for path in files:
        parts = path.split("/")
        if parts[-1] != "__init__.py":
            continue
        for root in ("src", "lib", "python", ""):
            depth = 1 if root else 0
            if len(parts) == depth + 2 and (not root or parts[0] == root) and parts[depth].isidentifier():
                if parts[depth] not in _ASIDE and not parts[depth].startswith("test"):
                    found.append(parts[depth])
                    roots.append(root)
                break
    return list(dict.fromkeys(found)), list(dict.fromkeys(roots))


def compiled(files: Mapping[str, Entry]) -> list[str]:
    """The Python files that must compile: all but data files."""
    return [
        p
        for p, entry in files.items()
        if p.endswith(".py")
        and entry.mode in ("100644", "100755")
        and _DATA.isdisjoint(p.split("/")[:-1])
        and "{{" not in p
    ]
