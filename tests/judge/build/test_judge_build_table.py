"""The table of languages, and what a user lays over it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rigorbench.bench.tasks.projects import _LANGUAGES
from rigorbench.judge.build import table
from rigorbench.judge.build.table import LanguageError


@pytest.fixture
def laid_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "mine.toml"
    monkeypatch.setenv("RIGOR_LANGUAGES", str(path))
    return path


def test_what_lists_languages_elsewhere_follows_the_shipped_table() -> None:
    known = table.languages()
    text = (Path(__file__).parents[3] / "docs" / "judge-languages.md").read_text(encoding="utf-8")
    sentence = re.search(r"^(.+) come from one table", text, re.MULTILINE)
    factors = text.split("\n| | time | smallest-largest |")[1].split("\n\n")[0]
    assert set(re.split(r", | and ", sentence[1])) == {language.name for language in known.values()}
    assert {"C++", *re.findall(r"^\| (\S+) \|", factors, re.MULTILINE)} == {
        language.name for language in known.values()
    }
    # Python is in every sandbox.
    assert {"python", *_LANGUAGES} == set(known)
    assert all(language.main for language in known.values()), "pasted code gets the first of these names"


def test_no_alias_or_suffix_is_in_the_shipped_table_twice() -> None:
    known = table.languages()
    names = [name for language in known.values() for name in (language.id, *language.aliases)]
    assert len(names) == len(set(names))
    suffixes = [suffix for language in known.values() for suffix in language.extensions]
    assert len(suffixes) == len(set(suffixes))
    assert known["cpp"].time == known["cpp"].memory == 1.0, "C++ is the unit"


def test_a_name_is_found_by_alias_in_any_case() -> None:
    assert table.find("C++").id == "cpp"
    assert table.find("Py").id == "python"
    with pytest.raises(LanguageError, match="no language 'cobol'; one of: cpp"):
        table.find("cobol")


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a.cpp", "cpp"),
        ("d/b.C", "cpp"),
        ("a.c", "c"),
        ("A.CPP", "cpp"),
        ("x.py", "python"),
        ("x.hpp", None),
        ("x", None),
    ],
)
def test_suffixes(path: str, language: str | None) -> None:
    found = table.by_extension(path)
    assert (found.id if found else None) == language


def test_own_keys_are_laid_over_and_new_languages_added(laid_over: Path) -> None:
    laid_over.write_text(
        '[python]\ntime = 7\n[cpp.variants.leak]\ntime = 9\n'
        '[shell]\nname = "Shell"\nextensions = [".sh"]\nprograms = ["sh"]\nrun = ["sh", "/code/{main}"]\n'
        'artefact = "sources"\nmain = ["main.sh"]\nstartup_memory = "3 MiB"\n'
    )  # fmt: skip
    known = table.languages()
    assert known["python"].time == 7
    assert known["python"].extensions == (".py", ".py3")
    assert known["cpp"].variants["leak"].time == 9
    assert "-fsanitize=leak" in known["cpp"].variants["leak"].flags
    assert known["c"].variants["leak"].time == 9, "what is like another follows it"
    assert known["shell"].startup_memory == 3 << 20


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[python\n", r"mine.toml: "),
        ('[python]\ntimes = 3\n', r"mine.toml: \[python\]: .*times"),
        ('[python]\ntime = "much"\n', r"\[python\]: .*time"),
        ("[python]\ntime = 0\n", r"\[python\]: time: Expected `float` > 0"),
        ('[python]\nstartup_memory = "3 potatoes"\n', "startup_memory: expected bytes or a size"),
        ('[c.variants.leak]\nlike = "pascal"\n', "names no variant"),
        ('[rust.variants.leak]\nlike = "c.leak"\n', "itself has a"),
        ('[Python]\nname = "P"\n', "small letters"),
        ("python = 3\n", "Expected `object`"),
        ('[x]\nname = "x"\nextensions = [".x"]\nprograms = []\nrun = ["x"]\n', "`array` of length >= 1"),
        ("[python]\nvariants = 3\n", "variants: Expected `object`"),
        ("[python.variants.memory]\n", "python"),
    ],
)  # fmt: skip
def test_a_wrong_table_is_one_line_with_the_file(laid_over: Path, text: str, message: str) -> None:
    laid_over.write_text(text)
    with pytest.raises(LanguageError, match=message) as caught:
        table.languages()
    assert "\n" not in str(caught.value)
    assert str(laid_over) in str(caught.value)


def test_a_named_table_that_is_not_there_is_an_error(laid_over: Path) -> None:
    with pytest.raises(LanguageError, match=r"mine\.toml: No such file"):
        table.languages()
