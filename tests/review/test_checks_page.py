"""docs/checks.md: its part from "## The checks" on is made from the catalogue. Where a check fires, it applies.

``python tests/review/test_checks_page.py`` writes that part.
"""

from __future__ import annotations

import csv
import re
import tomllib
from functools import lru_cache
from pathlib import Path

import msgspec
import pytest
from applies import APPLIES

from rigorbench.bench.rigorscore.score import open_session
from rigorbench.review.catalogue import all_checks
from rigorbench.review.config import Choice, Config, checked
from rigorbench.review.explain import grade_texts
from rigorbench.review.grades import review_session
from rigorbench.review.work import Work
from rigorbench.session.registry import discover, read_log

ROOT = Path(__file__).resolve().parents[2]
DOC = ROOT / "docs" / "checks.md"
START = "## The checks\n"
SHARED = ROOT.parent / "shared"
LICENCES = ("MIT", "Apache-2.0")
SEVERITIES = ("flag", "weak", "note", "strength")


class Reviewed:
    """A session of a log, and the ids of the checks that fired."""

    def __init__(self, name: str, work: Work, fired: set[str]) -> None:
        self.name, self.work, self.fired = name, work, fired


def logs() -> list[Path]:
    """Every licensed log of the labelled and of the sample sessions, one of each name."""
    found: dict[str, Path] = {}
    for index, folder in (
        (SHARED / "labelled" / "index.tsv", SHARED / "labelled" / "logs"),
        (SHARED / "data" / "sessions" / "index.tsv", SHARED / "data" / "sessions"),
    ):
        if index.is_file():
            for row in csv.DictReader(index.open(encoding="utf-8"), delimiter="\t"):
                path = folder / row["file"]
                if path.is_file() and row["licence"] in LICENCES:
                    found.setdefault(path.name, path)
    return list(found.values())


# -- the page ----------------------------------------------------------------------------------------------------


def page() -> str:
    """Everything from START on."""
    parts = [START]
    texts = all_checks().values()
    for pillar in dict.fromkeys(c.pillar for c in texts):
        parts.append(f"### {pillar.capitalize()}\n\n| check | severity | fires when | cannot see |\n|---|---|---|---|")
        parts += [f"| `{c.id}` | {c.severity} | {c.sentence} | {c.blind} |" for c in texts if c.pillar == pillar]
        parts.append("")
    parts.append("## The grades\n")
    parts.append(
        "A reader gives them: 0 very poor, 25 weak, 50 an average professional, 75 good, 100 exemplary. Without one\n"
        "there is no grade, and what the rules prove is said in words. `rigor explain GRADE` prints the same.\n"
    )
    parts.append("| grade | how well | none where |\n|---|---|---|")
    parts += [f"| {g.name} | {g.means} | {g.null} |" for g in grade_texts().values()]
    return "\n".join(parts) + "\n"


# -- the tests ---------------------------------------------------------------------------------------------------


def parts() -> tuple[str, str]:
    before, start, rest = DOC.read_text("utf-8").partition(START)
    return before, start + rest


def test_the_page_is_what_the_catalogue_says() -> None:
    assert parts()[1] == page()


def test_it_is_known_when_each_check_applies() -> None:
    assert {c.applies for c in all_checks().values()} - set(APPLIES) == set()


@lru_cache(1)
def everywhere() -> list[Reviewed]:
    found = []
    for path in logs():
        for file in discover([str(path)]):
            for trajectory in read_log(file):
                session = open_session(trajectory)
                fired = {check.id for check in review_session(session).checks}
                found.append(Reviewed(path.name, Work(session), fired))
    return found


@pytest.mark.parametrize("id", all_checks())
def test_where_a_check_fires_it_applies(id: str) -> None:
    """On every licensed log: what a check says of when it applies is true where it fires."""
    if not everywhere():
        pytest.skip("the logs are not beside this checkout")
    applies = APPLIES[all_checks()[id].applies]
    assert [one.name for one in everywhere() if id in one.fired and not applies(one.work)] == []


def test_the_configurations_that_the_page_shows_are_valid() -> None:
    shown = re.findall(r"^```toml\n(.*?)^```$", parts()[0], re.MULTILINE | re.DOTALL)
    assert len(shown) == 2
    for text in shown:
        data = tomllib.loads(text)
        config = msgspec.convert(data.get("tool", {}).get("rigor", data), Config)
        choices: list[Choice] = [config, *config.per_path.values()]
        for choice in choices:
            checked(choice, "docs/checks.md")
        assert config.select
        assert config.per_path


def test_the_page_explains_every_severity() -> None:
    for severity in SEVERITIES:
        assert f"| {severity} |" in parts()[0]


if __name__ == "__main__":
    before = parts()[0]
    DOC.write_text(before + page(), "utf-8")
