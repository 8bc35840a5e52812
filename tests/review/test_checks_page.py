"""docs/checks.md: its part from "## The checks" on is made from the catalogue and real logs.

``python tests/review/test_checks_page.py`` writes it, with the examples that all licensed logs give. The test looks
only at the logs that the page names: the first of them that fires, and the first that is silent, must be those quoted.
"""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

import msgspec
import pytest
from applies import APPLIES

from rigorbench.base.sanitize import one_line
from rigorbench.evidence.events import AnyEvent
from rigorbench.metrics.findings import quote
from rigorbench.metrics.score import open_session
from rigorbench.review.catalogue import all_checks
from rigorbench.review.config import Choice, Config, checked
from rigorbench.review.explain import CheckText, check_texts, grade_texts
from rigorbench.review.model import Fired, Review
from rigorbench.review.session import review_session
from rigorbench.review.work import Work
from rigorbench.trajectory.registry import discover, read_log

ROOT = Path(__file__).resolve().parents[2]
DOC = ROOT / "docs" / "checks.md"
START = "## The checks\n"
SHARED = ROOT.parent / "shared"
LICENCES = ("MIT", "Apache-2.0")
SEVERITIES = ("flag", "weak", "note", "strength")


class Log:
    """A log that may be quoted, with where it comes from."""

    def __init__(self, path: Path, name: str, origin: str) -> None:
        self.path, self.name, self.origin = path, name, origin


class Seen:
    """One reviewed session of a log."""

    def __init__(self, log: Log, work: Work, review: Review) -> None:
        self.log, self.work, self.review = log, work, review

    def found(self, id: str) -> Fired | None:
        return next((f for f in self.review.checks if f.id == id), None)


def logs() -> list[Log]:
    """Every licensed log of the labelled and then of the sample sessions, of each the smallest first."""
    found: dict[str, Log] = {}
    for index, folder in (
        (SHARED / "labelled" / "index.tsv", SHARED / "labelled" / "logs"),
        (SHARED / "data" / "sessions" / "index.tsv", SHARED / "data" / "sessions"),
    ):
        if not index.is_file():
            continue
        some = []
        for row in csv.DictReader(index.open(encoding="utf-8"), delimiter="\t"):
            path, name = folder / row["file"], Path(row["file"]).name
            if path.is_file() and row["licence"] in LICENCES:
                some.append(Log(path, name, f"{row['repository']}, {row['licence']}"))
        for log in sorted(some, key=lambda log: (log.path.stat().st_size, log.name)):
            found.setdefault(log.name, log)
    return list(found.values())


def reviewed(some: Iterable[Log]) -> Iterator[Seen]:
    for log in some:
        for file in discover([str(log.path)]):
            for trajectory in read_log(file):
                session = open_session(trajectory)
                yield Seen(log, Work(session), review_session(session))


# -- the page ----------------------------------------------------------------------------------------------------


def page(sessions: list[Seen]) -> str:
    """Everything from START on."""
    parts = [START]
    texts = check_texts().values()
    for pillar in dict.fromkeys(c.pillar for c in texts):
        parts.append(f"### {pillar.capitalize()}\n")
        for text in (c for c in texts if c.pillar == pillar):
            parts.append(_check(text, sessions))
    parts.append("## The grades\n")
    parts.append(
        "A reader gives them: 0 very poor, 25 weak, 50 an average professional, 75 good, 100 exemplary. Without one\n"
        "there is no grade, and what the rules prove is said in words. `rigor explain GRADE` prints the same.\n"
    )
    parts.append("| grade | how well | none where |\n|---|---|---|")
    parts += [f"| {g.name} | {g.means} | {g.null} |" for g in grade_texts().values()]
    return "\n".join(parts) + "\n"


def _check(text: CheckText, sessions: list[Seen]) -> str:
    lines = [f"#### {text.id}", "", f"**{text.severity}** · {text.sentence}", "", f"- Applies to: {text.applies}."]
    if text.advice is not None:
        lines.append(f"- Advice: {text.advice}")
    lines.append(f"- Cannot see: {text.blind}")
    fires = next((s for s in sessions if s.found(text.id)), None)
    silent = next((s for s in sessions if not s.found(text.id) and APPLIES[text.applies](s.work)), None)
    if fires is None:
        lines.append("- Fires: in none of the licensed logs.")
    else:
        found = fires.found(text.id)
        assert found is not None
        lines.append(
            f"- Fires in {_where(fires, found.step, found.source and found.source.line)}: {_code(found.message)}"
        )
    if silent is None:
        lines.append("- Silent: it fires in every licensed log to which it applies.")
    else:
        shown = APPLIES[text.applies](silent.work)
        quoted = "; then ".join(f"step {e.step}, {_code(_event(e))}" for e in {e.id: e for e in shown}.values())
        lines.append(f"- Silent, though it applies, in {_where(silent)}: {quoted}")
    return "\n".join([*lines, ""])


def _where(seen: Seen, step: int | None = None, line: int | None = None) -> str:
    place = [f"`{seen.log.name}` ({seen.log.origin})"]
    if step is not None:
        place.append(f"step {step}")
    if line is not None:
        place.append(f"line {line}")
    return ", ".join(place)


def _event(event: AnyEvent) -> str:
    verdict = getattr(event, "outcome", None) or getattr(event, "verdict", None)
    text = quote(event)
    return text if verdict is None or f"-> {verdict}" in text else f"{text} -> {verdict}"


def _code(text: str) -> str:
    """As code, so that nothing in it is taken for Markdown."""
    text = one_line(text, 300)
    marks = "`" * (max((len(m) for m in re.findall("`+", text)), default=0) + 1)
    return f"{marks} {text} {marks}" if "`" in text else f"`{text}`"


# -- the tests ---------------------------------------------------------------------------------------------------


def parts() -> tuple[str, str]:
    before, start, rest = DOC.read_text("utf-8").partition(START)
    return before, start + rest


def test_the_page_is_what_the_catalogue_and_the_logs_say() -> None:
    named = set(re.findall(r"`(\S+)` \([\w.-]+/[\w.-]+, (?:MIT|Apache-2.0)\)", parts()[1]))
    here = [log for log in logs() if log.name in named]
    if {log.name for log in here} != named:
        pytest.skip("its logs are not beside this checkout")
    assert parts()[1] == page(list(reviewed(here)))


def test_it_is_known_when_each_check_applies() -> None:
    assert {c.applies for c in all_checks().values()} - set(APPLIES) == set()


@lru_cache(1)
def everywhere() -> list[Seen]:
    return list(reviewed(logs()))


@pytest.mark.parametrize("id", all_checks())
def test_where_a_check_fires_it_applies(id: str) -> None:
    """On every licensed log: what a check says of when it applies is true where it fires."""
    if not everywhere():
        pytest.skip("the logs are not beside this checkout")
    applies = APPLIES[all_checks()[id].applies]
    assert [s.log.name for s in everywhere() if s.found(id) and not applies(s.work)] == []


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
    DOC.write_text(before + page(list(reviewed(logs()))), "utf-8")
