"""Labels on disk: what counts, what survives, and what is refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from label_builders import commit_sheet, episode_sheet, label_all, labelled, plan_sheet

from rigorbench.panel.labels.model import FORMS, Sheet, value_of
from rigorbench.panel.labels.store import LabelError, LabelFile, load
from rigorbench.report.labelling.sample import sample, shuffled


def test_the_last_answer_counts_and_cannot_tell_is_one(tmp_path: Path) -> None:
    sheet = commit_sheet(1)
    file = LabelFile(tmp_path, "ada")
    file.answer(sheet, "imperative", None, True)
    file.answer(sheet, "describes", None, True)
    file.answer(sheet, "imperative", None, None)
    file.close()
    labels = load(tmp_path)
    assert labels.by("ada", sheet.digest) == {("imperative", None): None, ("describes", None): True}
    assert labels.sheets == {sheet.digest: sheet}
    # Nothing is overwritten: the case once, and three answers.
    kinds = [msgspec.json.decode(line)["type"] for line in (tmp_path / "ada.jsonl").read_bytes().splitlines()]
    assert kinds == ["case", "label", "label", "label"]


def test_answers_of_a_line_are_what_the_schema_says(tmp_path: Path) -> None:
    sheet = plan_sheet(1, items=1)
    file = LabelFile(tmp_path, "ada")
    file.answer(sheet, "single", "1", False)
    file.close()
    line = msgspec.json.decode((tmp_path / "ada.jsonl").read_bytes().splitlines()[1])
    assert line.pop("time") > 1e9
    assert line == {
        "type": "label", "schema": "rigor-label/1", "labeller": "ada", "kind": "plan", "case": sheet.digest,
        "rubric": FORMS["plan"].rubric, "question": "single", "item": "1", "answer": False,
    }  # fmt: skip


@pytest.mark.parametrize("cut", [1, 10, 60])
def test_a_torn_last_line_costs_that_answer_only(tmp_path: Path, cut: int) -> None:
    sheet = commit_sheet(1)
    label_all(tmp_path, "ada", [sheet], lambda *_: True)
    path = tmp_path / "ada.jsonl"
    path.write_bytes(path.read_bytes()[:-cut])
    before = load(tmp_path)
    # A line that lacks only its line break is whole.
    assert len(before.by("ada", sheet.digest)) == (3 if cut == 1 else 2)
    assert bool(before.problems) == (cut > 1)
    file = LabelFile(tmp_path, "ada")
    file.answer(sheet, "overclaims", None, False)
    file.close()
    after = load(tmp_path)
    assert after.by("ada", sheet.digest)["overclaims", None] is False
    assert len(after.by("ada", sheet.digest)) == 3


def test_killed_at_any_moment_every_answer_that_was_confirmed_is_there(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from label_builders import plan_sheet\n"
        "from rigorbench.panel.labels.store import LabelFile\n"
        "sheet = plan_sheet(1, items=20); file = LabelFile(Path(sys.argv[1]), 'ada')\n"
        "for n in range(1, 21):\n"
        "    file.answer(sheet, 'single', str(n), True); print(n, flush=True)\n"
    )
    here = str(Path(__file__).parent)
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, env={"PYTHONPATH": here}, text=True
    ) as process:
        assert process.stdout is not None
        confirmed = [next(process.stdout) for _ in range(5)]
        process.kill()
    assert len(confirmed) == 5
    given = load(tmp_path).by("ada", plan_sheet(1, items=20).digest)
    assert {("single", str(n)) for n in range(1, 6)} <= set(given)
    # The lock of a dead process holds nobody up.
    LabelFile(tmp_path, "ada").close()


def test_one_process_per_labeller(tmp_path: Path) -> None:
    file = LabelFile(tmp_path, "ada")
    with pytest.raises(LabelError, match="another process uses this name"):
        LabelFile(tmp_path, "ada")
    LabelFile(tmp_path, "bob").close()
    file.close()
    LabelFile(tmp_path, "ada").close()


def test_a_log_is_not_taken_for_labels(tmp_path: Path) -> None:
    log = tmp_path / "ada.jsonl"
    log.write_text('{"type":"user","message":"a"}\n{"type":"assistant","message":"b"}\n')
    with pytest.raises(LabelError, match="contains no labels"):
        LabelFile(tmp_path, "ada")
    assert log.read_text().count("\n") == 2


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "a" * 65, "a\nb", "ends."])
def test_names_that_make_no_file_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(LabelError):
        LabelFile(tmp_path, name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("question", "item", "answer"),
    [
        ("nonsense", None, True),
        ("single", None, True),
        ("single", "9", True),
        ("single", "1", "yes"),
        ("single", "1", 1),
    ],
)
def test_what_is_no_answer_is_refused_and_not_stored(
    tmp_path: Path, question: str, item: str | None, answer: object
) -> None:
    file = LabelFile(tmp_path, "ada")
    with pytest.raises(ValueError):  # noqa: PT011
        file.answer(plan_sheet(1), question, item, answer)  # type: ignore[arg-type]
    file.close()
    assert not (tmp_path / "ada.jsonl").exists()


def test_one_is_not_true() -> None:
    attempts = FORMS["episode"].asks[2]
    assert value_of(attempts, 1) == 1
    with pytest.raises(ValueError, match="not an answer"):
        value_of(attempts, True)


def test_lines_that_do_not_count_are_named(tmp_path: Path) -> None:
    sheet = commit_sheet(1)
    label_all(tmp_path, "ada", [sheet], lambda *_: True)
    path = tmp_path / "ada.jsonl"
    good = path.read_text().splitlines()
    old = good[1].replace(FORMS["commit_message"].rubric, "f" * 64)
    strange = good[1].replace('"imperative"', '"handsome"')
    other = good[2].replace("rigor-label/1", "rigor-label/9")
    lines = [good[0], "not json", old, strange, other, good[3]]
    path.write_bytes("\n".join(lines).encode() + b'\n{"type":"\xaf"}\n')
    labels = load(tmp_path)
    assert labels.by("ada", sheet.digest) == {("overclaims", None): True}
    assert labels.old == 1
    assert len(labels.problems) == 4
    assert any(":2:" in problem for problem in labels.problems)


def test_labels_of_two_people_merge_by_copying_files(tmp_path: Path) -> None:
    a, b = tmp_path / "a", tmp_path / "b"
    label_all(a, "ada", [commit_sheet(1)], lambda *_: True)
    label_all(b, "bob", [commit_sheet(1), plan_sheet(2)], lambda *_: False)
    (a / "bob.jsonl").write_bytes((b / "bob.jsonl").read_bytes())
    labels = load(a)
    assert set(labels.answers) == {"ada", "bob"}
    assert len(labels.sheets) == 2


def test_a_case_keeps_its_labels_when_its_log_is_read_again(tmp_path: Path) -> None:
    """The digest is over what is shown: ids, place and what rigor itself finds may change."""
    first = episode_sheet(1)
    again = msgspec.structs.replace(first, subject="e99", events=("e1",), model="x", found={"error": True})
    assert first.digest == again.digest
    assert labelled(tmp_path, [first], lambda s, q, i: s.found[q]).by("ada", again.digest)
    shown = msgspec.structs.replace(first, excerpts=())
    assert shown.digest != first.digest


def test_an_episode_that_is_none_needs_no_further_answers() -> None:
    sheet = episode_sheet(1)
    assert len(sheet.open({})) == 3
    assert sheet.open({("error", None): False}) == []
    assert len(sheet.open({("error", None): None})) == 2


def cases() -> list[Sheet]:
    """Two sessions, of which one has nearly everything."""
    return [
        *(plan_sheet(n, session="big") for n in range(20)),
        *(commit_sheet(n, session="big") for n in range(100, 110)),
        commit_sheet(200, session="small"),
        plan_sheet(201, session="small"),
        episode_sheet(300),
    ]


def test_a_sample_takes_turns_over_kinds_and_sessions() -> None:
    drawn = sample(cases(), 5, seed=3)
    assert {s.kind for s in drawn} == {"plan", "commit_message", "episode"}
    assert sum(s.session == "small" for s in drawn) == 2
    assert len(sample(cases(), None, seed=3)) == 33
    assert len(sample(cases() + cases(), None, seed=3)) == 33


def test_a_sample_depends_on_its_seed_alone() -> None:
    forward = sample(cases(), 9, seed=3)
    assert forward == sample(cases()[::-1], 9, seed=3)
    assert {s.digest for s in forward} != {s.digest for s in sample(cases(), 9, seed=4)}


def test_each_labeller_has_an_order_of_their_own_that_stays() -> None:
    sheets = cases()
    ada, bob = shuffled(sheets, "ada", 0), shuffled(sheets, "bob", 0)
    assert ada != bob
    assert ada == shuffled(sheets[::-1], "ada", 0)
    # Cases that are added do not move the others.
    assert [s for s in ada if s.kind == "plan"] == shuffled([s for s in sheets if s.kind == "plan"], "ada", 0)
