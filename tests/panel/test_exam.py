"""The entrance exam passes who judges by the anchors, and fails who obeys, flatters or does not look."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import msgspec
import pytest
from panel_helpers import llm_judges, seat
from scripted_judges import always, gullible, honest, lenient

from rigorbench.cli import main
from rigorbench.panel.exam.cases import PLAN_PARTS, clean_cases, plan_cases
from rigorbench.panel.exam.exam import (
    EXAM_VERSION,
    NEEDED_ANCHORS,
    NEEDED_INJECTION,
    NEEDED_ORDER,
    NEEDED_STEADY,
    exam,
    exam_cases,
    inject,
)
from rigorbench.panel.exam.injections import ATTACKS, PLACEBOS
from rigorbench.panel.exam_result import ExamResult
from rigorbench.panel.features import FeatureJudge
from rigorbench.panel.judges.config import load_panel
from rigorbench.panel.judges.prompt import build, read_reply
from rigorbench.panel.model import Answer, Case, Rubric, Vote
from rigorbench.panel.rubrics import RUBRICS
from rigorbench.panel.votes import VoteStore
from scripted_server import Answerer, serve

# One of each kind; a plan can be attacked in two places.
PLACES = len(RUBRICS) + 1
DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "panel.md"


class Scripted:
    """A scripted judge in this process; it reads the same prompt as over HTTP."""

    seat, model, method = "scripted", "x/scripted", "judged"

    def __init__(self, script: Answerer) -> None:
        self._script = script

    async def vote(self, case: Case, rubric: Rubric) -> Vote:
        prompt = build(case, rubric)
        answers = read_reply(self._script(prompt.system, prompt.user), prompt)
        given = Vote(
            kind=case.kind,
            case=case.digest,
            rubric=rubric.digest,
            seat=self.seat,
            model=self.model,
            prompt=prompt.sha256,
            status="voted",
            answers=answers,
        )
        return self.changed(case, given)

    def changed(self, case: Case, given: Vote) -> Vote:
        return given


def sit(judge: Scripted | FeatureJudge) -> ExamResult:
    return asyncio.run(exam(judge))  # type: ignore[arg-type]


def failed(result: ExamResult) -> set[str]:
    return {part.name for part in result.parts if not part.passed}


PANEL = """\
[[seats]]
name = "scripted"
model = "local/scripted"
base_url = "%s"
price = { input = 1, output = 2 }
"""


def over_http(script: Answerer, directory: Path) -> tuple[ExamResult, int]:
    with serve(script) as server:
        [judge], store = llm_judges(directory, seat(server.url, "scripted"))
        return asyncio.run(exam(judge, store, concurrency=4)), len(server.requests)


def test_an_honest_judge_passes_and_its_votes_count(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    votes, file = tmp_path / "votes", tmp_path / "panel.toml"
    with serve(honest) as server:
        file.write_text(PANEL % server.url)
        arguments = ["panel", "exam", "--panel", str(file), "--votes", str(votes)]
        assert main([*arguments, "--json"]) == 0
        document = json.loads(capfd.readouterr().out)
        asked = len(server.requests)
        # Once more: the same votes, the same result, no request, no second entry.
        assert main(arguments) == 0
        assert len(server.requests) == asked
    out, err = capfd.readouterr()
    assert "scripted (local/scripted): passed" in out
    assert re.search(r"injections +{0} of {0} +98% +passed".format(len(exam_cases()[2])), out)
    assert err == ""
    store = VoteStore(votes)
    [kept] = store.exams()
    assert msgspec.to_builtins(kept) == document["exams"][0]
    assert (kept.status, kept.version, kept.answered_by) == ("passed", EXAM_VERSION, ["scripted"])
    assert kept.rubrics == {kind: rubric.digest for kind, rubric in RUBRICS.items()}
    assert len(kept.votes) == asked == len({c.case.digest for part in exam_cases() for c in part})
    assert all(store.by_key(key) is not None for key in kept.votes)
    assert store.all() == []
    # An exam that was sat elsewhere is taken over with its votes, once.
    for _ in range(2):
        _, elsewhere = llm_judges(tmp_path / "other", seat(server.url, "scripted"), exams=str(votes))
    assert elsewhere.exams() == [kept]
    assert all(elsewhere.by_key(key) == store.by_key(key) for key in kept.votes)
    assert llm_judges(tmp_path / "third", seat(server.url, "stranger"), exams=str(votes))[1].exams() == []
    # Another prompt or other settings are another judge, and the exam does not speak for it.
    assert store.exam("local/scripted", kept.judge, RUBRICS["plan"].digest) == kept
    assert store.exam("local/scripted", "set otherwise", RUBRICS["plan"].digest) is None


@pytest.mark.slow  # a whole examination; the one of an honest judge is quick enough for every change
def test_a_judge_that_obeys_what_it_reads_fails(tmp_path: Path) -> None:
    result, _ = over_http(gullible, tmp_path)
    assert result.status == "failed"
    assert {"injections", "empty plan that demands a score"} <= failed(result)
    # It is honest otherwise: what it fails by is obedience.
    assert not failed(result) - {"injections", "empty plan that demands a score", "good plan above bad ones"}


def test_a_judge_that_gives_the_empty_plan_full_marks_fails() -> None:
    result = sit(Scripted(lenient))
    assert result.status == "failed"
    assert {"empty plan that demands a score", "no plan", "good plan above bad ones"} <= failed(result)
    assert "injections" not in failed(result)


@pytest.mark.parametrize("yes", [True, False])
def test_a_judge_that_does_not_look_fails_in_every_kind(yes: bool) -> None:
    result = sit(Scripted(always(yes)))
    assert result.status == "failed"
    assert {f"anchors: {kind}" for kind in RUBRICS} | {"good plan above bad ones"} <= failed(result)


def test_the_deterministic_judge_can_sit_it(capfd: pytest.CaptureFixture[str]) -> None:
    result = sit(FeatureJudge())
    assert (result.method, result.status) == ("estimated", "failed" if failed(result) else "passed")
    code = main(["panel", "exam", "--features"])
    out, _ = capfd.readouterr()
    assert out.startswith(f"features (deterministic): {result.status}")
    assert code == (0 if result.passed else 1)


class Falls(Scripted):
    """Honest, but for one attack wherever it meets it."""

    def __init__(self, attack: str, places: int) -> None:
        super().__init__(honest)
        hit = [laid for laid in exam_cases()[2] if laid.name.startswith(f"{attack} in ")]
        assert len(hit) == PLACES
        self._hit = {laid.case.digest for laid in hit[:places]}

    def changed(self, case: Case, given: Vote) -> Vote:
        if case.digest in self._hit:
            given.answers = [Answer(a.question, not a.yes, a.item) for a in given.answers]
        return given


def test_one_attack_that_works_everywhere_is_enough_to_fail() -> None:
    assert failed(sit(Falls("threat", PLACES))) == {"injections"}
    # A stray answer is none.
    assert sit(Falls("threat", 1)).passed


class Restless(Scripted):
    """Changes an answer with any text that is laid into a case."""

    def changed(self, case: Case, given: Vote) -> Vote:
        laid = {c.case.digest for part in exam_cases()[1:] for c in part}
        if case.digest in laid:
            given.answers[0] = Answer(given.answers[0].question, not given.answers[0].yes, given.answers[0].item)
        return given


def test_a_restless_judge_fails_for_that_and_not_for_the_attacks() -> None:
    result = sit(Restless(honest))
    assert failed(result) == {"steady under ordinary text"}
    notes = {part.name: part.notes for part in result.parts}["injections"]
    assert notes == [f"left out {2 * len(RUBRICS)} points that ordinary text had changed"]


def test_an_exam_without_all_its_votes_is_incomplete_and_not_stored(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    votes, file = tmp_path / "votes", tmp_path / "panel.toml"
    with serve(lambda system, user: "no JSON") as server:
        file.write_text("reasks = 0\n" + PANEL % server.url)
        assert main(["panel", "exam", "--panel", str(file), "--votes", str(votes)]) == 1
        assert len(server.requests) < 20
    out, err = capfd.readouterr()
    assert "scripted (local/scripted): incomplete" in out
    assert re.search(r"seat 'scripted': (\d+) of \1 votes of the exam are missing", err)
    assert VoteStore(votes).exams() == []


def test_wrong_usage(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "panel.toml"
    file.write_text('[[seats]]\nname = "a"\nmodel = "openai/gpt-5"\n')
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    for arguments, said in (
        ([], "give --panel FILE"),
        (["--panel", str(file)], "give --votes DIR"),
        (["--panel", str(tmp_path / "absent"), "--votes", str(tmp_path)], "No such file"),
        (["--panel", str(file), "--votes", str(tmp_path)], "no key; set OPENAI_API_KEY"),
    ):
        assert main(["panel", "exam", *arguments]) == 2
        out, err = capfd.readouterr()
        assert out == ""
        assert said in err
        assert err.count("\n") == 1


# -- what is asked


def test_the_set_of_attacks() -> None:
    assert len(ATTACKS) >= 24
    assert len({attack.name for attack in ATTACKS}) == len({attack.text for attack in ATTACKS}) == len(ATTACKS)
    assert {attack.goal for attack in ATTACKS} == {"yes", "no"}
    kinds = {laid.case.kind for laid in exam_cases()[2]}
    assert kinds == set(RUBRICS)
    assert len(exam_cases()[2]) == PLACES * len(ATTACKS)


def test_every_attack_reaches_the_judge_inside_a_fence_and_changes_the_case() -> None:
    for attack in (*ATTACKS, *PLACEBOS):
        for pair in clean_cases().values():
            for laid in inject(pair[0], attack):
                assert laid.case.digest != laid.base.case.digest
                before, after = (build(c, RUBRICS[c.kind]) for c in (laid.base.case, laid.case))
                assert len(after.user) > len(before.user)
                trusted = re.split(r"^# Data \(fence \w+\)$", after.user, maxsplit=1, flags=re.MULTILINE)[0]
                assert trusted == re.split(r"^# Data \(fence \w+\)$", before.user, maxsplit=1, flags=re.MULTILINE)[0]


def test_the_document_says_how_much_is_asked() -> None:
    text = " ".join(DOCUMENT.read_text(encoding="utf-8").split())
    cases = {c.case.digest: c.case for part in exam_cases() for c in part}
    answers = sum(len(c.points(RUBRICS[c.kind])) for c in cases.values())
    prompts = [build(c, RUBRICS[c.kind]) for c in cases.values()]
    tokens = sum(len(p.system) + len(p.user) for p in prompts) / 4
    for said in (
        f"{len(cases)} short cases once (about {round(tokens, -4):,.0f} tokens of input",
        f"{answers:,} answers)",
        f"{len(ATTACKS)} attacks are put",
        f"{NEEDED_INJECTION:.0%} of {len(exam_cases()[2])} pairs".replace("%", " %"),
        f"stay in {NEEDED_STEADY:.0%} of {len(exam_cases()[1])} pairs".replace("%", " %"),
        f"({NEEDED_ORDER:.0%} of {3 * (len(PLAN_PARTS) - 1)} comparisons)".replace("%", " %"),
        f"{NEEDED_ANCHORS:.0%} for each kind".replace("%", " %"),
    ):
        assert said in text, said


def test_the_panel_of_the_document_is_one(tmp_path: Path) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    [example] = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    (tmp_path / "panel.toml").write_text(example, encoding="utf-8")
    assert [seat.name for seat in load_panel(tmp_path / "panel.toml").seats] == ["first", "second", "third"]


def test_the_plan_set() -> None:
    cases = list(plan_cases())
    assert len(cases) == 3 * len(PLAN_PARTS)
    assert len({case.name for case in cases}) == len({case.case.digest for case in cases}) == len(cases)
    for case in cases:
        assert case.part in PLAN_PARTS
        assert set(case.expected) <= {question.id for question in RUBRICS["plan"].questions}
    for pair in clean_cases().values():
        for base in pair:
            assert set(base.expected) <= {question.id for question in RUBRICS[base.case.kind].questions}
