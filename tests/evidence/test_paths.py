"""Roles of files by path and content, and paths from the root."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import rows
from rigorbench.evidence.paths import is_absolute_outside, is_plan_document, relative, role


@pytest.mark.parametrize(
    ("path", "expected"),
    rows({
        "production": ["src/pkg/a.py", "latest.py", "contest/views.py", "reproduce_issue.py", "app/models/user.rb",
             "src/main/java/org/x/test/Support.java", "src/Attest.java", "lib/index.ts", "lib/config.py",
             "Sources/App/App.swift", "docs/conf.py", "scripts/build.sh", "bin/run"],
        "test": ["test_a.py", "pkg/test_a.py", "pkg/a_test.py", "pkg/tests/helpers.py", "conftest.py", "pkg/a_test.go",
             "src/a.spec.ts", "src/a.test.tsx", "src/__tests__/a.js", "cypress/e2e/login.cy.ts",
             "spec/models/user_spec.rb", "src/test/java/org/x/FooTest.java", "app/FooTest.java",
             "Foo.Tests/BarTests.cs", "Tests/AppTests/AppTests.swift", "tests/FooTest.php", "crates/x/tests/it.rs",
             "t/basic.t", "test/x.bats", "tests/fixtures/data.json", "testdata/input.txt", "features/login.feature",
             "tests/testthat/test-a.R", r"src\pkg\test_a.py"],
        "document": ["README.md", "docs/guide.md", "docs/index.rst", "LICENSE", "CHANGELOG", "NOTES.txt",
             "tests/README.md"],
        "config": ["pyproject.toml", "package.json", "package-lock.json", "Cargo.lock", "go.mod", "setup.cfg",
             "requirements.txt", "requirements-dev.txt", "Dockerfile", "docker/Dockerfile.dev", "Makefile",
             "CMakeLists.txt", ".github/workflows/ci.yml", ".gitignore", "vite.config.ts", ".eslintrc.js",
             "api/.env.example", "tsconfig.json", "build.gradle", "."],
    }),
)  # fmt: skip
def test_roles(path: str, expected: str) -> None:
    assert role(path) == expected


def test_content_can_tell_a_test() -> None:
    assert role("check_it.py", "def test_x():\n    assert 1\n") == "test"
    assert role("check_it.py", "from unittest import TestCase\nclass A(TestCase): ...\n") == "test"
    assert role("check_it.py", "def check():\n    pass\n") == "production"
    assert role("a.js", "describe('x', () => {})") == "test"
    assert role("src/lib.rs", "fn f() {}\n#[cfg(test)]\nmod tests {\n  #[test]\n  fn t() {}\n}\n") == "production"
    assert role("README.md", "def test_x(): ...") == "document"


@pytest.mark.parametrize(
    ("path", "root", "expected"),
    [
        ("/work/repo/src/a.py", "/work/repo", "src/a.py"),
        ("/work/repo/src/../b.py", "/work/repo/", "b.py"),
        ("./src/a.py", "/work/repo", "src/a.py"),
        ("src//a.py", None, "src/a.py"),
        ("/work/repository/a.py", "/work/repo", "/work/repository/a.py"),
        ("/work/repo", "/work/repo", "."),
        ("../x/a.py", "/work/repo", "../x/a.py"),
        ("/tmp/x.py", "/work/repo", "/tmp/x.py"),
        (r"C:\work\repo\src\a.py", r"C:\work\repo", "src/a.py"),
        ("c:/Work/Repo/src/a.py", r"C:\work\repo", "src/a.py"),
        ("/c/work/repo/a.py", r"C:\work\repo", "a.py"),
        ("/mnt/c/work/repo/a.py", "C:/work/repo", "a.py"),
        (r"src\a.py", r"C:\work\repo", "src/a.py"),
        ("~/repo/a.py", "/home/me/repo", "a.py"),
        ("~/repo/a.py", "/srv/repo", "~/repo/a.py"),
        ("file:///work/repo/a.py", "/work/repo", "a.py"),
        ("/private/tmp/x/a.py", "/tmp/x", "a.py"),
        ("/a", "/", "a"),
        ("", "/work/repo", ""),
        (" src/a.py ", "/work/repo", "src/a.py"),
        (" ", "/work/repo", " "),
        ("/work/repo/docs/  ", "/work/repo", "docs/  "),
        ("/work/repo/\t", "/work/repo", "\t"),
        ("docs/", "/work/repo", "docs"),
    ],
)
def test_relative(path: str, root: str | None, expected: str) -> None:
    assert relative(path, root) == expected


def test_outside_the_root() -> None:
    assert is_absolute_outside("/tmp/x.py", "/work/repo")
    assert is_absolute_outside("../x.py", "/work/repo")
    assert is_absolute_outside("~/x.py", None)
    assert is_absolute_outside("/tmp/x.py", None)
    assert not is_absolute_outside("/work/x.py", None)
    assert not is_absolute_outside("src/x.py", "/work/repo")


@pytest.mark.parametrize(
    ("path", "expected"),
    rows({
        True: ["PLAN.md", "docs/implementation-plan.md", "TODO.md", "TODO", "docs/plans/2026-01-login.md",
             ".claude/plans/x.md", "specs/001-login/tasks.md", ".kiro/specs/login/design.md", "ROADMAP.md"],
        False: ["docs/explanation.md", "src/plan.py", "plan/main.go", "todo.json", "planet.md", "README.md"],
    }),
)  # fmt: skip
def test_plan_documents(path: str, expected: bool) -> None:
    assert is_plan_document(path) is expected


@given(st.text(max_size=40), st.one_of(st.none(), st.text(max_size=20)))
def test_any_text_has_a_role_and_a_normal_form(path: str, root: str | None) -> None:
    assert role(path) in ("production", "test", "document", "config")
    is_plan_document(path)
    once = relative(path, root)
    assert relative(once, None) == once
