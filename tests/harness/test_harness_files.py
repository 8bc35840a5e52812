"""harness.toml: what is read from it, and how a bad one is refused."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigorbench.base import data
from rigorbench.base.data import DataError, data_path
from rigorbench.bench.experiment.conditions import CONTROLS
from rigorbench.bench.harness import HarnessError, list_harnesses, load_harness

DOCS = Path(__file__).parents[2] / "docs" / "harnesses.md"
GOOD = """\
name = "mine"
version = "2"
description = "Mine."
kind = "overlay"
licence = "MIT"
"""

SOURCE = '\n[source]\ngit = "https://example.org/x"\n'


def write(directory: Path, text: str) -> Path:
    path = directory / "harness.toml"
    path.write_text(text)
    return path


def test_the_docs_list_every_harness_that_is_packaged() -> None:
    harnesses = list_harnesses()
    section = DOCS.read_text(encoding="utf-8").split("\n| name | what it is |\n")[1].split("\n\n")[0]
    named = [name for line in section.splitlines() for name in re.findall(r"`([\w-]+)(?:=FILE)?`", line.split("|")[1])]
    assert sorted(named) == [h.name for h in harnesses]
    assert all(h.directory.name == h.name and h.description and h.licence for h in harnesses)
    assert {h.name for h in harnesses if h.kind == "user"} == {"agents-md", "claude-md", "cursor-rules"}


def test_the_tables_of_the_report_know_the_controls() -> None:
    assert set(CONTROLS) == {h.name for h in list_harnesses() if h.kind == "control"}


def test_a_recipe_names_its_project_its_revision_and_what_was_not_verified() -> None:
    recipes = [(h, h.source) for h in list_harnesses() if h.source is not None]
    assert recipes
    for harness, source in recipes:
        assert harness.kind == "overlay"
        assert source.git.startswith("https://github.com/")
        assert len(source.revision) == 40
        assert "Not verified" in source.status


@pytest.mark.parametrize("name", ["a", "a=b"])
def test_a_directory_a_file_and_a_name_find_a_harness(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    path = write(tmp_path / name, GOOD)
    assert load_harness(path).name == load_harness(path.parent).name == "mine"
    assert load_harness("baseline").spelling == "baseline"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (GOOD + 'licenze = "MIT"\n', "licenze: unknown key; allowed are name, version"),
        (GOOD + '[[file]]\npath = "A"\nkontent = "x"\n', "file[0].kontent: unknown key"),
        (GOOD + '[instructions]\ntxt = "x"\n', "instructions.txt: unknown key"),
        (GOOD + '[[hook]]\nevent = "Stop"\ncommand = "true"\nwhen = "x"\n', "hook[0].when: unknown key"),
        (GOOD.replace('"overlay"', '"nice"'), "kind: Invalid enum value 'nice'"),
        (GOOD.replace('version = "2"\n', ""), "missing required field `version`"),
        (GOOD.replace('"2"', "2"), "version: Expected `str`, got `int`"),
        (GOOD.replace('"mine"', '"Mine/.."'), "name: expected lower-case"),
        (GOOD.replace('"Mine."', '" "'), "description: is empty"),
        (GOOD + '[[file]]\npath = "A"\n', "file[0]: needs exactly one of content, content_from"),
        (GOOD + '[[file]]\npath = "A"\ncontent = "x"\nfrom_source = "y"\n', "given: content, from_source"),
        (GOOD + '[[file]]\npath = "../A"\ncontent = "x"\n', "file[0].path: '../A' is no path within the repository"),
        (GOOD + '[[file]]\npath = "/etc/A"\ncontent = "x"\n', "file[0].path: '/etc/A' is no path"),
        (GOOD + '[[file]]\npath = "~/../A"\ncontent = "x"\n', "file[0].path: '~/../A' is no path"),
        (GOOD + '[[file]]\npath = ".git/hooks/pre-commit"\ncontent = "x"\n', "file[0].path"),
        (GOOD + '[[file]]\npath = "a/.GIT/config"\ncontent = "x"\n', "file[0].path"),
        (GOOD + '[[file]]\npath = "A"\ncontent_from = "missing.md"\n', "missing.md: content_from: no such file"),
        (GOOD + '[[file]]\npath = "A"\nfrom_source = "x"\n', "file[0].from_source: needs a table [source]"),
        (GOOD + SOURCE + '[[file]]\npath = "A"\nfrom_source = "../x"\n', "'../x' is no path within the clone"),
        (GOOD + '[[file]]\npath = "A"\ncontent = "x"\nagents = ["clod"]\n', "file[0].agents: no agent 'clod'"),
        (GOOD + '[[file]]\npath = "A"\nfrom_argument = true\n', 'kind: "user" is for harnesses'),
        (GOOD.replace('"overlay"', '"user"'), 'kind: "user" is for harnesses'),
        (GOOD + '[env]\n"A-B" = "x"\n', "env.A-B: no name of an environment variable"),
        (GOOD + '[check]\nfiles = ["/x"]\n', "check.files[0]"),
        (GOOD + '[check]\nmarkers = [""]\n', "check.markers: an empty text"),
        (GOOD + '[placebo]\nmatches = "baseline"\nlength = 500\n', "placebo: needs [instructions]"),
        ("name = \n", "harness.toml: Invalid value"),
        (GOOD + "x = " + "[" * 5000 + "]" * 5000, "harness.toml: "),
    ],
)
def test_a_fault_is_one_line_with_file_and_key(tmp_path: Path, text: str, complaint: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(HarnessError) as caught:
        load_harness(path)
    message = str(caught.value)
    assert "\n" not in message
    assert str(tmp_path) in message
    assert complaint in message


@pytest.mark.parametrize(
    ("spelling", "complaint"),
    [
        ("nonesuch", "nonesuch: no such harness; there are agent-rigor, agent-skills"),
        ("../baseline", "no such harness"),
        ("", "needs a name or a path"),
        ("agents-md", "agents-md: needs a file; write agents-md=PATH"),
        ("agents-md=/does/not/exist.md", "/does/not/exist.md: the file of agents-md: No such file"),
        ("baseline=x", "baseline takes no argument"),
        ("placebo=12", "expected 100 to 1000000 characters"),
        ("placebo=nonesuch", "nonesuch: no such harness"),
    ],
)
def test_a_bad_spelling_says_what_to_write(spelling: str, complaint: str) -> None:
    with pytest.raises(HarnessError, match=r"\A[^\n]*\Z") as caught:
        load_harness(spelling)
    assert complaint in str(caught.value)


@pytest.mark.parametrize("data", [b"", b" \n", b"\xff\xfe"])
def test_a_users_file_that_can_instruct_nobody_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_bytes(data)
    with pytest.raises(HarnessError, match=r"is empty|not a UTF-8"):
        load_harness(f"agents-md={path}")


@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: (GOOD + text).encode()))
@settings(max_examples=300)
def test_whatever_the_file_holds_the_answer_is_a_harness_or_one_line(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "harness.toml"
        path.write_bytes(data)
        try:
            assert load_harness(path).name
        except HarnessError as error:
            assert str(path) in str(error)
            assert "\n" not in str(error)


def test_a_users_file_in_his_home_is_found_and_the_digest_follows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "AGENTS.md").write_text("Ours.\n")
    first = load_harness("agents-md=~/AGENTS.md")
    assert first.argument == str(tmp_path / "AGENTS.md")
    (tmp_path / "AGENTS.md").write_text("Two.\n")
    assert load_harness("agents-md=~/AGENTS.md").digest != first.digest


def test_the_digest_follows_everything_that_the_harness_is_made_of(tmp_path: Path) -> None:
    path = write(tmp_path, GOOD + '[instructions]\ntext_from = "text.md"\n')
    (tmp_path / "text.md").write_text("One.\n")
    first = load_harness(path).digest
    assert load_harness(path).digest == first
    (tmp_path / "text.md").write_text("Two.\n")
    second = load_harness(path).digest
    write(tmp_path, GOOD.replace('"2"', '"3"') + '[instructions]\ntext_from = "text.md"\n')
    assert len({first, second, load_harness(path).digest}) == 3


# -- where packaged data is found: in a checkout, and in an installed package


ROOT = Path(__file__).resolve().parents[2]


def layout(root: Path, *parts: str) -> Path:
    package = root.joinpath(*parts) / "rigorbench"
    package.mkdir(parents=True)
    return package


def test_a_checkout_uses_the_directories_at_its_top() -> None:
    assert data_path("harnesses") == ROOT / "harnesses"


def test_an_installed_package_uses_its_own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = layout(tmp_path, "lib", "site-packages")
    (package / "_data" / "suites").mkdir(parents=True)
    monkeypatch.setattr(data, "PACKAGE", package)
    assert data_path("suites") == package / "_data" / "suites"


def test_a_directory_beside_site_packages_is_not_taken_for_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = layout(tmp_path, "src")
    (tmp_path / "suites").mkdir()
    monkeypatch.setattr(data, "PACKAGE", package)
    with pytest.raises(DataError, match=r"suites: not found in .*; reinstall rigorbench"):
        data_path("suites")
    (tmp_path / "pyproject.toml").touch()
    assert data_path("suites") == tmp_path / "suites"
