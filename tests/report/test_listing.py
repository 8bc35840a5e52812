"""Lists of sessions: what they have in common, trends, two beside each other, advice from what recurs."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from rich.console import Console

from rigorbench.review.catalogue import all_checks
from rigorbench.review.history.advice import found_once, markdown, sections
from rigorbench.review.history.diff import difference, print_difference
from rigorbench.review.history.trends import cost_range, trends
from rigorbench.review.history.trends_view import print_trends, render_trends
from rigorbench.review.pages.listing import FREQUENT, print_frequent, print_sessions, print_summary
from rigorbench.review.pages.pages import render_index, render_session
from rigorbench.review.pages.project import project_names, repository
from rigorbench.review.pages.summary import RowCheck, SessionRow, summarise
from rigorbench.review.pages.tally import summary, tally
from rigorbench.review.pages.terminal import print_session
from rigorbench.review.review import Severity

from .conftest import make_report
from .hostile import PAYLOADS


def _row(day: str | None = "2026-11-02", overall: int | None = 50, *checks: RowCheck, **changes: object) -> SessionRow:
    flags = [check.id for check in checks if check.severity == "flag"]
    date = None if day is None else f"{day}T09:00:00Z"
    row = replace(summarise(make_report()), date=date, overall=overall, flags=flags, checks=list(checks), cost=None)
    return replace(row, **changes)


def _unread(day: str, *checks: RowCheck, **changes: object) -> SessionRow:
    """A session that nobody read."""
    flags = [check.id for check in checks if check.severity == "flag"]
    row = replace(summarise(make_report(read=False)), date=f"{day}T09:00:00Z", flags=flags, checks=list(checks))
    return replace(row, **changes)


def _check(id: str = "V-final-check", severity: Severity = "weak", times: int = 1) -> RowCheck:
    return RowCheck(id, severity, "No check passed.", "Run the tests.", times)


FLAG = _check("H-claim-contradicted", "flag")


def _console(width: int = 100) -> tuple[Console, io.StringIO]:
    stream = io.StringIO()
    return Console(file=stream, width=width), stream


def test_a_row_has_the_request_and_each_check_once() -> None:
    report = make_report()
    row = summarise(report)
    assert row.title == "The parser breaks on nested quotes. Fix it, and keep the tests green."
    assert [c.id for c in row.checks] == list(dict.fromkeys(c.id for c in report.review.checks))
    assert sum(c.times for c in row.checks) == len(report.review.checks)


def test_a_tally_counts_a_check_once_a_session_and_knows_what_is_unknown() -> None:
    known = tally([_row("2026-11-02", 40, FLAG), _row("2026-11-03", None), _row("2026-11-04", 61, cost=0.5)])
    assert (known.sessions, known.read, known.graded, known.median) == (3, 3, 2, 50.5)
    assert known.flags_per_100 == pytest.approx(100 / 3)
    assert (known.cost, known.priced) == (0.5, 1)
    twice = replace(_row(), flags=["H-claim-contradicted"] * 2)
    assert tally([twice]).flags_per_100 == 100
    nothing = tally([])
    assert (nothing.median, nothing.flags_per_100, nothing.cost) == (None, None, None)


def test_the_summary_names_weeks_the_weakest_grade_and_what_is_found_most_often() -> None:
    rows = [
        _row("2026-11-08", 80, _check(), grades={"planning": 90, "recovery": 20}),  # a Sunday
        _row("2026-11-09", 60, _check(), FLAG, grades={"planning": 30, "recovery": None}),
        _row(None, 10, grades={"planning": 10}),
    ]
    found = summary(rows)
    assert [(week.start, week.tally.median) for week in found.weeks] == [("2026-11-02", 80), ("2026-11-09", 60)]
    assert (found.first, found.last) == ("2026-11-08", "2026-11-09")
    assert (found.weakest.grade, found.weakest.sessions) == ("recovery", 1)
    assert [(f.id, f.sessions) for f in found.frequent] == [("V-final-check", 2), ("H-claim-contradicted", 1)]


def _texts(rows: list[SessionRow], width: int = 120) -> tuple[str, str, str]:
    """List, trends and difference of sessions on a terminal."""
    found = []
    for shown in (
        lambda c: (print_summary(summary(rows), c), print_sessions(rows, c)),
        lambda c: print_trends(trends(rows), c),
        lambda c: print_difference(difference(rows[0], rows[1]), c),
    ):
        console, stream = _console(width)
        shown(console)
        found.append(stream.getvalue())
    return found[0], found[1], found[2]


def test_without_a_reading_there_is_no_grade_but_flags_and_facts() -> None:
    rows = [_unread("2026-11-02", FLAG), _unread("2026-11-09"), _unread("2026-11-10", _check(), weak=1)]
    texts = _texts(rows)
    pages = (render_index([(row, None) for row in rows]), render_trends(rows))
    for text in texts + pages:
        assert not re.search(r"(?i)\bgrade|median|[0-9] read", text)
    listed, trend, two = texts
    assert "1 of 3 with a flag" in listed
    assert (
        "by week     █▁  1 of 1 with a flag (week of 2026-11-02) to 0 of 2 with a flag (week of 2026-11-09)" in listed
    )
    assert re.search(r"^week of +n +flags/100 +cost$", trend, re.M)
    assert "verification  A B  existing tests passed after the last edit" in two
    assert 'aria-label="Sessions with a flag by week: week of 2026-11-02: 1 of 1 with a flag' in pages[0]
    assert rows[0].verdict in pages[0].replace("&#39;", "'")
    assert 'class="big pass' not in pages[0]


def test_grades_rest_on_the_sessions_that_were_read_and_say_how_many() -> None:
    rows = [_row("2026-11-02", 40), _unread("2026-11-09", FLAG), _row("2026-11-09", 60)]
    assert (tally(rows).median, tally(rows).read) == (50, 2)
    listed, trend, two = _texts(rows)
    assert "median grade 50 (2 of 3 read)" in listed
    assert re.findall(r"^ *\d  2026-11-\d\d +(\S+)", listed, re.M) == ["40", "–", "60"]
    assert re.search(r"^week of +n +median +read +flags/100 ", trend, re.M)
    assert re.search(r"^read by +reader-1 by scripted 1.0 +nobody$", two, re.M)
    assert "2 of 3 read" in render_index([(row, None) for row in rows])
    assert ">Read</th>" in render_trends(rows)


def test_a_session_of_unknown_time_has_the_time_of_its_file() -> None:
    assert summary([_row(None, changed=1_793_000_000.0)]).first == "2026-10-26"


@pytest.mark.parametrize("width", [50, 80, 120])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    console, stream = _console(width)
    rows = [_row(f"2026-{month:02}-02", 50, FLAG, model="漢字" * 30, cost=1.5) for month in range(1, 10)]
    print_summary(summary(rows), console)
    print_trends(trends([*rows, _row("2026-10-02", 20, project="an-other-project" * 5)]), console)
    print_difference(difference(rows[0], _row("2026-11-02", None)), console)
    assert max(cell_len(line) for line in stream.getvalue().splitlines()) <= width


def test_trends_group_by_what_sessions_have_in_common() -> None:
    rows = [
        _row("2026-11-02", 40, FLAG, project="api", cost=0.05),
        _row("2026-11-09", 60, project="api", cost=20.0),
        _row("2026-11-09", 90, project=None, model=None),
        _row(None, 10, project="web"),
    ]
    found = trends(rows)
    assert [(g.name, g.tally.sessions) for g in found.groups["project"]] == [("api", 2), ("unknown", 1), ("web", 1)]
    assert [week.tally.median for week in found.groups["project"][0].weeks] == [40, 60]
    assert [week.tally.median for week in found.groups["project"][1].weeks] == [None, 90]
    assert [g.name for g in found.groups["cost"]] == ["under $0.10", "over $10", "unknown"]
    assert found.undated == 1
    assert cost_range(None) == "unknown"
    assert set(trends(rows, ("model",)).groups) == {"model"}


@pytest.mark.parametrize("payload", PAYLOADS)
def test_pages_of_lists_let_no_text_of_a_log_act(payload: str) -> None:
    rows = [
        _row("2026-11-02", 40, FLAG, project=payload, model=payload, agent_name=payload, title=payload, source=payload),
        _row("2026-11-09", 40, FLAG, title=None),
    ]
    trend, index = render_trends(rows), render_index([(row, None) for row in rows])
    harmless = [replace(row, project="p", model="m", agent_name="a", title="t", source="s") for row in rows]
    assert trend.count("<") == render_trends([harmless[0], rows[1]]).count("<")
    assert index.count("<") == render_index([(harmless[0], None), (rows[1], None)]).count("<")
    for page in (trend, index):
        assert "\x1b" not in page
        assert "\u202e" not in page


def test_a_list_without_pages_has_no_links() -> None:
    page = render_index([(_row(), None)])
    assert "<a " not in page
    assert "The parser breaks on nested quotes." in page


def test_the_difference_of_two_sessions() -> None:
    strength = RowCheck("V-red-green", "strength", "It failed and then passed.", None)
    a = _row("2026-11-02", 40, FLAG, _check(times=3), seconds=60.0)
    b = _row("2026-11-03", 75, _check(), strength, seconds=7200.0, cost=0.4)
    found = difference(a, b)
    assert [(pair.name, pair.change) for pair in found.grades[:1]] == [("overall", 35)]
    assert [c.id for c in found.only_a] == ["H-claim-contradicted"]
    assert [c.id for c in found.only_b] == ["V-red-green"]
    assert [c.id for c in found.both] == ["V-final-check"]
    console, stream = _console()
    print_difference(found, console)
    text = stream.getvalue()
    for part in ("+35", "1 min", "2 h 00 min", "$0.40", "in both  V-final-check"):
        assert part in text
    assert difference(a, replace(b, overall=None)).grades[0].change is None


def test_advice_comes_from_what_recurs_and_names_the_sessions() -> None:
    note = RowCheck("H-claim-not-shown", "note", "n", "Name the tests.")
    rows = [
        _row("2026-11-04", 50, _check(), note, root="/work/api", project="api", title="Sort <!-- the --> keys"),
        _row("2026-11-03", 50, _check(), note, root="/work/api", project="api", source="b.jsonl"),
        _row("2026-11-02", 50, _check("P-unread"), root="/work/api", project="api"),
        _row("2026-11-02", 50, FLAG, root="/work/web", project="web"),
    ]
    api, web = sections(rows)
    assert [(a.check, len(a.sessions), a.of) for a in api.advice] == [("V-final-check", 2, 3)]
    assert [a.check for a in web.advice] == ["H-claim-contradicted"]  # a flag once is enough
    assert [a.check for a in sections(rows, 1)[0].advice] == ["V-final-check", "P-unread"]
    text = markdown(api)
    assert text.startswith("## How to work in this repository\n\n- Run the tests.\n")
    assert "V-final-check, in 2 of 3 sessions:" in text
    assert "b.jsonl" in text
    assert text.count("-->") == 1
    assert text.endswith("-->\n")


def test_what_recurs_over_projects_only_is_advice_for_all_of_them() -> None:
    rows = [_row("2026-11-04", 50, _check(), root=f"/work/{name}", project=name) for name in ("api", "web", "cli")]
    *single, together = sections(rows)
    assert [section.advice for section in single] == [[], [], []]
    assert (together.project, together.root) == ("3 projects", None)
    assert [(a.check, len(a.sessions)) for a in together.advice] == [("V-final-check", 3)]
    assert found_once(rows) == ["V-final-check"]


def test_a_work_tree_belongs_to_its_repository(tmp_path: Path) -> None:
    main = tmp_path / "api"
    (main / ".git" / "worktrees" / "fix").mkdir(parents=True)
    (main / "src" / "deep").mkdir(parents=True)
    tree = tmp_path / "api-fix"
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {main}/.git/worktrees/fix\n")
    module = main / "vendor"
    module.mkdir()
    (module / ".git").write_text("gitdir: ../.git/modules/vendor\n")
    bare = tmp_path / "bare-tree"
    bare.mkdir()
    (bare / ".git").write_text(f"gitdir: {tmp_path}/tool.git/worktrees/bare-tree\n")
    assert repository(str(main / "src" / "deep")) == str(main)
    assert repository(str(tree)) == str(main)
    assert repository(str(module)) == str(module)
    assert repository(str(bare)) == f"{tmp_path}/tool.git"


@pytest.mark.parametrize(
    ("directory", "project"),
    [
        ("/home/ada/api", "/home/ada/api"),
        ("/home/ada/api/.claude/worktrees/fix/src", "/home/ada/api"),
        ("/home/ada/api/.worktrees/fix", "/home/ada/api"),
        ("/home/ada/.codex/worktrees/3f2a/api", "/home/ada/.codex/worktrees/api"),
        ("/home/ada/.cursor/worktrees/api/3f2a", "/home/ada/.cursor/worktrees/api"),
        ("C:\\src\\api", "C:\\src\\api"),
    ],
)
def test_a_directory_that_is_gone_is_known_by_its_path(directory: str, project: str) -> None:
    assert repository(directory) == project


def test_repositories_of_one_name_are_told_apart() -> None:
    assert project_names(["/a/x/cli", "/b/y/cli", "/c/web.git"]) == {
        "/a/x/cli": "x/cli",
        "/b/y/cli": "y/cli",
        "/c/web.git": "web",
    }


def test_each_part_of_a_line_has_its_own_style() -> None:
    stream = io.StringIO()
    console = Console(file=stream, width=200, force_terminal=True, color_system="standard")
    print_summary(summary([_row("2026-11-02", 50, _check())]), console)
    (most,) = [line for line in stream.getvalue().splitlines() if "most often" in line]
    assert "\x1b[1mV-final-check \x1b[0m" in most
    assert "in 1 of 1: The agent ran nothing" in most.split("\x1b[0m")[-1]
    print_difference(difference(_row("2026-11-02", 50), _row("2026-11-03", 50, _check())), console)
    (fired,) = [line for line in stream.getvalue().splitlines() if "No check passed." in line]
    assert fired.endswith("\x1b[0mNo check passed.")


@pytest.mark.parametrize("value", [0, 12, 13, 37, 38, 40, 62, 63, 74, 75, 87, 88, 100])
def test_a_grade_has_one_colour_wherever_it_is_shown(value: int) -> None:
    report = make_report()
    assert report.review.reading is not None
    report.review.overall = value
    stream = io.StringIO()
    console = Console(file=stream, width=100, force_terminal=True, color_system="standard")
    print_session(report, console)
    alone = re.search(rf"overall *\x1b\[0?m?\x1b\[1;(3\d)m *{value} ", stream.getvalue())
    assert alone is not None, stream.getvalue()
    listed = io.StringIO()
    print_sessions([summarise(report)], Console(file=listed, width=100, force_terminal=True, color_system="standard"))
    assert f"\x1b[1;{alone[1]}m{value:>5}" in listed.getvalue()
    tone = {"32": "pass", "33": "talk", "31": "fail"}[alone[1]]
    assert f'<td class="num total {tone}"' in render_index([(summarise(report), None)])
    assert f'class="gauge {tone}' in render_session(report)


def _frequent(*sessions: tuple[str, ...]) -> list[str]:
    """What is found most often in several sessions, by the checks of each."""
    console, stream = _console()
    rows = [_row("2026-11-02", 50, *(RowCheck(id, all_checks()[id].severity, "", None) for id in s)) for s in sessions]
    print_frequent(rows, console)
    return stream.getvalue().split("\n")


def test_of_what_is_found_most_often_flags_come_first_and_what_is_rare_is_counted() -> None:
    said = _frequent(("V-narrow", "R-bent-tests"), ("V-narrow", "P-unread"), ())
    assert said[1] == "Found most often"
    assert [line for line in said if " of 3  " in line] == [
        "   1 of 3  Made failing tests pass without repairing what they test (R-bent-tests)",
        "   2 of 3  Ran only single tests or test files for a larger change (V-narrow)",
        "   1 of 3  Edited a file that it had not read (P-unread)",
    ]
    assert "           AGENTS.md: Read a file before you edit it." in said
    many = ("V-narrow", "P-unread", "R-bent-tests", "R-loop", "V-untested-change", "I-leftovers", "I-prohibited")
    said = _frequent(many)
    assert sum(" of 1  " in line for line in said) == FREQUENT
    assert "Not shown: 2 rarer findings; " in " ".join(said)
    assert "Found most often" not in _frequent((), ())
