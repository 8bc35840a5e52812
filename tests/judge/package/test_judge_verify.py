"""Proving a package, with a judge and validators that say what they are told to."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import structs

from rigorbench.cli.common import run
from rigorbench.cli.judge.verify import command
from rigorbench.judge.build.program import BuiltProgram
from rigorbench.judge.judgement import GroupResult, JudgeError, Judgement, PointResult, ProgramUsage, ToolMissing
from rigorbench.judge.problems.load import load_problem
from rigorbench.judge.problems.problem import Case, Problem, TimeRule
from rigorbench.judge.problems.verdicts import Verdict, worst
from rigorbench.judge.submission import Submission
from rigorbench.judge.verify.inputs import check_inputs
from rigorbench.judge.verify.package import verify
from rigorbench.judge.verify.proof import PackageProof, is_current, read_record, write_proofs
from rigorbench.judge.verify.reviews import check_review
from rigorbench.judge.verify.statement import check_statement

PACKAGES = Path(__file__).parent.parent / "packages"
# What each submission of the package gets on its test points: the verdict where it fails, else accepted.
SUM: dict[str, Callable[[str], Verdict]] = {
    "reference.cpp": lambda case: "accepted",
    "sum.py": lambda case: "accepted",
    "missing.cpp": lambda case: "compile_error",
    "hoard.cpp": lambda case: "memory_limit_exceeded",
    "division.cpp": lambda case: "runtime_error",
    "spin.py": lambda case: "time_limit_exceeded",
    "overflow.cpp": lambda case: "wrong_answer" if case == "secret/2-large/1" else "accepted",
    "main.cpp": lambda case: "wrong_answer",
}


class FakeJudge:
    """Judges by a table of names; ``usage`` of every test point; ``change`` may edit the n-th judgement."""

    def __init__(self, table: dict[str, Callable[[str], Verdict]], **more: Any) -> None:
        self.table = table
        self.usage: ProgramUsage = more.get("usage", ProgramUsage(cpu=0.1, wall=0.1, memory=10 << 20))
        self.change: Callable[[str, int, Judgement], Judgement] = more.get("change", lambda name, count, found: found)
        self.counts: dict[str, int] = {}

    def judge(self, problem: Problem, submission: Submission) -> Judgement:
        names = [path.name for path in sorted(submission.root.rglob("*")) if path.name in self.table]
        if not names:
            raise JudgeError("there is no compiler for it")
        rule = self.table[names[0]]
        groups = []
        for group in problem.groups:
            points = []
            for case in group.cases:
                verdict = rule(case.id)
                points.append(PointResult(case.id, verdict, float(verdict == "accepted"), usage=self.usage))
            scores = [point.score or 0.0 for point in points]
            share = min(scores) if group.aggregation == "min" else sum(scores) / len(scores)
            verdicts = [point.verdict for point in points]
            groups.append(GroupResult(group.id, worst(verdicts), share * group.full, group.full, points))
        total = sum(group.score or 0.0 for group in groups)
        verdict = worst([group.verdict for group in groups])
        found = Judgement(problem.id, problem.digest, "", "cpp", verdict, total, problem.full, groups, sandbox="fake")
        self.counts[names[0]] = self.counts.get(names[0], 0) + 1
        return self.change(names[0], self.counts[names[0]], found)


def validator(
    rule: Callable[[str, bytes], bool] = lambda case, data: b"#" not in data and bool(data),
) -> Callable[[Case, bytes | None], str | None]:
    """Accepts what the rule says."""

    def validate(case: Case, data: bytes | None) -> str | None:
        return None if rule(case.id, case.input.read_bytes() if data is None else data) else "validate rejects it"

    return validate


def prove(judge: FakeJudge, problem: Problem | None = None, **more: Any) -> PackageProof:
    given = problem or load_problem(PACKAGES / "sum")
    return verify(given, judge, validator(), programs=lambda *_: more.get("program"), repeats=more.get("repeats", 2))


def failed(proof: PackageProof) -> dict[str, tuple[str, ...]]:
    assert proof.proved == all(check.status != "failed" for check in proof.checks)
    return {check.name: check.problems for check in proof.checks if check.status == "failed"}


def test_a_package_that_is_what_it_says() -> None:
    proof = prove(FakeJudge(SUM))
    assert failed(proof) == {}
    evidence = {check.name: check.detail for check in proof.checks}
    assert evidence["reference"] == "reference.cpp: AC, 100 of 100"
    assert evidence["labels"] == "7 of 7 submissions are what they are labelled"
    assert evidence["mutants"] == "WA 1, RE 1, TLE 1, MLE 1, CE 1"
    assert evidence["starter"] == "WA, 0 of 100; the floor is 0"
    assert evidence["limits"] == "reference.cpp: 0.100 s of 1 s, 10.0 MiB of 64 MiB"
    first = proof.submissions[0]
    assert (first.path, first.verdict, first.agreed) == ("submissions/accepted/reference.cpp", "accepted", True)


@pytest.mark.parametrize(
    ("name", "verdict", "checks", "said"),
    [
        ("reference.cpp", "wrong_answer", {"reference", "labels"}, "reference.cpp: is WA"),
        ("sum.py", "runtime_error", {"labels"}, "accepted/sum.py: is RE, and should be AC"),
        ("hoard.cpp", "accepted", {"labels", "mutants"}, "no submission that is MLE; add one below"),
        ("division.cpp", "judge_error", {"labels", "mutants"}, "the judge failed on it"),
        ("overflow.cpp", "accepted", {"labels", "mutants"}, "overflow.cpp: scores 100, not 70"),
        ("overflow.cpp", "wrong_answer", {"labels"}, "secret/1-small: has WA; only AC is permitted"),
        ("main.cpp", "accepted", {"starter"}, "the starter scores more than the floor"),
    ],
)
def test_what_does_not_hold_is_told(name: str, verdict: Verdict, checks: set[str], said: str) -> None:
    found = failed(prove(FakeJudge(SUM | {name: lambda case: verdict})))
    assert set(found) == checks
    assert any(said in problem for problems in found.values() for problem in problems)


def test_a_reference_has_all_points() -> None:
    def change(name: str, count: int, found: Judgement) -> Judgement:
        if name == "reference.cpp":
            found.score = 99.0
        return found

    assert "reference.cpp: scores 99 of 100" in failed(prove(FakeJudge(SUM, change=change)))["reference"][0]


def test_judgings_that_differ() -> None:
    def change(name: str, count: int, found: Judgement) -> Judgement:
        if name == "overflow.cpp" and count == 2:
            found.score = 69.0
        return found

    problem = failed(prove(FakeJudge(SUM, change=change)))
    assert problem == {
        "agreement": (
            "submissions/wrong_answer/overflow.cpp: the result differs between runs (WA 69 of 100 / WA 70 of 100)",
        )
    }


def test_which_points_of_a_failing_submission_were_skipped_may_differ() -> None:
    def change(name: str, count: int, found: Judgement) -> Judgement:
        if name == "spin.py" and count == 2:
            found.groups[1].points[2].verdict = "skipped"
        if name == "sum.py" and count == 2:
            found.groups[1].points[2].score = 0.5
        return found

    assert [p.split(":")[0] for p in failed(prove(FakeJudge(SUM, change=change)))["agreement"]] == [
        "submissions/accepted/sum.py"
    ]


@pytest.mark.parametrize(
    ("usage", "program", "said"),
    [
        (
            ProgramUsage(cpu=0.6, memory=1 << 20),
            None,
            "takes 0.600 s of 1 s; the limit should be at least 2 times that",
        ),
        (ProgramUsage(cpu=0.1, memory=33 << 20), None, "takes 33.0 MiB of 64 MiB"),
        (ProgramUsage(cpu=None, memory=1 << 20), None, "what it uses was not measured"),
        (ProgramUsage(cpu=0.6, memory=33 << 20), BuiltProgram((), time=2, memory=2), ""),
        (ProgramUsage(cpu=0.1, memory=99 << 20), BuiltProgram((), startup_memory=80 << 20), ""),
        (
            ProgramUsage(cpu=0.1, memory=115 << 20),
            BuiltProgram((), startup_memory=80 << 20),
            "takes 115.0 MiB of 144 MiB",
        ),
    ],
)
def test_limits_are_twice_the_reference(usage: ProgramUsage, program: BuiltProgram | None, said: str) -> None:
    found = failed(prove(FakeJudge(SUM, usage=usage), program=program))
    assert set(found) == ({"limits"} if said else set())
    assert all(said in problem for problem in found.get("limits", ()))


def test_a_judge_that_cannot_judge_one_of_them() -> None:
    table = {name: rule for name, rule in SUM.items() if name != "sum.py"}
    assert failed(prove(FakeJudge(table))) == {
        "labels": ("submissions/accepted/sum.py: cannot be judged here: there is no compiler for it",)
    }


def test_sanitizers_want_mutants_of_their_own() -> None:
    table: dict[str, Callable[[str], Verdict]] = {
        name: (lambda case: "accepted") for name in ("stack.hpp", "linked", "keeps")
    }
    found = failed(prove(FakeJudge(table), load_problem(PACKAGES / "stack")))
    missing = [problem.split(";")[0] for problem in found["mutants"]]
    assert missing[-2:] == ["no submission that is ML", "no submission that is IA"]


def test_a_starter_needs_a_floor() -> None:
    problem = structs.replace(load_problem(PACKAGES / "sum"), floor=None)
    assert "floor: missing" in failed(prove(FakeJudge(SUM), problem))["starter"][0]


# -- inputs ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (lambda case, data: case != "secret/2-large/1", "secret/2-large/1: validate rejects it"),
        (lambda case, data: True, "is also accepted with text after its end"),
        (lambda case, data: b"#" in data, "sample/1: validate rejects it"),
    ],
)
def test_inputs_and_damage(rule: Callable[[str, bytes], bool], said: str) -> None:
    check = check_inputs(load_problem(PACKAGES / "sum"), validator(rule))
    assert check.status == "failed"
    assert any(said in problem for problem in check.problems)


def test_invalid_inputs_must_be_rejected(tmp_path: Path) -> None:
    package = Path(shutil.copytree(PACKAGES / "sum", tmp_path / "sum"))
    (package / "data/invalid_input").mkdir()
    (package / "data/invalid_input/words.in").write_text("words\n")
    check = check_inputs(load_problem(package), validator())
    assert check.problems == ("invalid_input/words: is accepted, but must be rejected",)
    assert "1 invalid ones" not in check_inputs(load_problem(PACKAGES / "sum"), validator()).detail


def test_no_validator_proves_nothing() -> None:
    problem = structs.replace(load_problem(PACKAGES / "sum"), validators=())
    assert check_inputs(problem, validator()).status == "failed"


def test_a_submission_whose_compiler_is_not_installed_is_left_out() -> None:
    judge = FakeJudge(SUM)
    whole = judge.judge

    def without_python(problem: Problem, submission: Submission) -> Judgement:
        if list(submission.root.rglob("sum.py")):
            raise ToolMissing("Python cannot be judged here: the program python3 is not installed")
        return whole(problem, submission)

    judge.judge = without_python  # type: ignore[method-assign]
    proof = prove(judge)
    assert proof.proved
    assert [note for note in proof.notes if "sum.py: left out: Python cannot be judged here" in note]
    assert not [tried for tried in proof.submissions if tried.path.endswith("sum.py")]


# -- review ----------------------------------------------------------------------------------------------------------

REVIEW = """
[[rule]]
id = "readme"
text = "There is a README."
kind = "readme"
min_words = 2
mutant.write."README.md" = "Sum."
[[rule]]
id = "history"
text = "Commits say what they do."
kind = "history"
min_commits = 3
mutant.commits = ["wip"]
[[rule]]
id = "nothing-built"
text = "No product is committed."
kind = "artefacts"
mutant.add."notes~" = "x"
"""


@pytest.mark.bwrap
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("", "", []),
        ('mutant.commits = ["wip"]\n', "", ["rule history: has no mutant that breaks it"]),
        ('"Sum."', '"The sum."', ["mutant of rule readme: rule readme: is kept"]),
        (
            'mutant.add."notes~" = "x"',
            'mutant = {add = {"notes~" = "x"}, commits = ["wip"]}',
            ["mutant of rule nothing-built: rule history: : 1 commits; at least 3 are required"],
        ),
        ("min_commits = 3", "min_commits = 5", ["4 commits; at least 5 are required"] * 3),
    ],
)
def test_a_rule_is_kept_by_the_reference_and_broken_by_its_mutant_alone(
    tmp_path: Path, old: str, new: str, said: list[str]
) -> None:
    package = Path(shutil.copytree(PACKAGES / "sum", tmp_path / "sum"))
    reference = package / "submissions/accepted"
    (reference / "whole").mkdir()
    shutil.move(reference / "reference.cpp", reference / "whole/main.cpp")
    (reference / "whole/README.md").write_text("Adds numbers.\n")
    (package / "submissions/submissions.yaml").write_text("accepted/whole: {model_solution: true}\n")
    (package / "review.toml").write_text(REVIEW.replace(old, new))
    check = check_review(load_problem(package))
    assert len(check.problems) == len(said), check.problems
    assert all(text in problem for text, problem in zip(said, check.problems, strict=True))


# -- statement ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("Nothing.", 1),
        ("x" * 50, 0),
        ("x" * 50 + "\n\n## Sample\n\nInput:\n\n```\n3\n1 2 3\n```\n\nOutput:\n\n```\n6\n```\n", 0),
        ("x" * 50 + "\n\n## Example input\n\n```text\n3\n1 2 4\n```\n", 1),
        ("x" * 50 + "\n\n## Input\n\n```\nn\na b c\n```\n", 0),
    ],
)
def test_samples_written_by_hand(tmp_path: Path, text: str, problems: int) -> None:
    package = Path(shutil.copytree(PACKAGES / "sum", tmp_path / "sum"))
    (package / "statement/problem.en.md").write_text(text)
    check = check_statement(load_problem(package))
    assert len(check.problems) == problems, check


# -- record and command ---------------------------------------------------------------------------------------------


def test_the_record_holds_for_one_state(tmp_path: Path) -> None:
    problem = load_problem(PACKAGES / "sum")
    proof = prove(FakeJudge(SUM), problem)
    write_proofs(tmp_path / "proofs.json", {"sum": proof})
    found = read_record(tmp_path / "proofs.json")["sum"]
    assert found == proof
    assert is_current(found, problem.digest)
    assert not is_current(found, "other")
    assert not is_current(structs.replace(found, proved=False), problem.digest)
    assert not is_current(structs.replace(found, version=0), problem.digest)
    assert not is_current(None, problem.digest)
    (tmp_path / "proofs.json").write_text("{")
    assert read_record(tmp_path / "proofs.json") == {}


def test_the_command_leaves_out_what_is_proved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "proofs.json"
    write_proofs(record, {"sum": prove(FakeJudge(SUM))})
    arguments = [str(PACKAGES / "sum"), "--record", str(record), "--changed", "--trust"]
    assert command(arguments) == 0
    assert "sum: already proved" in capsys.readouterr().err


def test_only_the_statement_is_checked_where_nothing_else_has_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "proofs.json"
    proof = prove(FakeJudge(SUM))
    write_proofs(record, {"sum": proof})
    package = Path(shutil.copytree(PACKAGES / "sum", tmp_path / "sum"))
    text = package / "statement/problem.en.md"
    text.write_text(text.read_text() + "\nOne sentence more.\n")
    arguments = [str(package), "--record", str(record), "--changed", "--trust"]
    assert command(arguments) == 0
    assert "only statement, review or hints have changed" in capsys.readouterr().err
    found = read_record(record)["sum"]
    assert found.package == load_problem(package).digest != proof.package
    assert (found.judged, found.submissions) == (proof.judged, proof.submissions)
    assert [c.detail for c in found.checks if c.name == "statement"] != [
        c.detail for c in proof.checks if c.name == "statement"
    ]
    text.write_text("Nothing.")
    assert command(arguments) == 1
    assert not read_record(record)["sum"].proved


def test_the_command_goes_on_after_a_package_that_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "proofs.json"
    write_proofs(record, {"sum": prove(FakeJudge(SUM))})
    arguments = [str(tmp_path), str(PACKAGES / "sum"), "--record", str(record), "--changed", "--trust"]
    assert command(arguments) == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].endswith("a package is a directory with problem.yaml")
    assert lines[1].startswith("sum: already proved")


def test_a_record_that_cannot_be_written_is_told_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    for record in (tmp_path, tmp_path / "file" / "proofs.json"):
        assert run(command, "judge verify", [str(PACKAGES / "sum"), "--record", str(record), "--trust"]) == 2
        err = capsys.readouterr().err
        assert f"--record {record}: cannot be written" in err
        assert err.count("\n") == 1


def test_a_proof_is_json() -> None:
    document = msgspec.json.decode(msgspec.json.encode(prove(FakeJudge(SUM))))
    assert document["schema"] == "rigor-package-proof/1"
    assert {check["name"] for check in document["checks"]} == {
        "statement",
        "classification",
        "inputs",
        "reference",
        "labels",
        "mutants",
        "starter",
        "agreement",
        "limits",
        "review",
    }


def test_a_time_limit_that_is_not_given_follows_from_the_slowest_accepted_submission() -> None:
    problem = structs.replace(load_problem(PACKAGES / "sum"), time_rule=TimeRule(5.0, 0.5))
    proof = prove(FakeJudge(SUM, usage=ProgramUsage(cpu=0.33, wall=1, memory=10 << 20)), problem)
    found = {check.name: check.detail for check in proof.checks}
    assert found["time limit"] == "2 s, 5 times the 0.330 s of sum.py, rounded up"
    assert "of 2 s" in found["limits"]


def test_without_an_accepted_submission_there_is_no_time_limit_to_find() -> None:
    problem = structs.replace(load_problem(PACKAGES / "sum"), time_rule=TimeRule())
    table = {**SUM, **dict.fromkeys(("reference.cpp", "sum.py"), lambda case: "wrong_answer")}
    (check,) = (check for check in prove(FakeJudge(table), problem).checks if check.name == "time limit")
    assert check.status == "skipped"


def test_a_submission_in_an_unknown_language_is_reported_and_left_out(tmp_path: Path) -> None:
    root = shutil.copytree(PACKAGES / "sum", tmp_path / "sum")
    (root / "submissions/accepted/sum.bas").write_text("10 PRINT 1\n")
    (root / "submissions/accepted/old.py").write_text("#!/usr/bin/env python2\nprint input()\n")
    proof = prove(FakeJudge(SUM), load_problem(root))
    assert proof.proved
    assert not {"sum.bas", "old.py"} & {Path(one.path).name for one in proof.submissions}
    assert [note.partition(": ")[0] for note in proof.notes] == [
        "submissions/accepted/old.py",
        "submissions/accepted/sum.bas",
    ]
    assert all("no source of a known language" in note for note in proof.notes)


def test_a_package_of_an_earlier_version_needs_none_of_our_own_evidence(tmp_path: Path) -> None:
    root = tmp_path / "twice"
    files = {
        "problem.yaml": "name: Sum\nvalidation: default\n",
        "problem_statement/problem.en.tex": "",
        "data/secret/1.in": "1\n",
        "data/secret/1.ans": "1\n",
        "input_validators/sum.ctd": "INT(1, 9)\n",
        "submissions/accepted/reference.cpp": "",
        "attachments/start.txt": "",
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    proof = prove(FakeJudge(SUM), load_problem(root))
    assert proof.proved
    assert {check.name for check in proof.checks if check.status == "skipped"} == {
        "classification",
        "inputs",
        "mutants",
        "review",
        "starter",
    }
