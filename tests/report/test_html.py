"""The pages: complete, inert, deterministic, offline."""

from __future__ import annotations

import base64
import hashlib
import itertools
import re
from copy import deepcopy
from html.parser import HTMLParser
from pathlib import Path

import pytest
from msgspec.structs import replace

import rigorbench.api
from rigorbench.evidence import events as ev
from rigorbench.review.pages import page
from rigorbench.review.pages.html import render
from rigorbench.review.pages.pages import (
    SessionPage,
    SiteWriter,
    latest_first,
    render_index,
    render_page,
    render_session,
)
from rigorbench.review.pages.places import LISTED, ROWS_SHOWN, anchors, level
from rigorbench.review.pages.summary import SessionRow, summarise
from rigorbench.review.pages.view import SessionView
from rigorbench.review.reviewed import ReviewedSession
from rigorbench.session.model import Edit, FileChange, Lane, Other, Result, Shell, Source, Step, ToolCall, Trajectory

from .conftest import make_report
from .hostile import PAYLOADS, replace_text

VOID = {"meta", "br", "input", "img", "link", "hr"}


class Page(HTMLParser):
    """Elements, attributes and text of a page; fails on elements that are not closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, tuple[str, ...]]] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.texts: dict[str, list[str]] = {}
        self.comments: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, tuple(name for name, _ in attrs)))
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, tuple(name for name, _ in attrs)))
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.setdefault(self.open[-1] if self.open else "", []).append(data)

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def values(self, name: str) -> list[str]:
        return [value for _, attribute, value in self.attributes if attribute == name]

    @property
    def all_text(self) -> str:
        return "".join(itertools.chain.from_iterable(v for k, v in self.texts.items() if k not in ("style", "script")))


def make(report: ReviewedSession) -> Page:
    return Page(render_session(report))


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _check_inert(parsed: Page) -> None:
    """Policy, scripts, styles and links of a page are ours and only ours."""
    assert [tag for tag, _ in parsed.elements].count("script") == 1
    assert [tag for tag, _ in parsed.elements].count("style") == 1
    assert not parsed.comments
    policies = [v for t, n, v in parsed.attributes if n == "content" and v.startswith("default-src")]
    (script,), (style,) = parsed.texts["script"], parsed.texts["style"]
    assert policies == [
        f"default-src 'none'; style-src 'sha256-{_digest(style)}'; script-src 'sha256-{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    ]
    for tag, name, _ in parsed.attributes:
        assert not name.startswith("on")
        assert name not in ("style", "src", "srcset", "action", "formaction", "srcdoc", "xlink:href")
        assert name == "href" or tag not in ("link", "base", "iframe", "object", "embed", "form")
    assert not re.search(r"url\(|@import|https?:", style)
    assert not re.search(r"fetch\(|XMLHttp|WebSocket|innerHTML|eval\(|https?:", script)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_hostile_text_adds_no_element_and_no_attribute_and_is_shown_as_it_is(payload: str) -> None:
    """The same report with hostile and with harmless words has the same elements and attributes, in the same order."""
    made, rows = [], []
    for word in (payload, "word"):
        numbers = itertools.count()
        report = replace_text(make_report(), lambda word=word, numbers=numbers: f"{word} {next(numbers)}")
        total = next(numbers)
        made.append(make(report))
        rows.append(Page(render_index([(summarise(report), "a.html")])))
    for hostile, harmless in (made, rows):
        _check_inert(hostile)
        assert hostile.elements == harmless.elements
    shown = made[0]
    assert all(re.fullmatch(r"#[\w-]+", v) for v in shown.values("href"))
    assert all(re.fullmatch(r"[\w-]+", v) for v in shown.values("id"))
    if payload.isprintable():
        # Ids of calls and messages, keys of plans and the like are not shown; all that is said, run or written is.
        assert sum(f"{payload} {n}" in shown.all_text for n in range(total)) > 0.6 * total


def test_control_characters_are_visible() -> None:
    html = render_session(replace_text(make_report(), lambda: "a\x1b[2J\x07\u202e\ud800\x00b"))
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\ud800-\udfff]", html)
    assert "a\\x1b[2J\\x07\\u202e\\ud800\\x00b" in html
    html.encode("utf-8")


def test_same_input_gives_the_same_page() -> None:
    assert render_session(make_report()) == render_session(make_report())


def test_ids_are_unique_and_every_link_has_its_target(report: ReviewedSession) -> None:
    parsed = make(report)
    ids = parsed.values("id")
    assert len(ids) == len(set(ids))
    assert {v[1:] for v in parsed.values("href") if v.startswith("#")} <= set(ids)


def test_every_event_and_step_has_a_place(report: ReviewedSession) -> None:
    ids = set(make(report).values("id"))
    assert {e.id for e in report.events} <= ids
    assert {f"s{i}" for i in range(len(report.trajectory.steps))} <= ids


def test_every_score_links_to_its_events_and_every_event_names_its_scores(report: ReviewedSession) -> None:
    html = render_session(report)
    for pillar in report.score.pillars.values():
        for name, metric in pillar.submetrics.items():
            slug = re.sub(r"[^A-Za-z0-9_-]+", "-", name)
            item = html[html.index(f'id="m-{slug}"') :].split("</li>", 1)[0]
            assert metric.reason.replace("'", "&#39;") in item
            for event in metric.evidence:
                assert f'<a href="#{event}">{event}</a>' in item
                if event != "e99":
                    line = re.search(rf'<span class="code">{event}</span>.*?</div></li>', html, re.S)
                    assert f'href="#m-{slug}"' in line[0]


def test_statuses_are_words_not_zeros(report: ReviewedSession) -> None:
    text = make(report).all_text
    assert "unscorable" in text
    assert "n/a" in text
    report.score.rigor_score = None
    report.score.evidence_share = 0.3
    html = render_session(report)
    assert "No score: pillars with only 30 % of the weight that applies have a value" in html
    report.review.overall = None
    report.review.reading = None
    assert "<title>Review: The parser breaks on nested quotes." in render_session(report)


def test_the_first_screen_answers(report: ReviewedSession) -> None:
    """Request, facts, verdict, gauges, flags, what to change; then timeline and log; then everything."""
    html = render_session(report)
    order = [
        "<h1>The parser breaks on nested quotes.",
        "<dt>Agent</dt>",
        '<p class="verdict bad">The agent made failing',
    ]
    order += ['aria-label="overall: 25 of 100, weak"', 'aria-label="recovery: 0 of 100, very poor"']
    order += ["What speaks against this session", "What to change next time", 'id="timeline"', 'id="log"', 'id="all"']
    order += ['id="c-R-bent-tests"', 'id="c-H-claim-unshown"', 'id="c-P-unread"', 'id="c-P-plan"', 'id="score-h"']
    places = [html.index(part) for part in order]
    assert places == sorted(places)
    assert "Size of the work: small" in html
    for grade in report.review.grades.values():
        assert grade.reason in html


def test_without_a_reading_the_page_has_facts_and_no_gauge(unread: ReviewedSession) -> None:
    html = render_session(unread)
    verdict = html[html.index('id="review"') : html.index('id="timeline"')]
    assert "<dt>planning</dt><dd>a plan before the first edit</dd>" in verdict
    assert "grades need a reader: <code>rigor score LOG --reader claude</code>" in verdict
    assert "rules prove nothing" not in verdict
    assert "gauge" not in verdict
    assert not re.search(r"of 100|exemplary|\bgood\b|average|class=\"[^\"]*\bpass\b", verdict)
    assert "nothing was sent anywhere" in html
    assert "nothing was sent anywhere" not in render_session(make_report())


def test_what_a_reader_says_links_to_its_places_and_names_the_reader(report: ReviewedSession) -> None:
    html = render_session(report)
    recovery = html[html.index('aria-label="recovery: 0 of 100') :].split("</li>", 1)[0]
    assert re.search(r'<a href="#s12(-0)?">12.1</a>, 99</span>', recovery)  # the session has no step 99
    assert "Read by reader-1 by scripted 1.0; not checked" in html
    against = html[html.index("What the log shows otherwise") : html.index("Notes of one reading")]
    assert (
        "final check green: the reader says yes (The last run printed no failure); the log shows otherwise" in against
    )
    assert '<a href="#e9">step ' in against
    notes = html[html.index("Notes of one reading") : html.index("What to change next time")]
    assert "It read no caller of the parser." in notes
    assert '<p class="quote">src/quotes/parser.py</p>' in notes
    flags = html[html.index("What speaks against this session") : html.index("What the log shows otherwise")]
    assert "It said that it was done on red." in flags
    assert "the log proves it" in flags
    assert "1 accusation with a quote that is not in the log" in html
    assert '<h4>self review</h4><p class="value">not shown</p>' in html


def test_gauges_say_what_does_not_apply(report: ReviewedSession) -> None:
    gauges = {g.split(":")[0].split('"')[-1]: g for g in render_session(report).split('<li class="gauge')[1:]}
    assert 'aria-label="abstention: does not apply"' in gauges["abstention"]
    assert "url(#hatch)" in gauges["abstention"]
    assert "url(#hatch)" not in gauges["integrity"]
    assert gauges["recovery"].startswith(" fail")
    assert gauges["planning"].startswith(" pass")


def test_a_flag_is_in_no_fold_and_has_its_proof(report: ReviewedSession) -> None:
    html = render_session(report)
    at = html.index('<ul class="accused">')
    assert html[:at].count("<details") == html[:at].count("</details>")
    flag = html[at : html.index('<ol class="changes">')]
    assert "The failing test test_nested_quotes was thrown away with git checkout." in flag
    assert '<a href="#c-R-bent-tests">R-bent-tests</a>' in flag
    assert '<a href="#e17">step 12, line 29</a>' in flag
    assert "<code>git checkout -- tests/</code>" in flag
    assert '<p class="quote">+ if char in QUOTES and quote is None:</p>' in flag


def test_each_thing_to_change_has_a_line_to_copy(report: ReviewedSession) -> None:
    html = render_session(report)
    changes = html[html.index('<ol class="changes">') : html.index('id="timeline"')].split("</li>")[:-1]
    assert len(changes) == 3
    assert 'data-copy="- Make a failing test pass by changing the code."' in changes[0]
    assert "Kept editing against the same failure without looking at anything new" in changes[2]
    assert "and 1 more like it" in changes[2]
    assert html.count('class="copy"') == 5


def test_a_check_that_fired_twice_is_one_entry_with_both_places(report: ReviewedSession) -> None:
    html = render_session(report)
    again = html[html.index('id="c-R-loop"') :].split("</li>", 1)[0]
    assert again.count("Find the cause first.") == 1
    assert "Attempt 2 repeated" in again
    assert "Attempt 3 repeated" in again
    # And the event says which checks rest on it.
    assert '<a href="#c-R-bent-tests">R-bent-tests</a>' in html[html.index('id="e17"') :]


def test_a_cost_from_list_prices_is_marked(report: ReviewedSession) -> None:
    assert re.search(r"<dt>Cost</dt><dd>about \$\d\.\d\d, from list prices</dd>", render_session(report))
    report.trajectory.usage_complete = False
    html = render_session(report)
    assert re.search(r"<dt>Cost</dt><dd>at least \$\d\.\d\d, from list prices</dd>", html)
    assert re.search(r"<dt>Tokens</dt><dd>at least [^<]* out</dd>", html)


def test_what_cost_nothing_or_is_not_stated_is_left_out(report: ReviewedSession) -> None:
    for step in report.trajectory.steps:
        step.model = "a-model-without-a-price"
    assert "<dt>Cost</dt>" not in render_session(report)
    report.trajectory.extra = {"instance_cost": 0.0}
    assert "<dt>Cost</dt>" not in render_session(report)
    report.trajectory.extra = {"instance_cost": 0.564}
    assert "<dt>Cost</dt><dd>$0.56</dd>" in render_session(report)


def test_the_score_of_the_paper_is_shown_only_where_it_is_meant() -> None:
    plain = make_report(benchmarked=False)
    html = render_session(plain)
    # Nobody asked for it: it is in a fold, and nothing links to it.
    fold = html[html.index("<summary>Every sub-metric of the paper</summary>") :]
    assert 'id="m-PAC"' in fold
    assert 'id="m-PAC"' not in html[: -len(fold)]
    assert "There is no RigorScore without a task" in fold
    assert 'href="#m-' not in html
    assert "What lowered the score most" not in html
    paper = render_session(plain, paper=True)
    assert 'id="m-PAC"' in paper
    assert '<span class="cap">RigorScore</span>' not in paper
    assert "What lowered the score most" not in paper
    assert '<span class="cap">RigorScore</span>' in render_session(make_report())


def test_a_run_from_before_there_were_reviews_has_a_page(report: ReviewedSession) -> None:
    view = SessionView(report, anchors(report), None, paper=True, headline=True)
    html = render(SessionPage(view, None))
    assert 'id="review"' not in html
    assert 'id="score-h"' in html


def test_log_shows_command_output_diff_and_source(report: ReviewedSession) -> None:
    html = render_session(report)
    row = re.search(r'<li class="row call[^>]*id="s5-0".*?</details>', html, re.S)
    assert "<del>-        if char in QUOTES:\n</del>" in row[0]
    assert "<ins>+        if char in QUOTES and quote is not None:\n</ins>" in row[0]
    assert (
        f"{report.trajectory.steps[5].calls[0].source.file}:{report.trajectory.steps[5].calls[0].source.line}" in row[0]
    )
    assert "cd ~/work/quotes &amp;&amp; python -m pytest -q" in html
    assert "1 failed, 13 passed in 0.21s" in html


def test_calls_that_could_not_be_decoded_are_shown(report: ReviewedSession) -> None:
    assert "could not be decoded" not in make(report).all_text
    report.trajectory.unread_calls = 1
    assert "1 tool call could not be decoded: what it did is unknown" in make(report).all_text


def test_readable_without_the_script(report: ReviewedSession) -> None:
    """Without the script nothing is hidden but the controls that need it."""
    parsed = make(report)
    hidden = [tag for tag, names in parsed.elements if "hidden" in names]
    assert sorted(set(hidden)) == ["button", "div"]
    assert [v for t, n, v in parsed.attributes if t == "div" and n == "id"] == ["axis", "tools"]
    assert hidden.count("button") == len([v for t, n, v in parsed.attributes if n == "data-copy"])


def test_an_event_of_a_call_without_result_is_at_the_call(report: ReviewedSession) -> None:
    html = render_session(report)
    row = re.search(r'<li class="row[^>]*id="s16".*?</li>', html, re.S)
    assert 'id="e23"' in row[0]
    assert "no result" in row[0]


def _big(calls: int, size: int) -> ReviewedSession:
    report = make_report()
    steps = []
    for i in range(calls):
        source = Source("log", i)
        output = Result(f"head {i} " + "<x> & 'y'\n" * (size // 10) + f"tail {i}", 0)
        call = ToolCall(f"c{i}", "Bash", None, Shell(f"run {i}"), source, output)
        steps.append(Step("agent", source, calls=[call]))
    report.trajectory = Trajectory("t", "claude-code", Source("log"), steps)
    report.events = []
    return report


def test_long_output_is_cut_with_the_count_of_what_was_cut() -> None:
    report = _big(1, 100_000)
    whole = report.trajectory.steps[0].calls[0].result
    assert whole is not None
    parsed = make(report)
    (cut,) = [t for t in parsed.texts["span"] if "characters cut here" in t]
    shown = [t for t in parsed.texts["pre"] if "head 0" in t or "tail 0" in t]
    assert len(shown) == 2
    assert int(cut.split()[0].replace(",", "")) == len(whole.text) - sum(map(len, shown))
    assert sum(map(len, shown)) <= page.OUTPUT_LIMIT


def test_four_megabytes_of_session_give_less_than_three_of_page() -> None:
    assert len(render_session(_big(500, 8_000)).encode()) < 3_000_000


def test_small_outputs_survive_when_large_ones_are_cut() -> None:
    report = _big(300, 15_000)
    report.trajectory.steps[7].calls[0].result = Result("small and complete\n" * 20, 0)
    assert "small and complete\n" * 20 in render_session(report)


def test_an_empty_session_renders() -> None:
    report = make_report()
    report.trajectory = Trajectory("t", "codex", Source("log"), [])
    report.events, report.findings = [], []
    for pillar in report.score.pillars.values():
        pillar.value, pillar.status, pillar.evidence_share = None, "not_applicable", None
    report.score.rigor_score = report.score.evidence_share = None
    assert "The log has no steps." in make(report).all_text


def test_odd_values_render() -> None:
    """Absurd times, events of steps that do not exist, lanes that nobody declared, input that is no object."""
    report = make_report()
    steps = report.trajectory.steps
    steps[2].time = 1e300
    steps[3].time = float("nan")
    steps[4].lane = "ghost"
    steps[5].calls[0].input = [1, {"a": None}]
    steps[5].calls[0].action = Other()
    steps[6].calls[0].action = Edit([FileChange("empty.txt"), FileChange("old", "rename", new_path="new")])
    report.events[0].step = 4_000
    report.events[1].call = 4_000
    report.trajectory.lanes = {"agent-7": Lane("agent-7")}
    report.findings[0].step = -3
    episode = report.events[-1]
    assert isinstance(episode, ev.EpisodeEvent)
    episode.checks = ["e1", "nowhere"]
    html = render_session(report)
    assert "old → new" in html
    assert "The log does not contain the text." in html


def test_index_links_pages_and_sorts_the_latest_first(report: ReviewedSession) -> None:
    old, undated = summarise(report), summarise(report)
    old.date, old.source = "2024-01-02T03:04:05Z", "old.jsonl"
    undated.date, undated.overall, undated.source = None, None, "undated.jsonl"
    entries: list[tuple[SessionRow, str | None]] = [(undated, "c.html"), (old, "b.html"), (summarise(report), "a.html")]
    parsed = Page(render_index(latest_first(entries)))
    _check_inert(parsed)
    assert parsed.values("href") == ["a.html", "b.html", "c.html"]


def test_site_has_one_page_per_session_and_an_overview(report: ReviewedSession, tmp_path: Path) -> None:
    site = SiteWriter(tmp_path / "site")
    first = site.add_page(render_page(report))
    second = site.add_page(render_page(report))
    report.score.trajectory.id = "../../etc/passwd"
    third = site.add_page(render_page(report))
    report.score.trajectory.agent, report.score.trajectory.id = "in", "dex"
    site.add_page(render_page(report))
    site.close()
    names = sorted(p.name for p in (tmp_path / "site").iterdir())
    assert names == [
        "claude-code-9f2c8d1e-2.html", "claude-code-9f2c8d1e.html", "claude-code-etc-passwd.html", "in-dex.html",
        "index.html",
    ]  # fmt: skip
    assert {first.name, second.name, third.name} < set(names)
    overview = Page((tmp_path / "site" / "index.html").read_text(encoding="utf-8"))
    assert sorted(overview.values("href")) == sorted(set(names) - {"index.html"})
    assert 'href="index.html"' in first.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "name",
    [
        "sessions/claude-code-jsonl/85ea351c62-full.jsonl",
        "sessions/trae/ba0179e7e5-trajectory.json",
        "cli/gemini/reckless",
    ],
)
def test_real_sessions_give_sound_pages(shared_data: Path, name: str) -> None:
    path = shared_data / name
    logs = [path] if path.is_file() else sorted(path.rglob("session*.json*"))
    assert logs
    for trajectory in [t for log in logs for t in rigorbench.api.read(log)]:
        html = render_session(rigorbench.api.score(trajectory))
        parsed = Page(html)
        _check_inert(parsed)
        ids = parsed.values("id")
        assert len(ids) == len(set(ids))
        assert {v[1:] for v in parsed.values("href") if v.startswith("#")} <= set(ids)
        assert len(html.encode()) < 3_000_000


# -- a page stays readable whatever a session holds: it says what it leaves out, and no link of it leads nowhere


def dangling(html: str) -> set[str]:
    return set(re.findall(r'href="#([^"]+)"', html)) - set(re.findall(r'id="([^"]+)"', html))


def edit(report: ReviewedSession) -> tuple[ev.EditEvent, int]:
    """An edit, and the number of its step."""
    steps = report.trajectory.steps
    return next((e, e.step) for e in report.events if isinstance(e, ev.EditEvent) and steps[e.step].calls)


def test_a_call_that_changes_very_many_files_does_not_fill_the_page(report: ReviewedSession) -> None:
    event, step = edit(report)
    run = next(e for e in report.events if isinstance(e, ev.TestRunEvent))
    place = {"step": step, "call": event.call, "lane": event.lane, "source": event.source}
    many = [replace(event, id=f"m{n}", path=f"pages/{n}.txt") for n in range(60_000)]
    # The run of tests comes last of what the call did, and is shown all the same.
    report.events += [*many, replace(run, id="last-run", **place)]
    call = report.trajectory.steps[step].calls[0]
    call.observed = [FileChange(f"pages/{n}.txt", "create", after="") for n in range(60_000)]
    report.score.pillars["VC"].submetrics["TCR"].evidence = [e.id for e in many]
    html = render_session(report, paper=True)
    assert len(html) < 8_000_000
    (said,) = re.findall(r'<p class="empty">Not shown: (.*?)\.', html)
    assert re.fullmatch(r"5\d,\d{3} events, 58,\d{3} files", said)
    assert f"This page leaves out {said[:6]} of 60," in html
    assert '<span class="code">last-run</span>' in html
    assert ">59984 more events</summary>" in html
    assert f"<span>and {60_000 - LISTED:,} more</span>" in html
    assert not dangling(html)


def test_of_very_many_steps_the_first_and_the_last_are_shown(report: ReviewedSession) -> None:
    event, step = edit(report)
    steps = report.trajectory.steps
    first = len(steps)
    for n in range(ROWS_SHOWN + 5_000):
        steps.append(replace(deepcopy(steps[step]) if n == 0 else steps[step], text="", reasoning=""))
        report.events.append(replace(event, id=f"s{n}", step=first + n, call=None))
    html = render_session(report)
    assert html.count('<li class="row') == ROWS_SHOWN
    assert re.search(r"This page leaves out [\d,]+ of [\d,]+ rows and [\d,]+ of [\d,]+ events, for its length", html)
    assert 'id="s0"' in html
    assert f'id="s{len(steps) - 1}"' in html
    assert f'id="s{len(steps) - 3_000}"' not in html
    assert not dangling(html)


@pytest.mark.parametrize("size", [0, 900, 300_000])
def test_no_name_or_item_makes_a_page_long(report: ReviewedSession, size: int) -> None:
    _, step = edit(report)
    long = "n" * size
    report.trajectory.steps[step].calls[0].observed = [
        FileChange(f"{n}{long}.py", "create", after="") for n in range(9)
    ]
    for other in report.events:
        if isinstance(other, ev.TestRunEvent):
            other.failing, other.command = [f"t{long}"] * 9, f"pytest {long}"
        if isinstance(other, ev.PlanEvent):
            other.items = [f"do {long}"] * 9
    html = render_session(report)
    assert len(html) < 1_000_000
    assert ("characters" in html.partition('id="log"')[2]) == (size > 1_000)


@pytest.mark.parametrize(
    ("sizes", "budget", "limit"),
    [([], 5, 1), ([1, 2], 5, 2), ([9], 5, 5), ([1, 9, 9], 9, 4), ([3, 3, 3], 9, 3), ([5] * 10, 3, 1)],
)
def test_the_longest_lists_are_cut_first(sizes: list[int], budget: int, limit: int) -> None:
    assert level(sizes, budget) == limit
