"""What is read of a source before anything is compiled: by the judge itself, so that no text may hold it up."""

from __future__ import annotations

from pathlib import Path

import pytest

from rigorbench.judge.build.sources import guess, main_class
from rigorbench.judge.build.table import languages


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("q.java", "class Q { public static void main(String[] a) {} }", "Q"),
        ("A.java", "class B {}\nclass A { static public void\nmain (String[] a) {} }", "A"),
        ("C.java", "// class X { void main(\nclass N { char c='{'; String s=\"}\"; }\nclass C { void main() {} }", "C"),
        ("d.java", "package a.b;\ninterface M { static void main(String[] a) {} }", "a.b.M"),
        ("E.java", "class Broken {", "E"),
    ],
)
def test_a_jvm_starts_the_class_that_has_main(tmp_path: Path, name: str, text: str, expected: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert main_class(tmp_path, name) == expected


@pytest.mark.parametrize("text", ["\n", "/*", '"""', "static ", "void ", "class ", "package "])
def test_hostile_text_is_looked_at_once(tmp_path: Path, text: str) -> None:
    """Quadratic work on these would take minutes."""
    (tmp_path / "a.java").write_text(text * 100_000, encoding="utf-8")
    assert main_class(tmp_path, "a.java") == "a"


def test_what_was_given_does_not_name_the_language(tmp_path: Path) -> None:
    given, root = tmp_path / "given", tmp_path / "root"
    for place in (given, root):
        place.mkdir()
        (place / "practice.py").write_text("print(1)\n")
    assert guess(root, languages(), (), given).id == "python"
    (root / "main.rs").write_text("fn main() {}\n")
    assert guess(root, languages(), (), given).id == "rust"
