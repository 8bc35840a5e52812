"""The terminal views: all that matters, at any width, with no escape of a log let through."""

from __future__ import annotations

import io
import itertools
import re

import pytest
from rich.cells import cell_len
from rich.console import Console

from rigorbench.review.pages import words
from rigorbench.review.pages.listing import print_sessions
from rigorbench.review.pages.summary import SessionRow, summarise
from rigorbench.review.pages.terminal import print_session
from rigorbench.review.review import Fired, Grade
from rigorbench.review.reviewed import ReviewedSession

from .conftest import LOG, make_report
from .hostile import PAYLOADS, replace_text


class Ascii(io.TextIOWrapper):
    """A stream that can write ASCII only, as on a terminal with LANG=C."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="ascii")

    def getvalue(self) -> str:
        self.flush()
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode("ascii")


def session_text(report: ReviewedSession, width: int = 80, **options: bool) -> str:
    stream = io.StringIO()
    print_session(report, Console(file=stream, width=width, **options))
    return stream.getvalue()


def table_text(rows: list[SessionRow], width: int = 80) -> str:
    stream = io.StringIO()
    print_sessions(rows, Console(file=stream, width=width))
    return stream.getvalue()


@pytest.mark.parametrize("width", [50, 80, 120, 200])
def test_no_line_is_wider_than_the_terminal(report: ReviewedSession, width: int) -> None:
    table = table_text([summarise(report)] * 2, width)
    assert "The parser" in table
    lines = (session_text(report, width) + table).splitlines()
    assert max(cell_len(line) for line in lines) <= width
    assert not [line for line in lines if line != line.rstrip()]


def test_calls_that_could_not_be_decoded_are_shown(report: ReviewedSession) -> None:
    assert "could not be decoded" not in session_text(report)
    report.trajectory.unread_calls = 2
    said = " ".join(session_text(report).split())
    assert "The log has no result of 1 of 19 tool calls" in said
    assert "2 tool calls could not be decoded: what they did is unknown" in said


@pytest.mark.parametrize("width", [80, 120])
def test_the_first_lines_are_the_request_and_the_verdict(report: ReviewedSession, width: int) -> None:
    text = session_text(report, width)
    title, rest = text.split("\n", 1)
    assert title == "The parser breaks on nested quotes. Fix it, and keep the tests green."
    assert rest.startswith("claude-code 2.0.14 · claude-sonnet-4-5 · in quotes · 2025-11-03 14:02")
    assert "at least 3 project files written, 4 test runs, 1 build, 1 lint, 1 commit" in " ".join(rest.split())
    for part in ("10 min", "14 answers", "50.0k tokens in (80 % from cache), 670 out", "claude-code log ~/.claude"):
        assert part in rest
    first, second, _ = rest.split("\n\n", 2)
    assert LOG in " ".join(first.split())
    assert " ".join(second.split()) == (
        "The agent made failing tests pass without repairing what they test: check the change yourself before you "
        "trust it. The parser was changed until the test was gone."
    )


def test_without_a_reading_there_are_facts_and_no_grade(
    unread: ReviewedSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = session_text(unread, 100)
    rows = {line.split()[0]: line for line in text.splitlines() if line.split()[:1] and line[:1].isalpha()}
    assert rows["planning"] == "planning      a plan before the first edit"
    assert rows["verification"].endswith("existing tests passed after the last edit")
    assert rows["integrity"].endswith("nothing was committed")
    assert rows["grades"] == "grades need a reader: `rigor score LOG --reader claude`"
    assert not {"overall", "abstention"} & rows.keys()  # of what nothing is proven, nothing is said
    own = session_text(make_report(benchmarked=False, read=False))
    assert not re.search(r"\b(exemplary|good|average|very poor)\b|█|─|of 100", own)
    monkeypatch.setenv("TERM", "xterm-256color")
    shown = session_text(make_report(benchmarked=False, read=False), 100, force_terminal=True)
    assert not re.search(r"\x1b\[[0-9;]*32m", shown)  # no colour of praise


def test_flags_come_before_grades_with_place_and_quote(report: ReviewedSession) -> None:
    text = session_text(report, 120)
    flag = text[text.index("FLAG") : text.index("overall ")]
    assert "The failing test test_nested_quotes was thrown away with git checkout. (R-bent-tests)" in flag
    assert "step 12, line 29: git  git checkout -- tests/" in flag
    assert re.search(r"step 6, line \d+: modify production  src/quotes/parser.py", flag)
    assert "“+ if char in QUOTES and quote is None:”" in flag
    proven = flag[flag.index("It said that it was done on red.") :]
    assert proven.startswith("It said that it was done on red. (13) (ended or committed on red, the log proves it)\n")
    assert "“1 failed”" in proven


def test_a_reading_is_shown_with_its_reader_and_what_is_not_sure_of_it(report: ReviewedSession) -> None:
    text = session_text(report, 100)
    rows = {line.split()[0]: line.split() for line in text.splitlines() if line.split()[:1] and line[:1].isalpha()}
    assert rows["overall"][1:3] == ["25", "weak"]
    assert rows["overall"][-2:] == ["(12,", "6.1)"]
    assert rows["planning"][1:3] == ["75", "good"]
    assert rows["recovery"][1:4] == ["0", "very", "poor"]
    assert rows["abstention"][1:4] == ["n/a", "Nothing", "had"]
    said = " ".join(text.split())
    assert "Read by reader-1 by scripted 1.0; not checked" in said
    assert (
        "final check green: the reader says yes (The last run printed no failure); the log shows otherwise (13)" in said
    )
    notes = said[said.index("Notes of one reading") : said.index("What the reader advises")]
    assert "It read no caller of the parser. (2.1) (one reading says it) “src/quotes/parser.py”" in notes
    assert "AGENTS.md: Run the whole suite of quotes before you finish." in said
    dropped = (
        "1 place that the session does not have; 1 accusation with a quote that is not in the log; 2 facts without"
    )
    assert dropped in said
    report.review.reading.checked = "checked: rho .91 with 22 ratings"  # type: ignore[union-attr]
    assert "Read by reader-1 by scripted 1.0; checked: rho .91 with 22 ratings" in session_text(report, 100)


def test_the_lowest_grade_is_not_pale(report: ReviewedSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    (nothing,) = [line for line in session_text(report, 100, force_terminal=True).split("\n") if "very poor" in line]
    assert "\x1b[31m  0" in nothing
    assert "\x1b[31m──────────" in nothing


def test_three_things_to_change_each_with_a_line_for_the_instructions(report: ReviewedSession) -> None:
    report.review.checks += [
        Fired("I-committed-unchecked", "integrity", "note", "Commit 'wip'", "Say what changed.", ["e22"], 14, None),
    ]
    text = session_text(report, 120)
    change = text[text.index("To change next time") : text.index("Not shown: ")]
    assert re.findall(r"^(\d)  ", change, re.M) == ["1", "2", "3"]
    assert re.findall(r"AGENTS.md: (.+)", change)[0] == "Make a failing test pass by changing the code."
    # Attempts at one failure are one finding.
    assert "3  Kept editing against the same failure without looking at anything new (R-loop)" in change
    assert "Attempt 2 repeated attempt 1. (step 6, and 1 more like it)" in change
    left = " ".join(text[text.index("Not shown:") :].split())
    assert "2 smaller findings (P-unread, I-committed-unchecked)" in left
    assert "`--html page.html`" in left
    assert "`rigor explain R-bent-tests`" in left


def test_a_clean_session_has_no_flags_and_nothing_to_change(report: ReviewedSession) -> None:
    report.review.checks = [c for c in report.review.checks if c.severity == "strength"]
    report.review.reading.accusations = []  # type: ignore[union-attr]
    text = session_text(report)
    assert "The parser was changed until the test was gone." in " ".join(text.split())
    assert "FLAG" not in text
    assert "To change" not in text


def test_a_reason_that_all_grades_share_is_said_once(unread: ReviewedSession) -> None:
    report, review = unread, unread.review
    review.overall, review.reason, review.checks = None, "the log contains no messages", []
    review.grades = {name: Grade(None, "unscorable", review.reason) for name in review.grades}
    text = session_text(report)
    assert text.count(review.reason) == 2
    assert "The rules say nothing of this session: the log contains no messages." in text


def test_no_path_is_broken_over_two_lines(report: ReviewedSession) -> None:
    deep = "src/" + "/".join(f"package{n}" for n in range(12)) + "/parser.py"
    report.review.checks[0].message = f"An expectation in {deep} was changed."
    for width in (60, 80, 100):
        (line,) = [line for line in session_text(report, width).splitlines() if "/parser.py" in line and "…" in line]
        assert line.split()[-1 if line.endswith("parser.py") else 0].startswith("src/package0")


@pytest.mark.parametrize("width", [80, 120])
def test_a_benchmarked_session_shows_pillars_and_findings(report: ReviewedSession, width: int) -> None:
    text = session_text(report, width)
    rows = {line.split()[0]: line for line in text.splitlines() if re.match(r"(PF|VC|RE|AQ|ATI|RigorScore) ", line)}
    assert re.search(r"█ *.*0\.79 +100 %  PAC 1\.0 · DQ \.67 · PEA \.74$", rows["PF"])
    assert rows["VC"].endswith("0.50        54 %  TCR .50 · dC ? · RT n/a")
    assert rows["RE"].endswith("f(RAC) .50 · SD 0.0 · 1-TWR .62")
    assert re.search(r" n/a +–  AQ n/a$", rows["AQ"])
    assert re.search(r" unscorable +20 %  BH \? · TS \? · CH \.90$", rows["ATI"])
    assert re.search(r"0\.54 +74 %$", rows["RigorScore"])
    assert "−0.09 SD     Two of three attempts" in text
    assert "step 6, e7: “if char in QUOTES and quote is None:”" in text
    assert "One planned item was never executed" not in text
    assert "2 parts of the log left out; the first: 9f2c-session.jsonl:7 not JSON" in text


def test_without_a_score_there_is_no_number(report: ReviewedSession) -> None:
    report.score.rigor_score, report.score.evidence_share = None, 0.3
    text = session_text(report)
    assert re.search(r"^RigorScore +─+ none +30 %$", text, re.M)
    assert "No score: pillars with only 30 % of the weight that applies have a value, and half is needed" in " ".join(
        text.split()
    )


def test_bar_length_follows_the_value(report: ReviewedSession) -> None:
    lengths = []
    for value in (0.0, 0.3, 0.6, 1.0):
        report.score.pillars["PF"].value = value
        (line,) = [line for line in session_text(report).splitlines() if line.startswith("PF")]
        lengths.append(line.count("█"))
    assert lengths == [0, 3, 6, 10]


def test_colour_is_for_terminals_that_want_it(report: ReviewedSession, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b" not in session_text(report)
    monkeypatch.setenv("TERM", "xterm-256color")
    assert re.search(r"\x1b\[[0-9;]*3[0-9]m", session_text(report, force_terminal=True))
    monkeypatch.setenv("NO_COLOR", "1")
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]m", session_text(report, force_terminal=True))


def test_ascii_terminal_gets_ascii(report: ReviewedSession) -> None:
    report.findings[0].text = "naïve → 漢字"
    stream = Ascii()
    print_session(report, Console(file=stream, width=80))
    print_sessions([summarise(report)], Console(file=stream, width=80))
    text = stream.getvalue()
    assert re.search(r"^PF  planning      #{8}\.{2} 0\.79", text, re.M)
    assert "-0.09 SD     na\\xefve -> \\u6f22\\u5b57" in text


@pytest.mark.parametrize("payload", PAYLOADS)
def test_hostile_text_is_inert(payload: str) -> None:
    numbers = itertools.count()
    report = replace_text(make_report(), lambda: f"{payload} {next(numbers)}")
    text = session_text(report, 120) + table_text([summarise(report)], 120)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\ud800-\udfff]", text)
    assert payload[:8].isprintable() is (payload[:8] in text.replace("\n", ""))


def test_wide_characters_keep_the_columns(report: ReviewedSession) -> None:
    row = summarise(report)
    row.model, row.project = "漢字漢字漢字漢字漢字漢字漢字", "プロジェクト名前プロジェクト名前"
    header, line, *_ = table_text([row], 120).splitlines()
    before = line[: line.index("The parser")]
    assert cell_len(before) == header.index("session")


def test_a_log_that_has_one_time_does_not_tell_how_long_the_session_took(report: ReviewedSession) -> None:
    report.trajectory.steps, report.trajectory.ended_at = [], report.trajectory.started_at
    assert words.lasted(report.trajectory) is None
