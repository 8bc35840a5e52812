"""Packages of the Kattis formats before 2025-09 as their authors publish them, and how they are taken over."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from rigorbench.cli.judge.import_ import command
from rigorbench.judge.judgement import GroupResult, Judgement, PointResult
from rigorbench.judge.problems.export import export_package
from rigorbench.judge.problems.importing import import_package
from rigorbench.judge.problems.load import load_problem
from rigorbench.judge.problems.problem import Checker, ExpectedSubmission, PackageError, TimeRule
from rigorbench.judge.problems.verdicts import Verdict, worst
from rigorbench.judge.verify.package import broken

Files = dict[str, str]
LEGACY: Files = {
    "problem.yaml": "author: A. Nobody\nlimits:\n  time_multiplier: 3\n  time_safety_margin: 2\n",
    "problem_statement/problem.tex": "\\problemname{Twice $n$}\nPrint it twice.\n",
    "data/sample/1.in": "1\n",
    "data/sample/1.ans": "2\n",
    "data/secret/small/1.in": "2\n",
    "data/secret/small/1.ans": "4\n",
    "data/secret/2.in": "3\n",
    "data/secret/2.ans": "6\n",
    "input_format_validators/check.py": "import sys\nsys.exit(42)\n",
    "submissions/accepted/twice.py3": "print(2 * int(input()))\n",
    "submissions/wrong_answer/once.py": "print(input())\n",
}
SCORING: Files = {
    **LEGACY,
    "problem.yaml": "type: scoring\ngrading:\n  show_test_data_groups: true\n",
    "data/testdata.yaml": "on_reject: continue\nrange: 0 100\ngrader_flags: ignore_sample\n",
    "data/sample/testdata.yaml": "accept_score: 0\nrange: 0 0\ngrader_flags: first_error\n",
    "data/secret/testdata.yaml": "range: 0 100\ngrader_flags: first_error accept_if_any_accepted\n",
    "data/secret/small/testdata.yaml": "on_reject: break\naccept_score: 30\nrange: 0 30\ngrader_flags: min\n",
    "data/secret/large/testdata.yaml": (
        "accept_score: 35\noutput_validator_flags: float_tolerance 1e-3\ninput_validator_flags: n=5\n"
    ),
    "data/secret/large/1.in": "8\n",
    "data/secret/large/1.ans": "16\n",
    "data/secret/large/2.in": "9\n",
    "data/secret/large/2.ans": "18\n",
    "submissions/partially_accepted/small.py": "print(4)\n",
}
del SCORING["data/secret/2.in"], SCORING["data/secret/2.ans"]


def write(root: Path, files: Files, *gone: str, **changed: str) -> Path:
    for name, text in files.items():
        if name not in gone:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, "utf-8")
    for name, text in changed.items():
        (root / name).write_text(text, "utf-8")
    return root


def test_a_legacy_package(tmp_path: Path) -> None:
    problem = load_problem(write(tmp_path / "twice", LEGACY))
    assert problem.name == "Twice $n$"
    assert [(group.id, [case.id for case in group.cases]) for group in problem.groups] == [
        ("sample", ["sample/1"]),
        ("secret", ["secret/2", "secret/small/1"]),
    ]
    assert problem.time_rule == TimeRule(3.0, 1.0)
    assert problem.limits.memory == 2048 << 20
    assert [path.name for path in problem.validators] == ["check.py"]
    assert [(one.label, one.path.name, one.reference) for one in problem.submissions] == [
        ("accepted", "twice.py3", True),
        ("wrong_answer", "once.py", False),
    ]
    assert problem.notes == ()


def test_every_language_has_the_same_limit_in_packages_of_earlier_versions(tmp_path: Path) -> None:
    problem = load_problem(write(tmp_path / "twice", LEGACY))
    assert problem.time_multipliers == {"*": 1.0}
    assert problem.memory_multipliers == {"*": 1.0}


@pytest.mark.parametrize(
    ("name", "text"), [(".timelimit", "4\n"), ("domjudge-problem.ini", "short-name=A\ntimelimit='4'\ncolor=#fff\n")]
)
def test_a_time_limit_beside_the_package(tmp_path: Path, name: str, text: str) -> None:
    without = load_problem(write(tmp_path / "twice", LEGACY))
    problem = load_problem(write(tmp_path / "twice", {**LEGACY, name: text}))
    assert problem.limits.time == 4
    assert problem.time_rule is None
    assert problem.digest != without.digest


def test_what_has_no_meaning_here_is_noted_and_the_rest_is_read(tmp_path: Path) -> None:
    further = {
        "problem.yaml": "name: Twice\ncolour: blue\nlicense: mine\nlimits: {stack: 8, time_multipliers: 1}\n",
        "data/secret/plan.txt": "",
        "data/secret/testdata.yaml": "input_validator_flags: a\ninput_validator_flags: b\nshape: round\n",
        "submissions/slow_but_right/a.py": "print(2 * int(input()))\n",
    }
    problem = load_problem(write(tmp_path / "twice", {**LEGACY, **further}))
    assert len(problem.submissions) == 2
    assert [note.partition(" (")[0] for note in problem.notes] == [
        "problem.yaml: limits.time_multipliers: 1 is no mapping",
        "problem.yaml: limits.stack: has no meaning here",
        "problem.yaml: license: 'mine' is none of the format's; taken as unknown",
        "problem.yaml: colour: has no meaning here",
        "testdata.yaml: the key 'input_validator_flags' is given twice; the last one counts",
        "data/secret: shape has no meaning here",
        "data/secret/plan.txt: not a file of a test point",
        "submissions/slow_but_right: left out, because it is no label",
    ]
    assert problem.groups[1].cases[0].validator_args == {"": ("b",)}


def test_a_package_without_statement_or_accepted_submission_is_noted(tmp_path: Path) -> None:
    root = write(tmp_path / "twice", LEGACY, "problem_statement/problem.tex", "submissions/accepted/twice.py3")
    problem = load_problem(root)
    assert problem.name == "twice"
    assert [note.partition(" ")[0] for note in problem.notes] == ["no", "submissions:"]


def test_the_tree_of_a_scoring_problem(tmp_path: Path) -> None:
    problem = load_problem(write(tmp_path / "twice", SCORING))
    assert [(g.id, g.full, g.aggregation, len(g.cases), g.visible) for g in problem.groups] == [
        ("sample", 0, "min", 1, True),
        ("secret/large", 70, "sum", 2, False),
        ("secret/small", 30, "min", 1, False),
    ]
    large = problem.groups[1].cases[0]
    assert large.checker_args == ("float_tolerance", "1e-3")
    assert large.validator_args == {"": ("n=5",)}
    partial = next(one for one in problem.submissions if one.label == "partially_accepted")
    assert [rule.score for rule in partial.expectations] == [(0.001, 99.999)]


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ("grader_flags: min\naccept_score: 5\n", [("secret", 5.0, "min")]),
        ("grader_flags: avg\naccept_score: 8\n", [("secret", 8.0, "sum")]),
        ("accept_score: 8\n", [("secret", 8.0, "sum"), ("secret/small", 8.0, "sum")]),
        ("grader_flags: max\naccept_score: 8\n", [("secret", 8.0, "min")]),
    ],
)
def test_how_a_tree_is_graded(tmp_path: Path, flags: str, expected: list[tuple[str, float, str]]) -> None:
    files = {**LEGACY, "problem.yaml": "type: scoring\n", "data/secret/testdata.yaml": flags}
    problem = load_problem(write(tmp_path / "twice", files))
    assert [(g.id, g.full, g.aggregation) for g in problem.groups[1:]] == expected
    assert any("best score" in note for note in problem.notes) == ("max" in flags)


def test_validators_of_a_legacy_package(tmp_path: Path) -> None:
    yaml = "validation: custom interactive\nvalidator_flags: -a 'b c'\n"
    programs = {"problem.yaml": yaml, "output_validators/talk/talk.py": "", "output_validators/README.md": ""}
    problem = load_problem(write(tmp_path / "talk", {**LEGACY, **programs}))
    assert problem.interactor == tmp_path / "talk/output_validators/talk"
    assert problem.checker.options == ("-a", "b c")
    plain = {"problem.yaml": "validator_flags: float_tolerance 1e-6\n"}
    problem = load_problem(write(tmp_path / "plain", {**LEGACY, **plain}))
    assert problem.checker == Checker("token", ("float_tolerance", "1e-6"))
    with pytest.raises(PackageError, match="validation: custom, and there is no output_validators/"):
        load_problem(write(tmp_path / "none", {**LEGACY, "problem.yaml": "validation: custom\n"}))
    with pytest.raises(PackageError, match="validator_flags: 'sloppy' is not one of"):
        load_problem(write(tmp_path / "flags", {**LEGACY, "problem.yaml": "validator_flags: sloppy\n"}))


@pytest.mark.parametrize("version", ["legacy", "2023-07-draft", "2025-09"])
def test_samples_that_only_show_what_both_sides_say(tmp_path: Path, version: str) -> None:
    files = {name: text for name, text in LEGACY.items() if not name.startswith("data/sample")}
    if version == "2025-09":
        files = {name: text for name, text in files.items() if "statement" not in name and "small" not in name}
        files["statement/problem.en.md"] = "# Talk\n"
    yaml = f"problem_format_version: {version}\nname: Talk\nuuid: x\n"
    shown = {"data/sample/1.interaction": "<4\n>2\n<correct\n", "data/sample/2.interaction": "<7\n"}
    problem = load_problem(write(tmp_path / "talk", {**files, **shown, "problem.yaml": yaml}))
    assert [group.id for group in problem.groups] == ["secret"]
    assert "Sample 1: interaction" in problem.statement
    assert ">2" in problem.statement
    assert "Sample 2: interaction" in problem.statement


def test_a_package_of_2023(tmp_path: Path) -> None:
    yaml = (
        "problem_format_version: 2023-07\nuuid: x\ntype: [pass-fail, multi-pass]\nname: {en: Twice, sv: Dubbelt}\n"
        "credits: {authors: [A]}\nlimits: {time_limit: 2.5, validation_passes: 4, memory: 512}\nkeywords: [a, b]\n"
    )
    further = {
        "problem.yaml": yaml,
        "statement/problem.en.md": "Twice\n",
        "statement/problem.sv.md": "Dubbelt\n",
        "output_validator/check.py": "",
        "data/secret/small/test_group.yaml": "output_validator_args: [x]\n",
    }
    files = {name: text for name, text in LEGACY.items() if not name.startswith("problem_statement")}
    problem = load_problem(write(tmp_path / "twice", {**files, **further}))
    assert (problem.name, problem.passes, problem.limits.time, problem.limits.memory) == ("Twice", 4, 2.5, 512 << 20)
    assert [case.checker_args for case in problem.groups[1].cases] == [(), ("x",)]


def judgement(*verdicts: Verdict, score: float = 0.0) -> Judgement:
    points = [PointResult(f"secret/{n}", verdict, 0.0) for n, verdict in enumerate(verdicts)]
    whole = worst(list(verdicts))
    return Judgement("p", "", "", "cpp", whole, score, 100, [GroupResult("secret", whole, score, 100, points)])


def test_the_first_failure_decides_in_earlier_versions(tmp_path: Path) -> None:
    problem = load_problem(write(tmp_path / "twice", LEGACY))
    wrong = next(one for one in problem.submissions if one.label == "wrong_answer")
    assert broken(wrong, judgement("accepted", "wrong_answer", "time_limit_exceeded")) == []
    assert broken(wrong, judgement("skipped", "time_limit_exceeded", "wrong_answer")) != []
    current = ExpectedSubmission(wrong.path, wrong.label, wrong.verdicts)
    assert broken(current, judgement("accepted", "wrong_answer", "time_limit_exceeded")) != []


@pytest.mark.parametrize(("score", "holds"), [(0, False), (30, True), (100, False)])
def test_a_partially_accepted_submission_has_some_points_but_not_all(tmp_path: Path, score: int, holds: bool) -> None:
    problem = load_problem(write(tmp_path / "twice", SCORING))
    partial = next(one for one in problem.submissions if one.label == "partially_accepted")
    assert (broken(partial, judgement("accepted", "wrong_answer", score=score)) == []) == holds


def test_a_directory_that_is_no_label_is_left_out_of_a_current_package(tmp_path: Path) -> None:
    files = current_files()
    files["submissions/slow_but_right/a.py"] = ""
    files["submissions/known/a.py"] = ""
    files["submissions/submissions.yaml"] = "known/*: {permitted: [AC, WA]}\n"
    problem = load_problem(write(tmp_path / "twice", files))
    assert {one.label for one in problem.submissions} == {"accepted", "known", "wrong_answer"}
    assert [note.partition(":")[0] for note in problem.notes] == ["submissions/slow_but_right"]


def current_files() -> Files:
    kept = ("data/sample", "data/secret/2", "submissions")
    files = {name: text for name, text in LEGACY.items() if name.startswith(kept)}
    yaml = "problem_format_version: 2025-09\nuuid: x\nname: Twice\nlimits: {time_limit: 1}\n"
    return {**files, "problem.yaml": yaml, "statement/problem.en.md": "Twice\n"}


def test_an_imported_package_has_one_limit_for_all_languages(tmp_path: Path) -> None:
    root = write(tmp_path / "twice", current_files())
    assert load_problem(root).time_multipliers == {}
    assert import_package(root, tmp_path / "taken") == []
    assert load_problem(tmp_path / "taken").time_multipliers == {"*": 1.0}
    with zipfile.ZipFile(tmp_path / "twice.kpp", "w") as archive:
        for name, text in {**LEGACY, ".timelimit": "2\n"}.items():
            archive.writestr(f"twice/{name}", text)
    import_package(tmp_path / "twice.kpp", tmp_path / "unpacked")
    assert load_problem(tmp_path / "unpacked").limits.time == 2


@pytest.mark.bwrap
def test_the_time_limit_is_measured_at_the_import(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write(tmp_path / "twice", LEGACY)
    assert command([str(root), str(tmp_path / "taken")]) == 0
    assert "time limit: 1 s, 3 times the 0." in capsys.readouterr().err
    problem = load_problem(tmp_path / "taken")
    assert (problem.limits.time, problem.time_rule) == (1.0, None)


def test_a_package_of_an_earlier_version_is_not_exported(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match="nothing to export"):
        export_package(write(tmp_path / "twice", LEGACY), tmp_path / "out")
