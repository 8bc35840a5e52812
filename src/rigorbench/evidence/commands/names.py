"""The purpose of a script, target or file by its name. The words are in ``names.toml``."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ...base.patterns import lazy
from ..tables import load

if TYPE_CHECKING:
    from .programs import Kind

_WORDS = lazy(r"[A-Z]?[a-z]+[0-9]*[a-z]*|[A-Z]+(?![a-z])|[0-9]+")
_SCRIPT_TEST = lazy(r"(?:run|unit|all|self)?tests?(?:suite|runner|all|s)?\d*$|specs?$|e2e$|unittests?$")


@cache
def _tables() -> dict[str, dict[str, frozenset[str]]]:
    """The word lists by section and key."""
    return {
        section: {key: frozenset(words.split()) for key, words in lists.items()}
        for section, lists in load(__file__, "names.toml").items()
    }


def words_of(name: str) -> list[str]:
    """The words of an identifier in any writing, in lower case: ``testDebugUnit_e2e`` -> test, debug, unit, e2e."""
    return [w.lower() for w in _WORDS.findall(name)]


def kind_of_name(name: str, *, check_is_test: bool = False) -> Kind | None:
    """What a script or target called ``name`` does; None if its words do not show it.

    ``check_is_test``: "check" runs tests (make, Gradle) rather than linters (scripts of package.json).
    """
    words = words_of(name)
    kinds = _tables()["kinds"]
    if not kinds["lint"].isdisjoint(words):
        return "lint"  # test:types: what is tested is the form
    if not kinds["format"].isdisjoint(words):
        rewrites = {"fix", "write"} & set(words) or (kinds["test"] | kinds["check"] | {"diff", "dry"}).isdisjoint(words)
        return "run" if rewrites else "lint"
    later: Kind | None = None
    check = False
    for word in words:
        if word in kinds["test"]:
            return "test"
        if word in kinds["check"]:
            check = True
        elif word in kinds["build"]:
            return later or "build"
        elif word in kinds["install"]:
            later = later or "install"
        elif word in kinds["service"]:
            later = later or "service"
    if check:
        return "test" if check_is_test or words[-1] in ("verify", "ci") else "lint"
    return later


def is_test_script(path: str) -> bool:
    """Whether running this file is running tests, by its name (``run_tests.sh``, ``x.test.js``) or its directory."""
    files = _tables()["files"]
    name = path.replace("\\", "/").rsplit("/", 1)[-1]
    stem, _, extension = name.partition(".")
    words = words_of(stem) + words_of(extension.rpartition(".")[0])
    if any(_SCRIPT_TEST.match(w) for w in words):
        return words[0] not in files["work_on_tests"] and words[-1] not in ("data", "fixtures")
    if extension == "t":
        return True
    return in_test_directory(path) and files["helpers"].isdisjoint(words)


def in_test_directory(path: str) -> bool:
    """Whether a file is in a directory for tests, by the directory's name."""
    *directories, _ = path.replace("\\", "/").split("/")
    return any(d.lower() in _tables()["files"]["test_directories"] for d in directories)


def has_subcommands(path: str) -> bool:
    """Whether a program with "test" in its name may have other jobs: test-harness.sh, but not run-unit-tests.

    Then a bare word after it is what it does, and no selection of tests.
    """
    stem, _, extension = path.rsplit("/", 1)[-1].partition(".")
    known = _tables()["kinds"]["test"] | {"run", "all", "suite", "runner"}
    return extension in ("", "sh", "bash", "zsh") and not known.issuperset(words_of(stem))


def is_gradle_test(words: list[str]) -> bool:
    """Whether a Gradle task runs tests, by its words: check, verify, test, testDebugUnitTest, integrationTest."""
    if words in (["check"], ["verify"]):
        return True
    around = _tables()["gradle"]
    if not words or words[0] in around["before"] or words[-1] in around["after"]:
        return False
    return words[-1] in ("test", "tests", "spec", "specs", "e2e") or words[0] in ("test", "tests")
