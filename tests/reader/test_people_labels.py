"""``rigor labels``: forms out; labels in, as Label Studio and a spreadsheet write them; agreement by hand."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("scipy", reason="agreement needs the extra report")
from scipy.stats import spearmanr

from judged_answers import whole
from rigorbench.cli import main
from rigorbench.review.reader.label_agreement import PEOPLE, AgreementRow, compare
from rigorbench.review.reader.labels import POINTS, Label, LabelError, read_labels
from rigorbench.review.reader.reading import FACTS, Answer, Fact, GradeMark
from rigorbench.review.reader.request import GRADES, PROMPT_VERSION, Reply
from rigorbench.review.reader.store import AnswerStore

LOG = next((Path(__file__).parent.parent / "data" / "pi").glob("*.jsonl"))
SHA = "ab" * 32


@pytest.fixture(autouse=True)
def _own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["labels", *words])
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return status, out, err


def label(digest: str = SHA, who: str = "ada", **points: Any) -> Label:
    grades = {name: value for name, value in points.items() if name in GRADES}
    facts = {name: value for name, value in points.items() if name in FACTS}
    return Label(digest=digest, prompt=PROMPT_VERSION, labeller=who, grades=grades, facts=facts)


def taken(data: object, **options: str) -> list[Label | LabelError]:
    text = data if isinstance(data, str) else json.dumps(data)
    return list(read_labels(text.encode(), **options))


# -- out


def test_the_interface_asks_every_point_with_its_explanation_and_the_tasks_fit_it(capsys) -> None:
    assert run(capsys, "export", str(LOG), "--out", "f")[0] == 0
    root = ET.fromstring(Path("f/label-studio.xml").read_text())
    choices = {c.get("name"): [v.get("value") for v in c] for c in root.iter("Choices")}
    assert tuple(choices) == tuple(POINTS)
    assert choices["overall"] == ["1", "2", "3", "4", "5", "none"]
    assert choices["leftovers"] == ["yes", "no", "unknown"]
    titles = [h.get("value", "") for h in root.iter("Header")]
    for name in POINTS:
        [title] = [t for t in titles if t.startswith(f"{name}: ")]
        assert len(title) > len(name) + 20
        assert "$" not in title, "Label Studio would take it for a field of the task"
    objects = {o.get("name"): o.get("value", "").removeprefix("$") for o in root.iter("Text")}
    assert {c.get("toName") for c in (*root.iter("Choices"), *root.iter("TextArea"))} == set(objects)
    [task] = json.loads(Path("f/label-studio.json").read_text())
    assert set(objects.values()) <= task["data"].keys()
    assert main(["digest", str(LOG)]) == 0
    assert task["data"]["text"] in capsys.readouterr().out
    assert str(LOG) not in json.dumps(task)


def test_no_session_makes_an_empty_array(capsys, tmp_path: Path) -> None:
    (tmp_path / "none.jsonl").write_text("nothing\n")
    status, _, err = run(capsys, "export", "none.jsonl", "--out", "f")
    assert (status, "none.jsonl" in err) == (1, True)
    assert json.loads(Path("f/label-studio.json").read_text()) == []


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_sheet_that_was_filled_in_is_read_again_whatever_it_is_separated_by(capsys, delimiter: str) -> None:
    assert run(capsys, "export", str(LOG), "--form", "csv")[0] == 0
    [row] = csv.DictReader(io.StringIO(Path("labels/sessions.csv").read_text("utf-8-sig"), newline=""))
    row |= {"planning": " 4 ", "recovery": "None", "leftovers": "YES", "scope_creep": "unknown", "why": "it\nis so"}
    with Path("filled.csv").open("w", encoding="utf-8-sig", newline="") as file:
        sheet = csv.DictWriter(file, row, delimiter=delimiter)
        sheet.writeheader()
        sheet.writerow(row)
    assert run(capsys, "import", "filled.csv")[0] == 1, "nobody is named"
    assert run(capsys, "import", "filled.csv", "--labeller", "ada")[0] == 0
    stored = json.loads(Path("labels/labels.jsonl").read_text())
    assert (stored["digest"], stored["labeller"]) == (row["sha256"], "ada")
    assert stored["grades"] == {"planning": 4, "recovery": None}
    assert stored["facts"] == {"leftovers": True, "scope_creep": None}
    # Once more: nothing is stored twice; a change of mind is.
    assert (
        "0 stored in labels/labels.jsonl, 1 stored before"
        in run(capsys, "import", "filled.csv", "--labeller", "ada")[1]
    )
    text = Path("filled.csv").read_text("utf-8-sig").replace(" 4 ", "2")
    Path("filled.csv").write_text(text, "utf-8-sig")
    assert "1 stored in labels/labels.jsonl" in run(capsys, "import", "filled.csv", "--labeller", "ada")[1]


# -- in: the forms of Label Studio, as its own converter writes them

DATA = {"sha256": SHA, "prompt": str(PROMPT_VERSION), "text": "[session: 1 steps]"}


def choice(name: str, value: str) -> dict[str, Any]:
    return {"id": name, "from_name": name, "to_name": "session", "type": "choices", "value": {"choices": [value]}}


def annotated(*results: dict[str, Any], by: object = 7, **more: Any) -> dict[str, Any]:
    return {"id": 1, "completed_by": by, "was_cancelled": False, "result": list(results), **more}


WHY = {"from_name": "why", "to_name": "session", "type": "textarea", "value": {"text": ["fine"]}}


@pytest.mark.parametrize(
    ("export", "who"),
    [
        ([{"id": 1, "data": DATA, "annotations": [annotated(choice("planning", "4"), WHY)], "predictions": []}], "7"),
        (
            [
                {
                    "data": DATA,
                    "annotations": [annotated(choice("planning", "4"), WHY, by={"id": 7, "email": "a@b.org"})],
                }
            ],
            "a@b.org",
        ),
        ([{**DATA, "id": 1, "planning": "4", "why": "fine", "annotator": "a@b.org", "annotation_id": 0}], "a@b.org"),
        (
            '"annotation_id","annotator","planning","prompt","sha256","text","why"\r\n'
            f'0,"a@b.org","4","{PROMPT_VERSION}","{SHA}","[session: 1 steps]\n> two lines","fine"\r\n',
            "a@b.org",
        ),
    ],
    ids=["json", "json-email", "json-min", "csv"],
)
def test_every_export_of_label_studio_is_read(export: object, who: str) -> None:
    expected = label(who=who, planning=4)
    expected.why = "fine"
    assert taken(export) == [expected]


def test_two_people_on_one_task_skipped_and_empty_annotations() -> None:
    annotations = [
        annotated(choice("overall", "2"), by=1),
        annotated(choice("overall", "3"), by=2),
        annotated(choice("overall", "5"), by=3, was_cancelled=True),
        annotated(by=4),
    ]
    assert taken([{"data": DATA, "annotations": annotations}]) == [label(who="1", overall=2), label(who="2", overall=3)]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({**DATA, "annotator": "a", "planning": "7"}, "task 1: planning: '7' is none of 1, 2, 3, 4, 5, none"),
        ({**DATA, "annotator": "a", "leftovers": "4"}, "task 1: leftovers: '4' is none of yes, no, unknown"),
        ({**DATA, "planning": "4"}, "task 1: no labeller; say with --labeller NAME who labelled"),
        ({**DATA, "sha256": "../../etc", "planning": "4"}, "task 1: no session: sha256 and prompt must be"),
        ({**DATA, "prompt": "9" * 5_000, "planning": "4"}, "task 1: no session"),
        (17, "task 1: no session"),
    ],
)
def test_what_is_no_label_says_where_and_why(row: object, said: str) -> None:
    [error] = taken([row])
    assert isinstance(error, LabelError)
    assert str(error).startswith(said)


@pytest.mark.parametrize("text", ["a,b\n1,2\n", "[1", "[" * 100_000, "", 'sha256,prompt\n"' + "\0"])
def test_a_file_of_another_kind_is_one_line(text: str, capsys) -> None:
    Path("x").write_text(text)
    status, _, err = run(capsys, "import", "x", "--out", "L")
    assert (status, err.count("\n")) in ((2, 1), (1, 1))
    assert err.startswith(("rigor labels: x: ", "x: not taken"))
    assert not Path("L").exists()
    Path("x").write_bytes(b"\xff\xfe\x00")
    assert "not UTF-8" in run(capsys, "import", "x", "--out", "L")[2]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["data", "annotations", "result", "value", "choices", "completed_by", *GRADES[:2]]), inner
        )
    ),
    max_leaves=12,
)


@settings(max_examples=150)
@given(JSON)
def test_whatever_json_it_is_there_are_only_labels_and_errors(value: object) -> None:
    for found in taken([value] if not isinstance(value, list) else value):
        assert isinstance(found, Label | LabelError)


# -- agreement


def answer(overall: int | None, leftovers: bool | None) -> Answer:
    grades = {name: GradeMark(overall, "so") for name in GRADES}
    return Answer(grades, {name: Fact(leftovers) for name in FACTS}, [], [], "ok")


def one(rows: list[AgreementRow], who: str, point: str) -> AgreementRow:
    [row] = [row for row in rows if (row.who, row.point) == (who, point)]
    return row


def test_the_figures_are_those_that_one_would_compute_by_hand() -> None:
    ada, bob, cat = [1, 2, 3, 4, 5, 4, 2, None], [1, 3, 3, 5, 4, 4, 1, 2], [2, 2, 4, 3, 5, 5, 1, 3]
    digests = [f"{n:064x}" for n in range(8)]
    labels = [
        label(d, who, overall=g, leftovers=n % 2 == 0)
        for who, given in (("ada", ada), ("bob", bob), ("cat", cat))
        for n, (d, g) in enumerate(zip(digests, given, strict=True))
    ]
    given = {"claude": {d: answer(g, True) for d, g in zip(digests, bob, strict=True)}}
    rows = compare(labels, given)
    people = one(rows, PEOPLE, "overall")
    expected = [spearmanr(a[:7], b[:7]).statistic for a, b in ((ada, bob), (ada, cat))] + [
        spearmanr(bob, cat).statistic
    ]
    assert people.spearman.value == pytest.approx(sum(expected) / 3)
    assert people.spearman.low is not None
    assert people.spearman.low < people.spearman.value < people.spearman.high <= 1
    assert (people.sessions, people.raters) == (8, 3)
    pairs = [(a, b) for row in zip(ada, bob, cat, strict=True) for n, a in enumerate(row) for b in row[n + 1 :]]
    near = [abs(a - b) <= 1 for a, b in pairs if a is not None and b is not None]
    assert people.within == pytest.approx(sum(near) / len(near))
    reader = one(rows, "claude", "overall")
    medians = [1, 2, 3, 4, 5, 4, 1, 2.5]
    assert reader.spearman.value == pytest.approx(spearmanr(medians, bob).statistic)
    assert (reader.sessions, reader.raters) == (8, 2)
    # All said yes to each: the same half of the time, and no better than chance.
    fact = one(rows, "claude", "leftovers")
    assert fact.same.value == 0.5
    assert fact.spearman is None
    assert fact.alpha.value < 0.1
    assert one(rows, PEOPLE, "leftovers").alpha.value == 1


def test_what_was_not_said_is_nothing_and_never_a_zero() -> None:
    rows = compare([label(who="ada", overall=3), label(who="bob")], {})
    row = one(rows, PEOPLE, "overall")
    assert (row.sessions, row.raters, row.within, row.same.value) == (0, 0, None, None)
    assert (row.spearman.value, row.spearman.reason) == (None, "fewer than 3 sessions")
    assert compare([label()], {}) == [], "one person alone has nobody to agree with"
    old = label(who="bob", overall=3)
    old.prompt = PROMPT_VERSION + 1
    assert compare([label(overall=3), old], {}) == []
    same = [label(f"{n:064x}", who, overall=3) for n in range(5) for who in "ab"]
    row = one(compare(same, {}), PEOPLE, "overall")
    assert (row.spearman.value, row.within, row.same.value) == (None, 1, 1)


def test_people_and_stored_readings_are_compared_by_the_command(capsys) -> None:
    assert run(capsys, "export", str(LOG))[0] == 0
    [task] = json.loads(Path("labels/label-studio.json").read_text())
    digest = task["data"]["sha256"]
    assert run(capsys, "agreement", "labels")[0] == 2, "the forms alone are no labels"
    tasks = [{**task, "annotations": [annotated(choice("overall", "4"), choice("leftovers", "no"), by="ada")]}]
    Path("export.json").write_text(json.dumps(tasks))
    assert run(capsys, "import", "export.json")[0] == 0
    status, _, err = run(capsys, "agreement", "labels")
    assert (status, "nothing to compare" in err) == (1, True)
    AnswerStore().add(digest, PROMPT_VERSION, "claude", Reply(json.dumps(whole(fact="no"))))
    AnswerStore().add(digest, PROMPT_VERSION, "broken", Reply("no answer"))
    status, out, err = run(capsys, "agreement", "labels/labels.jsonl", "--json")
    assert (status, "an answer of broken is not counted" in err) == (1, True)
    rows = {(row["who"], row["point"]): row for row in json.loads(out)["rows"]}
    assert (rows["claude", "overall"]["sessions"], rows["claude", "overall"]["within"]) == (1, 1.0)
    assert rows["claude", "leftovers"]["same"]["value"] == 1
    assert rows["claude", "planning"]["sessions"] == 0
    out = run(capsys, "agreement", "labels")[1]
    assert "claude" in out
    assert "leftovers" in out
    assert "planning" not in out
    with Path("labels/labels.jsonl").open("a") as file:
        file.write("{}\n")
    assert "labels.jsonl:2: not counted" in run(capsys, "agreement", "labels")[2]
