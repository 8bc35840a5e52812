"""Roles of files by path and content, and paths from the root."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigorbench.evidence.paths import is_absolute_outside, is_plan_document, relative, role


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/pkg/a.py", "production"),
        ("latest.py", "production"),
        ("contest/views.py", "production"),
        ("reproduce_issue.py", "production"),
        ("app/models/user.rb", "production"),
        ("src/main/java/org/x/test/Support.java", "production"),
        ("src/Attest.java", "production"),
        ("lib/index.ts", "production"),
        ("lib/config.py", "production"),
        ("Sources/App/App.swift", "production"),
        ("docs/conf.py", "production"),
        ("scripts/build.sh", "production"),
        ("bin/run", "production"),
        ("test_a.py", "test"),
        ("pkg/test_a.py", "test"),
        ("pkg/a_test.py", "test"),
        ("pkg/tests/helpers.py", "test"),
        ("conftest.py", "test"),
        ("pkg/a_test.go", "test"),
        ("src/a.spec.ts", "test"),
        ("src/a.test.tsx", "test"),
        ("src/__tests__/a.js", "test"),
        ("cypress/e2e/login.cy.ts", "test"),
        ("spec/models/user_spec.rb", "test"),
        ("src/test/java/org/x/FooTest.java", "test"),
        ("app/FooTest.java", "test"),
        ("Foo.Tests/BarTests.cs", "test"),
        ("Tests/AppTests/AppTests.swift", "test"),
        ("tests/FooTest.php", "test"),
        ("crates/x/tests/it.rs", "test"),
        ("t/basic.t", "test"),
        ("test/x.bats", "test"),
        ("tests/fixtures/data.json", "test"),
        ("testdata/input.txt", "test"),
        ("features/login.feature", "test"),
        ("tests/testthat/test-a.R", "test"),
        ("README.md", "document"),
        ("docs/guide.md", "document"),
        ("docs/index.rst", "document"),
        ("LICENSE", "document"),
        ("CHANGELOG", "document"),
        ("NOTES.txt", "document"),
        ("tests/README.md", "document"),
        ("pyproject.toml", "config"),
        ("package.json", "config"),
        ("package-lock.json", "config"),
        ("Cargo.lock", "config"),
        ("go.mod", "config"),
        ("setup.cfg", "config"),
        ("requirements.txt", "config"),
        ("requirements-dev.txt", "config"),
        ("Dockerfile", "config"),
        ("docker/Dockerfile.dev", "config"),
        ("Makefile", "config"),
        ("CMakeLists.txt", "config"),
        (".github/workflows/ci.yml", "config"),
        (".gitignore", "config"),
        ("vite.config.ts", "config"),
        (".eslintrc.js", "config"),
        ("tsconfig.json", "config"),
        ("build.gradle", "config"),
        (r"src\pkg\test_a.py", "test"),
        (".", "config"),
    ],
)
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
    [
        ("PLAN.md", True),
        ("docs/implementation-plan.md", True),
        ("TODO.md", True),
        ("TODO", True),
        ("docs/plans/2026-01-login.md", True),
        (".claude/plans/x.md", True),
        ("specs/001-login/tasks.md", True),
        (".kiro/specs/login/design.md", True),
        ("ROADMAP.md", True),
        ("docs/explanation.md", False),
        ("src/plan.py", False),
        ("plan/main.go", False),
        ("todo.json", False),
        ("planet.md", False),
        ("README.md", False),
    ],
)
def test_plan_documents(path: str, expected: bool) -> None:
    assert is_plan_document(path) is expected


@given(st.text(max_size=40), st.one_of(st.none(), st.text(max_size=20)))
def test_any_text_has_a_role_and_a_normal_form(path: str, root: str | None) -> None:
    assert role(path) in ("production", "test", "document", "config")
    is_plan_document(path)
    once = relative(path, root)
    assert relative(once, None) == once
