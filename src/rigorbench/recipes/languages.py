"""What differs between the languages of recipes: how tests are found, reduced, hidden and run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from . import node_functions, test_functions
from .distributions import module_tree, wheel_tree
from .hidden_node_tests import FILE, functions, hidden_tree
from .model import Dependency, Ecosystem, Recipe
from .relocation import relocated
from .trees import Tree


class Language(Struct, frozen=True):
    """One language.

    Attributes:
        name: as task files have it.
        tools: what its tasks need beside Python.
        keywords: of its tasks.
        names: the tests of a file.
        without: a file without some tests.
        only: a file with some tests.
        is_test_file: whether a path of the tests' directory, relative to it, is that of tests.
        settings: files that are added to the repository.
        installed: the files that a dependency adds to the repository.
        relocated: the hidden tests as they can run elsewhere; the second tree is the repository they come from.
        hidden: the hidden tests as pytest runs them, and each test of the package with its id there.
        issue_test: where the agent's own tests are, in the repository.
        suite: the command that runs all tests.
        run: the command that runs some files.
        build: the command that checks the code.
        coverage: the command that measures which lines the tests run; None: that of Python's tests is known.
    """

    name: str
    tools: list[str]
    keywords: list[str]
    names: Callable[[bytes], list[str]]
    without: Callable[[bytes, Iterable[str]], bytes]
    only: Callable[[bytes, Iterable[str]], bytes]
    is_test_file: Callable[[Recipe, str], bool]
    settings: Callable[[Recipe], Tree]
    installed: Callable[[Dependency], Tree]
    relocated: Callable[[Recipe, Tree, Tree], Tree]
    hidden: Callable[[Recipe, Tree], tuple[Tree, list[tuple[str, str]]]]
    issue_test: Callable[[Recipe], str]
    suite: Callable[[Recipe], str]
    run: str
    build: Callable[[Sequence[str]], str]
    coverage: Callable[[Recipe], str | None]


def language(recipe: Recipe) -> Language:
    return _LANGUAGES[recipe.package.ecosystem]


def known_tests(recipe: Recipe, path: str, content: bytes) -> list[str]:
    """The tests of a file; none of a file that does not parse, or that is none of tests."""
    tools = language(recipe)
    if not tools.is_test_file(recipe, path):
        return []
    try:
        return tools.names(content)
    except test_functions.TestFunctionError:
        return []


# -- Python ----------------------------------------------------------------------------------------------------------


def _is_pytest_file(recipe: Recipe, path: str) -> bool:
    name = path.rsplit("/", 1)[-1]
    return name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py"))


def _pytest_ini(recipe: Recipe) -> Tree:
    """pytest reads this file instead of the package's own settings, which may need plugins."""
    # Dependencies are in the root: the hidden tests import from there and from ``src``, and from nowhere else.
    root = ["."] if recipe.package.dependencies else []
    path = dict.fromkeys([*recipe.tests.path, *root])
    lines = ["[pytest]", f"testpaths = {recipe.tests.directory}", f"pythonpath = {' '.join(path)}"]
    return {"pytest.ini": "\n".join([*lines, *recipe.tests.settings, ""]).encode()}


def _as_it_is(recipe: Recipe, hidden: Tree) -> tuple[Tree, list[tuple[str, str]]]:
    ids = [f"{p}::{n}" for p, c in sorted(hidden.items()) if _is_pytest_file(recipe, p) for n in _python.names(c)]
    return hidden, [(test, test) for test in ids]


_python = Language(
    name="python",
    tools=[],
    keywords=["python"],
    names=test_functions.names,
    without=test_functions.without,
    only=test_functions.only,
    is_test_file=_is_pytest_file,
    settings=_pytest_ini,
    installed=wheel_tree,
    relocated=lambda recipe, hidden, tree: relocated(hidden, recipe.tests.directory, recipe.tests.path, tree),
    hidden=_as_it_is,
    issue_test=lambda recipe: f"{recipe.tests.directory}/test_issue.py",
    suite=lambda recipe: "python -m pytest -q",
    run="python -m pytest -q",
    build=lambda roots: f"python -m compileall -q {' '.join(roots)}",
    coverage=lambda recipe: None,
)


# -- JavaScript ------------------------------------------------------------------------------------------------------


def _is_node_file(recipe: Recipe, path: str) -> bool:
    """As the shell reads the patterns: nothing but a slash of the pattern is one of the path."""
    kinds = {"*": "[^/]*", "?": "[^/]"}
    return any(
        re.fullmatch("".join(kinds.get(c, re.escape(c)) for c in pattern), path) for pattern in recipe.tests.files
    )


def _with_program(recipe: Recipe, hidden: Tree) -> tuple[Tree, list[tuple[str, str]]]:
    files = {p: c for p, c in sorted(hidden.items()) if _is_node_file(recipe, p)}
    titles = {path: known_tests(recipe, path, content) for path, content in files.items()}
    ids = [(f"{file}::{title}", f"{FILE}::{name}") for (file, title), name in functions(titles).items()]
    return hidden_tree(recipe.tests.directory, hidden, titles), ids


def _node_files(recipe: Recipe) -> str:
    return " ".join(f"{recipe.tests.directory}/{pattern}" for pattern in recipe.tests.files)


def _node_build(roots: Sequence[str]) -> str:
    files = f"$(find {' '.join(roots)} -name '*.js' -o -name '*.cjs' -o -name '*.mjs')"
    return f'for file in {files}; do node --check "$file" || exit 1; done'


_LCOV = "--experimental-test-coverage --test-reporter=lcov --test-reporter-destination=lcov.info"
_LANGUAGES: dict[Ecosystem, Language] = {
    "pypi": _python,
    "npm": Language(
        name="javascript",
        tools=["node"],
        keywords=["javascript", "node"],
        names=node_functions.names,
        without=node_functions.without,
        only=node_functions.only,
        is_test_file=_is_node_file,
        settings=lambda recipe: {".gitignore": b"lcov.info\n"},
        installed=module_tree,
        # They run in a copy of the repository.
        relocated=lambda recipe, hidden, tree: hidden,
        hidden=_with_program,
        issue_test=lambda recipe: f"{recipe.tests.directory}/{recipe.tests.files[0].replace('*', 'issue')}",
        suite=lambda recipe: f"node --test {_node_files(recipe)}",
        run="node --test",
        build=_node_build,
        coverage=lambda recipe: f"node --test {_LCOV} {_node_files(recipe)}",
    ),
}
