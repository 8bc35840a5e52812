"""Paths: the role of a file in a project, and its path from the project's root."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache
from itertools import pairwise

from ..base.code.grammars import is_source
from ..base.patterns import lazy
from .events import FileRole

_DOCUMENT_SUFFIXES = frozenset(
    ".md .mdx .mdc .markdown .rst .adoc .asciidoc .txt .org .tex .pdf .docx .html.md .rtf .textile .pod .ipynb.md .1 "
    ".man".split()
)
_CONFIG_SUFFIXES = frozenset(
    ".toml .yaml .yml .json .jsonc .json5 .ini .cfg .conf .config .properties .lock .env .xml .plist .csproj .fsproj "
    ".vbproj .sln .props .targets .gradle .cmake .mk .bazel .bzl .nix .tf .tfvars .hcl .editorconfig .gitignore "
    ".gitattributes .dockerignore .npmrc .nvmrc .eslintrc .prettierrc .babelrc .flake8 .pylintrc .coveragerc .gemspec "
    ".podspec .cabal .opam .spec.in .in .am .ac .pc .service .desktop .rc .sum .mod .work .pbxproj .xcconfig "
    ".entitlements .resx .iml .log .csv .tsv .svg .png .jpg .jpeg .gif .ico .webp .woff .woff2 .ttf .zip .gz .tar "
    ".patch .diff .db .sqlite .pem .crt .key .map .snap .dockerfile .containerfile .lockb .pkl .parquet .npy .bin "
    ".dat".split()
)
_CONFIG_NAMES = frozenset(
    "dockerfile containerfile makefile gnumakefile justfile taskfile rakefile gemfile podfile fastfile appfile "
    "brewfile procfile vagrantfile jenkinsfile cmakelists.txt requirements.txt constraints.txt manifest.in setup.cfg "
    "setup.py pipfile codeowners go.mod go.sum build.gradle settings.gradle gradlew mvnw pom.xml package.json tox.ini "
    "noxfile.py tiltfile robots.txt meson.build wscript sconstruct build workspace dune dune-project mix.exs "
    "rebar.config project.clj deps.edn build.sbt mix.lock bunfig.toml deno.json next.config.js package.swift build.rs "
    "gruntfile.js gulpfile.js version".split()
)
_DOCUMENT_NAMES = frozenset(
    "readme license licence changelog changes history news contributing authors copying notice todo maintainers "
    "security code_of_conduct install upgrading releases release_notes contributors roadmap plan notes credits "
    "thanks".split()
)
_TEST_SUFFIXES = frozenset((".t", ".bats", ".feature", ".robot", ".snap", ".tap"))
_TEST_PARTS = frozenset(
    "test tests spec specs __tests__ __test__ testing e2e cypress fixtures fixture testdata test_data __mocks__ "
    "__snapshots__ unittests unit_tests integration_tests functional_tests acceptance_tests androidtest testfixtures "
    "test-data testsuite integration-tests e2e-tests test-utils testutils test_utils conformance regress "
    "selftests".split()
)
# Files there are documents whatever their suffix, except sources.
_DOCUMENT_PARTS = frozenset(("docs", "doc", "documentation"))
_CONFIG_PARTS = frozenset(
    (".github", ".circleci", ".gitlab", ".vscode", ".idea", ".husky", ".devcontainer", ".buildkite")
)
# config.ts, vite.config.js and friends.
_CONFIG_STEM = lazy(r"(?:^|[.\-_])(?:config|rc)$|^\.")
_TEST_STEM = lazy(
    r"^tests?$|^(?:test|tests)[_\-]|[_\-.](?:test|tests|spec|specs|e2e|cy|unittest|unittests|bench_test)$|^conftest$|^(?:run|all)_?tests?$"
)
# CamelCase languages: FooTest.java, FooTests.cs, TestFoo.java, FooSpec.scala, FooIT.java.
_TEST_CAMEL = lazy(r"(?:[a-z0-9])(?:Tests?|TestCase|TestSuite|Specs?|IT|ITCase)$|^Tests?[A-Z]")
_CAMEL_SUFFIXES = frozenset(".java .kt .kts .scala .groovy .cs .fs .vb .swift .php .m .mm .cpp .cc .hs .dart".split())
_TEST_CONTENT = {
    ".py": lazy(
        r"^\s*(?:async\s+)?def test_\w|^class \w+\([^)\n]*\bTestCase\b|^from unittest import .*\bTestCase\b",
        re.MULTILINE,
    ),
    ".js": lazy(
        r"^\s*(?:describe|it|test)(?:\.\w+)?\(\s*['\"`]|require\(['\"]node:test['\"]\)"
        r"|from ['\"](?:node:test|vitest|@jest/globals)['\"]",
        re.MULTILINE,
    ),
    ".go": lazy(r"^func Test[A-Z]\w*\(\w+ \*testing\.T\)", re.MULTILINE),
    ".java": lazy(r"^\s*@(?:Test|ParameterizedTest)\b", re.MULTILINE),
    ".rb": lazy(r"\bRSpec\.describe\b|< Minitest::Test\b|< ActiveSupport::TestCase\b"),
    ".cpp": lazy(r"^\s*(?:TEST|TEST_F|TEST_P|TEST_CASE)\s*\(", re.MULTILINE),
    ".cs": lazy(r"^\s*\[(?:Fact|Theory|Test|TestMethod|TestFixture)\b", re.MULTILINE),
}  # fmt: skip
_CONTENT_ALIASES = {
    ".jsx": ".js", ".ts": ".js", ".tsx": ".js", ".mjs": ".js", ".cjs": ".js", ".mts": ".js", ".kt": ".java",
    ".groovy": ".java", ".scala": ".java", ".cc": ".cpp", ".cxx": ".cpp", ".c": ".cpp", ".pyi": ".py",
}  # fmt: skip
_PLAN_NAME = lazy(
    r"(?:^|[_\-. ])(?:plan|plans|todo|todos|tasks?|roadmap|checklist|implementation[_\- ]plan|task[_\- ]list"
    r"|next[_\- ]steps)(?:[_\-. ]|$)",
    re.IGNORECASE,
)
_PLAN_DIRECTORIES = frozenset(("plans", "plan", ".plans", "planning", "tasks", "todos", "task-lists"))
_TEXT_SUFFIXES = frozenset((".md", ".mdx", ".markdown", ".txt", ".rst", ".org", ".adoc", ""))


def role(path: str, content: str | None = None) -> FileRole:
    """Whether a file is production code, a test, a document or configuration, by the conventions of its language.

    Fixtures and test helpers are tests. A source file with an ordinary name is a test if its ``content`` (where known)
    is one; code with tests beside it in the same file (Rust) is production code. The path is not checked to be inside
    the project.
    """
    found = _role(path)
    if found == "production" and content:
        suffix = _split(path.rsplit("/", 1)[-1].lower())[1]
        pattern = _TEST_CONTENT.get(_CONTENT_ALIASES.get(suffix, suffix))
        if pattern is not None and pattern.search(content[:100_000]) is not None:
            return "test"
    return found


@lru_cache(8192)
def _role(path: str) -> FileRole:
    parts = path.replace("\\", "/").split("/")
    name = parts[-1]
    lower = name.lower()
    directories = [p.lower() for p in parts[:-1]]
    stem, suffix = _split(lower)
    if not name or name in (".", ".."):
        return "config"
    if any(d in _CONFIG_PARTS for d in directories):
        return "document" if suffix in (".md", ".rst") else "config"
    in_tests = any(d in _TEST_PARTS or d.endswith((".tests", ".test", "-tests", "_tests")) for d in directories)
    in_docs = any(d in _DOCUMENT_PARTS for d in directories)
    # A program in any language: the conventions for the names of tests are much the same in all.
    code = bool(suffix) and suffix not in _CONFIG_SUFFIXES and (lower[0] != "." or is_source(path))
    if lower in _CONFIG_NAMES and not (in_tests and code):
        return "config"
    plain_stem = stem.split(".")[0].replace("-", "_")
    if lower.startswith("requirements") and suffix in (".txt", ".in"):
        return "config"
    if suffix in _DOCUMENT_SUFFIXES or (not suffix and plain_stem in _DOCUMENT_NAMES):
        # Text that tests read is part of the tests; a README beside it is still a document.
        fixture = any(d in ("fixtures", "testdata", "test_data", "test-data", "__snapshots__") for d in directories)
        return "test" if in_tests and fixture and suffix == ".txt" else "document"
    if lower.startswith(("dockerfile.", "makefile.")):
        return "config"
    if code and suffix not in _TEST_SUFFIXES:
        if _TEST_STEM.search(stem) or (suffix in _CAMEL_SUFFIXES and _TEST_CAMEL.search(_split(name)[0])):
            return "test"
        if in_tests and not any(a == "src" and b == "main" for a, b in pairwise(directories)):
            return "test"
        configures = _CONFIG_STEM.search(stem) and stem != "config"
        if configures and suffix in (".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".py"):
            return "config"
        is_site = in_docs and (not is_source(path) or (len(directories) == 1 and suffix == ".js"))
        return "document" if is_site else "production"
    if in_tests or suffix in _TEST_SUFFIXES:
        return "test"
    if suffix in _CONFIG_SUFFIXES or lower.startswith("."):
        return "config"
    if in_docs:
        return "document"
    if not suffix and lower in _TEST_PARTS:
        return "test"  # the directory itself, as in `rm -r tests`
    return "production"


def _split(name: str) -> tuple[str, str]:
    stem, dot, suffix = name.rpartition(".")
    return (stem, dot + suffix) if stem else (name, "")


_DRIVE = lazy(r"^(?:[A-Za-z]:[\\/]|\\\\)")
_WSL_DRIVE = lazy(r"^/(?:mnt/)?([a-zA-Z])(?=/|$)")


@lru_cache(8192)
def relative(path: str, root: str | None, worktrees: tuple[str, ...] = ()) -> str:
    """``path`` in POSIX form and normalised; relative to ``root``, or to a work tree of the project, when it is inside.

    Windows paths compare without case and with either slash; ``file://`` is dropped; ``~`` stays as written unless the
    root shows the home directory.
    """
    for tree in worktrees:
        inside = relative(path if is_rooted(path) else posixpath.join(root or "", path), tree)
        if not is_absolute_outside(inside, tree):
            return inside
    path = _posix(path)
    if not root or not path:
        return path
    base = _posix(root)
    if path.startswith("~/"):
        home = _HOME.match(base)
        if home is None:
            return path
        path = home[0].rstrip("/") + path[1:]
    windows = base[1:2] == ":"
    if windows and path[1:2] != ":" and path.startswith("/"):
        # /c/work in a Git shell, /mnt/c/work in WSL
        path = _WSL_DRIVE.sub(lambda m: f"{m[1].upper()}:", path)
    left, right = (path.lower(), base.lower()) if windows else (path, base)
    if left == right:
        return "."
    prefix = right if right.endswith("/") else right + "/"
    return path[len(prefix) :] if left.startswith(prefix) else path


def is_rooted(path: str) -> bool:
    """Whether a path is not to be seen from a working directory."""
    return path.startswith(("/", "~", "\\\\", "file://")) or _DRIVE.match(path) is not None


_HOME = lazy(r"^(?:/home/[^/]+|/Users/[^/]+|/root|[A-Za-z]:/Users/[^/]+)(?=/|$)")


def _posix(path: str) -> str:
    name = path.rpartition("/")[2]
    if not name or name.strip():  # a file may be called " "
        path = path.strip()
    if path.startswith("file://"):
        path = path[7:]
    if _DRIVE.match(path) or ("\\" in path and "/" not in path):
        path = path.replace("\\", "/")
    if not path:
        return path
    drive = path[1:2] == ":"
    # macOS has two names for its temporary directories.
    if path.startswith(("/private/tmp", "/private/var")):
        path = path[len("/private") :]
    normal = posixpath.normpath(path)
    if normal.startswith("//"):
        normal = normal[1:] if not path.startswith("\\\\") else normal
    return normal[0].upper() + normal[1:] if drive else normal


def is_absolute_outside(path: str, root: str | None) -> bool:
    """Whether a path as :func:`relative` gives it is outside the project.

    Without a root only the usual scratch directories and home directories are known to be outside.
    """
    if path.startswith(("../", "~")) or path == "..":
        return True
    if root:
        return path.startswith("/") or path[1:2] == ":"
    return path.startswith(("/tmp/", "/var/tmp/", "/dev/", "/proc/", "/etc/"))


def is_plan_document(path: str) -> bool:
    """Whether a file contains a plan or a task list by its name or directory (PLAN.md, docs/plans/x.md, TODO.md)."""
    parts = path.replace("\\", "/").split("/")
    stem, suffix = _split(parts[-1])
    if suffix.lower() not in _TEXT_SUFFIXES or not parts[-1]:
        return False
    if _PLAN_NAME.search(stem):
        return suffix != "" or stem.isupper()
    if suffix.lower() not in (".md", ".mdx", ".markdown"):
        return False
    directories = [p.lower() for p in parts[:-1]]
    if any(d in _PLAN_DIRECTORIES for d in directories):
        return True
    in_specs = any(d in ("specs", ".specify", ".kiro", ".spec-workflow", "openspec", "rfcs") for d in directories)
    return in_specs and stem.lower() in ("design", "requirements", "spec", "proposal", "research")
