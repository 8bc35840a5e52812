"""Judges against people: scripted judges whose accuracy and leniency are known beforehand."""

from __future__ import annotations

import json
import random
from pathlib import Path

import msgspec
import pytest

from labels.label_builders import commit_sheet, episode_sheet, label_all, labelled, plan_sheet, vote
from panel_votes import exam
from rigorbench.cli import main
from rigorbench.panel.agreement.calibration import calibrate
from rigorbench.panel.agreement.ratings import panel_majority
from rigorbench.panel.agreement.validate import Comparison, Validation, inter_judge, validate
from rigorbench.panel.agreement.validate_tables import Table, markdown, number, tables
from rigorbench.panel.labels.model import Sheet
from rigorbench.panel.labels.store import Labels, load
from rigorbench.panel.model import Excerpt, Vote
from rigorbench.panel.votes import VoteStore
from rigorbench.stats.agreement import Estimate

PLANS = [plan_sheet(n, items=5) for n in range(12)]


def truth(sheet: Sheet, question: str, item: str | None) -> bool:
    """What people say: no to a third of all, whatever it is."""
    return random.Random(f"{sheet.digest}{question}{item}").random() > 1 / 3


def judge(seat: str, sheets: list[Sheet], *, no_to_yes: float = 0.0, yes_to_no: float = 0.0) -> list[Vote]:
    """Votes that tell the truth except for given shares, drawn by a fixed seed."""
    draw = random.Random(seat)

    def say(sheet: Sheet, question: str, item: str | None) -> bool:
        right = truth(sheet, question, item)
        return right != (draw.random() < (yes_to_no if right else no_to_yes))

    return [vote(s.case, seat, lambda q, i, s=s: say(s, q, i)) for s in sheets]  # type: ignore[misc]


def one(found: Validation, name: str, question: str | None = None, against: str = "(majority)") -> Comparison:
    (comparison,) = [
        c for c in found.comparisons if (c.judge, c.question, c.against) == (name, question, against)
    ]  # fmt: skip
    return comparison


def between(estimate: Estimate) -> tuple[float, float]:
    assert estimate.low is not None, estimate.reason
    assert estimate.high is not None
    return estimate.low, estimate.high


@pytest.fixture(scope="module")
def labels(tmp_path_factory: pytest.TempPathFactory) -> Labels:
    return labelled(tmp_path_factory.mktemp("labels"), PLANS, truth)


def test_a_perfect_judge(labels: Labels) -> None:
    found = one(validate(labels, judge("perfect", PLANS)), "perfect")
    assert (found.n, found.cases, found.sessions) == (12 * (4 * 5 + 3), 12, 12)
    assert found.accuracy.value == found.kappa.value == found.ac1.value == 1.0
    assert found.leniency.value == 0.0
    assert set(found.confusion) == {"yes", "no"}
    assert all(list(row) == [human] for human, row in found.confusion.items())


def test_a_lenient_judge_is_told_from_a_noisy_one(labels: Labels) -> None:
    """Half of all no become yes: leniency .5, accuracy 1 - .5/3. Noise of the same size in both ways: leniency 0."""
    votes = judge("lenient", PLANS, no_to_yes=0.5) + judge("noisy", PLANS, no_to_yes=0.25, yes_to_no=0.25)
    found = validate(labels, votes)
    lenient, noisy = one(found, "lenient"), one(found, "noisy")
    low, high = between(lenient.leniency)
    assert low < 0.5 < high
    assert low > 0.2
    low, high = between(noisy.leniency)
    assert low < 0 < high
    low, high = between(lenient.accuracy)
    assert low < 1 - 0.5 / 3 < high
    assert 0 < (lenient.kappa.value or 0) < 1
    where = [x for x in found.lenient if x.judge == "lenient"]
    assert len(where) == lenient.confusion["no"]["yes"]
    shown = next(x for x in where if x.item is not None)
    assert not truth(next(s for s in PLANS if s.digest == shown.case), shown.question, shown.item)
    assert shown.text.startswith(f"Step {shown.item} of plan")


def test_where_yes_speaks_against_the_agent_leniency_is_saying_no(tmp_path: Path) -> None:
    sheets = [commit_sheet(n) for n in range(6)]
    people = labelled(tmp_path, sheets, lambda s, q, i: q == "overclaims" and int(s.subject[1:]) % 2 == 0)
    votes = [vote(s.case, "blind", lambda q, i: False) for s in sheets]
    found = validate(people, votes)
    assert one(found, "blind", "overclaims").leniency.value == 1.0
    assert {x.question for x in found.lenient} == {"overclaims"}
    assert one(found, "blind", "imperative").leniency.reason == "people never favour the agent here"


def test_the_panel_is_better_than_its_members(labels: Labels) -> None:
    votes = [v for seat in "abc" for v in judge(seat, PLANS, no_to_yes=0.25, yes_to_no=0.25)]
    found = validate(labels, votes)
    panel = one(found, "panel").accuracy.value
    assert panel is not None
    # Three independent judges of .75: .84 together.
    assert panel > max(one(found, seat).accuracy.value or 1 for seat in "abc")


def test_majority_of_judges() -> None:
    a, b, c = ("p", "q", None), ("p", "r", None), ("p", "s", None)
    assert panel_majority([{a: True, b: True}, {a: True, b: False, c: True}, {a: False}]) == {a: True}


def test_people_disagree_and_each_can_be_asked(tmp_path: Path) -> None:
    for name, answer in (("ada", True), ("bob", True), ("cyd", False)):
        label_all(tmp_path, name, [commit_sheet(1)], lambda s, q, i, answer=answer: answer)  # type: ignore[misc]
    people = load(tmp_path)
    votes = [vote(commit_sheet(1).case, "yes", lambda q, i: True)]
    found = validate(people, votes, each=True)
    assert one(found, "yes").accuracy.value == 1.0
    assert one(found, "yes", against="cyd").accuracy.value == 0.0
    assert found.humans[0].agreement.raters == 3
    assert found.humans[0].agreement.raw.value == pytest.approx(1 / 3)


def test_ties_and_cannot_tell_leave_a_point_out_and_are_counted(tmp_path: Path) -> None:
    sheet = commit_sheet(1)
    label_all(tmp_path, "ada", [sheet], lambda s, q, i: None if q == "imperative" else True)
    label_all(tmp_path, "bob", [sheet], lambda s, q, i: q == "imperative")
    found = validate(load(tmp_path), [vote(sheet.case, "yes", lambda q, i: True)])
    assert one(found, "yes").n == 1
    assert found.left_out == {'answers "cannot tell"': 1, "points on which labellers are tied": 2}


def test_no_votes_and_other_cases_have_reasons(labels: Labels) -> None:
    votes = judge("elsewhere", [plan_sheet(99)])
    found = validate(labels, votes)
    assert one(found, "elsewhere").accuracy == Estimate(reason="elsewhere answered no labelled point")
    assert validate(labels, []).comparisons == []
    stale = [msgspec.structs.replace(v, rubric="0" * 64) for v in judge("old", PLANS)]
    assert validate(labels, stale).judges == []
    assert validate(labels, stale).left_out == {"votes on questions that have changed since": 12}


def test_features_and_the_own_reading_of_logs_are_judges_too(tmp_path: Path) -> None:
    sheets = [commit_sheet(n) for n in range(3)] + [episode_sheet(n) for n in range(4)]
    people = labelled(tmp_path, sheets, lambda s, q, i: {"resolved": "masked", "attempts": 2}.get(q, True))
    found = validate(people, [], features=True)
    assert one(found, "features", "imperative").accuracy.value == 1.0
    assert one(found, "rigor", "error").accuracy.value == 1.0
    assert one(found, "rigor", "resolved").confusion == {"masked": {"green": 4}}
    # Each says one thing throughout, and never the same: 1 - 1 / (2 * 4 * 4 / (8 * 7)).
    assert one(found, "rigor", "attempts").alpha_ordinal.value == pytest.approx(-0.75)
    assert {f.name: f.method for f in found.judges} == {"features": "estimated", "rigor": "parsed"}


def test_two_judges_of_one_seat_are_told_apart(labels: Labels) -> None:
    votes = judge("first", PLANS[:1]) + [msgspec.structs.replace(v, model="other") for v in judge("first", PLANS[:1])]
    assert {f.name for f in validate(labels, votes).judges} == {"first (test/first, )", "first (other, )", "panel"}


def test_judges_among_each_other() -> None:
    votes = judge("a", PLANS) + judge("b", PLANS) + judge("c", PLANS[:6], no_to_yes=1.0, yes_to_no=1.0)
    found = inter_judge(votes)
    assert set(found) == {"plan"}
    assert (found["plan"].raters, found["plan"].subjects) == (3, 12 * 23)
    # On the first half one of three pairs agrees, on the second the only one.
    assert found["plan"].raw.value == pytest.approx((1 / 3 + 1) / 2)
    assert inter_judge([]) == {}
    failed = [msgspec.structs.replace(v, status="failed", answers=[]) for v in judge("a", PLANS)]
    assert inter_judge(failed) == {}


def test_unanimous_verdicts_are_right_more_often_than_split_ones(labels: Labels) -> None:
    """Three independent judges that are right p = .8 of the time: 3-0 is right p^3 / (p^3 + q^3) = .985, 2-1 is p."""
    votes = [v for seat in "xyz" for v in judge(seat, PLANS, no_to_yes=0.2, yes_to_no=0.2)]
    (found,) = calibrate(labels, votes)
    assert found.unanimous_n + found.split_n == found.n == 276
    assert (found.unanimous.value or 0) > 0.95
    low, high = between(found.split)
    assert low < 0.8 < high
    assert between(found.gain)[0] > 0
    shares = [b.people.value or 0.0 for b in found.bins]
    assert [(b.yes, b.votes) for b in found.bins] == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert shares == sorted(shares)
    low, high = between(found.gap)
    assert low < 2 / 3 * 0.8 + 1 / 3 * 0.2 - 2 / 3 < high


def test_numbers() -> None:
    assert [number(x) for x in (0.834, -0.021, 1.0, 0.0, -0.001, -1.0, 0.999)] == [
        ".83", "-.02", "1.00", ".00", ".00", "-1.00", "1.00",
    ]  # fmt: skip


def test_markdown_of_hostile_text() -> None:
    table = Table("T", ["a", "b"], 2, 1, rows=[["x | y", "<script>\n`a` \x1b[31m"]])
    table.rows.append([table.cell(Estimate(0.5, reason="too few")), ""])
    lines = markdown([table]).splitlines()
    assert lines[4] == r"| x \| y | \<script\> \`a\` \\x1b\[31m |"
    assert lines[5] == "| .50 (1) |  |"
    assert lines[7] == "(1) too few  "


def test_every_missing_cell_has_a_reason_below(labels: Labels) -> None:
    found = tables(validate(labels, judge("perfect", PLANS), features=True), {}, [], [])
    for table in found:
        for row in table.rows:
            for cell in row[table.left :]:
                if "(" in cell:
                    assert int(cell.split("(")[1].rstrip(")")) <= len(table.notes)
        assert all(table.notes)


def write(directory: Path, votes: list[Vote]) -> None:
    """A votes directory in which the votes count: their judges have passed."""
    store = VoteStore(directory)
    for model in {v.model for v in votes}:
        store.add_exam(exam(model, judge=""))
    for v in votes:
        store.add(msgspec.structs.replace(v, answered_by=v.model))


def test_the_command(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    label_all(tmp_path / "labels", "ada", PLANS[:4], truth)
    write(tmp_path / "votes", judge("a", PLANS[:4]) + judge("b", PLANS[:4], no_to_yes=1.0))
    words = ["panel", "validate", "--labels", str(tmp_path / "labels"), "--votes", str(tmp_path / "votes")]
    assert main([*words, "--json", "--features"]) == 0
    document = json.loads(capfd.readouterr().out)
    assert document["schema"] == "rigor-panel-validate/1"
    judges = [x["name"] for x in document["validation"]["judges"]]
    assert judges == ["a", "b", "panel", "features"]
    assert document["inter_judge"]["plan"]["raters"] == 2
    assert document["calibration"][0]["kind"] == "plan"
    assert main([*words, "--markdown"]) == 0
    assert "## Judges against people" in capfd.readouterr().out
    assert main(words) == 0
    shown = capfd.readouterr().out
    assert "Judges among each other" in shown
    assert "\x1b" not in shown


def test_votes_that_do_not_count_are_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    store = VoteStore(tmp_path / "votes")
    store.add(judge("a", PLANS[:1])[0])
    assert main(["panel", "validate", "--votes", str(tmp_path / "votes")]) == 1
    assert "no judge has passed the present entrance exam" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "give --labels"),
        (["--labels", "{d}/none"], "no such directory"),
        (["--votes", "{d}/none"], "no such directory"),
        (["--votes", "{d}", "--bias"], "--panel"),
        (["--votes", "{d}", "--panel", "x"], "only for --bias"),
        (["--votes", "{d}", "--json", "--markdown"], "not both"),
    ],
)
def test_wrong_usage_is_one_line(
    tmp_path: Path, words: list[str], told: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["panel", "validate", *(w.format(d=tmp_path) for w in words)]) == 2
    found = capfd.readouterr().err
    assert told in found
    assert len(found.splitlines()) == 1


# -- the review against people


def _finding(number: int, check: str, session: str) -> Sheet:
    return Sheet(
        kind="finding",
        session=session,
        subject=f"{check} {number}",
        excerpts=(Excerpt("finding", f"{number}: nothing passed after the last edit"),),
        found={"right": True},
    )


def test_the_precision_of_each_check_is_what_people_find_right(tmp_path: Path) -> None:
    sheets = [_finding(n, "V-narrow" if n < 4 else "I-leftovers", f"s{n // 2}") for n in range(6)]

    def say(sheet: Sheet, question: str, _item: str | None) -> bool:
        number = int(sheet.subject.split()[1])
        return number != 0 if question == "right" else number in (1, 4)

    found = validate(labelled(tmp_path, sheets, say), [])
    by = {f.check: (f.n, f.right, f.worth, f.sessions) for f in found.findings}
    assert by == {"I-leftovers": (2, 2, 1, 1), "V-narrow": (4, 3, 1, 2)}
    right = one(found, "rigor", "right")
    assert (right.n, right.accuracy.value) == (6, pytest.approx(5 / 6))
    (table,) = [t for t in tables(found, {}, [], []) if t.title.startswith("Findings")]
    assert ["V-narrow", "4", "3 (.75)", "1", "2"] in table.rows


def test_grades_are_compared_on_their_order(tmp_path: Path) -> None:
    def sheet(n: int) -> Sheet:
        step = (0, 25, 50, 75, 100)[n % 5]
        shown = (Excerpt("edit", f"change {n}"),)
        return Sheet(kind="grades", session=f"s{n}", subject="review", excerpts=shown, found={"overall": step})

    sheets = [sheet(n) for n in range(10)]
    found = validate(labelled(tmp_path, sheets, lambda s, q, _: s.found["overall"] if q == "overall" else None), [])
    overall = one(found, "rigor", "overall")
    assert (overall.n, overall.accuracy.value, overall.alpha_ordinal.value) == (10, 1.0, 1.0)
    # One step off for all but the highest: the order still agrees, the values do not.
    near = tmp_path / "near"
    shifted = labelled(near, sheets, lambda s, q, _: min(100, s.found["overall"] + 25) if q == "overall" else None)
    overall = one(validate(shifted, []), "rigor", "overall")
    assert overall.accuracy.value == pytest.approx(0.2)
    assert overall.alpha_ordinal.value is not None
    assert 0.5 < overall.alpha_ordinal.value < 1
