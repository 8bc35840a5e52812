"""Reading packages: what each key becomes, and one line for each way to get it wrong."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigorbench.judge.problems.files import matches, select
from rigorbench.judge.problems.load import load_problem
from rigorbench.judge.problems.problem import Case, Expectation, PackageError, SanitizerCheck

PACKAGES = Path(__file__).parent.parent / "packages"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the smallest package with groups."""
    return Path(shutil.copytree(PACKAGES / "sum", tmp_path / "sum"))


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def add(package: Path, *lines: str) -> None:
    """Lines at the end of problem.yaml."""
    file = package / "problem.yaml"
    file.write_text(file.read_text() + "\n".join(lines) + "\n")


def error(package: Path) -> str:
    with pytest.raises(PackageError) as found:
        load_problem(package)
    text = str(found.value)
    assert "\n" not in text
    return text


def test_groups_limits_and_submissions() -> None:
    problem = load_problem(PACKAGES / "sum")
    assert [(g.id, g.full, g.aggregation, g.requires, len(g.cases), g.visible) for g in problem.groups] == [
        ("sample", 0, "min", (), 1, True),
        ("secret/1-small", 40, "min", ("sample",), 3, False),
        ("secret/2-large", 60, "sum", ("secret/1-small",), 2, False),
    ]
    assert problem.full == 100
    assert (problem.limits.time, problem.limits.memory, problem.limits.submissions) == (1.0, 64 << 20, 5)
    assert problem.groups[2].cases[1].hint == "many numbers"
    by_name = {one.path.name: one for one in problem.submissions}
    assert by_name["reference.cpp"].reference
    assert not by_name["sum.py"].reference
    assert by_name["overflow.cpp"].verdicts == ("wrong_answer",)
    assert by_name["overflow.cpp"].expectations[1].score == (70, 70)
    assert Expectation("secret/1-small", ("accepted",)) in by_name["overflow.cpp"].expectations
    assert "time_limit_exceeded" in by_name["spin.py"].verdicts
    assert (problem.floor, problem.licence, problem.name) == (0, "cc0", "Sum of a list")


def test_samples_stand_in_the_statement() -> None:
    statement = load_problem(PACKAGES / "sum").statement
    assert "### Sample: input\n\n```text\n3\n1 2 3\n```" in statement
    assert "{{remainingsamples}}" not in statement
    assert "0 ≤ *r* ≤ 1000" in load_problem(PACKAGES / "circle").statement


def test_constants_are_put_into_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for _ in range(2):  # made, and found again
        validator = load_problem(PACKAGES / "circle").validators[0]
        assert validator.is_relative_to(tmp_path)
        assert "<= 1000 else" in validator.read_text()


def test_chains_twins_and_overlays() -> None:
    problem = load_problem(PACKAGES / "stack")
    original, twin = problem.groups[0], problem.groups[2]
    assert (twin.id, twin.full, twin.twin_of, twin.sanitizers) == ("secret/3-leak", 20, "secret/1-basic", ("leak",))
    assert [case.input for case in twin.cases] == [case.input for case in original.cases]
    assert [case.id for case in twin.cases] == ["secret/3-leak/1", "secret/3-leak/2"]
    assert [case.driver for case in twin.cases] == ["basic", "basic"]
    assert problem.groups[1].cases[0].driver == "throws"
    assert problem.overlays == (SanitizerCheck("secret/2-throws", ("address",)),)
    assert load_problem(PACKAGES / "diary").chains == (("secret/1-days/1", "secret/1-days/2", "secret/1-days/3"),)


def test_chains_of_a_twin_are_its_own(tmp_path: Path) -> None:
    package = Path(shutil.copytree(PACKAGES / "diary", tmp_path / "diary"))
    add(package, "sanitize: [{of: 1-days, checks: leak, score: 0, group: 3-checked}]")
    assert load_problem(package).chains[1] == tuple(f"secret/3-checked/{n}" for n in (1, 2, 3))


def test_interactive_and_metric() -> None:
    problem = load_problem(PACKAGES / "guess")
    assert problem.interactor.name == "interact.py"
    assert (problem.checker.compare, problem.checker.program) == (None, None)
    assert problem.metric.baselines[0] == (7, 1)


def test_a_pass_fail_problem_is_one_group() -> None:
    groups = load_problem(PACKAGES / "circle").groups
    assert [(g.id, g.full, g.aggregation) for g in groups] == [("sample", 0, "min"), ("secret", 100, "min")]


def test_arguments_are_inherited(package: Path) -> None:
    group = package / "data/secret/2-large"
    put(group / "test_group.yaml", "max_score: 60\nargs: [a]\noutput_validator_args: [case_sensitive]\n")
    put(group / "2.yaml", "args: []\ninput_validator_args: {validate: [x]}\n")
    first, second = load_problem(package).groups[2].cases
    assert (first.args, first.checker_args) == (("a",), ("case_sensitive",))
    assert (second.args, second.checker_args, second.validator_args) == ((), ("case_sensitive",), {"validate": ("x",)})


def test_nested_directories_are_no_groups(package: Path) -> None:
    put(package / "data/secret/2-large/more/1.in", "0\n\n")
    put(package / "data/secret/2-large/more/1.ans", "0\n")
    assert [case.id for case in load_problem(package).groups[2].cases][-1] == "secret/2-large/more/1"


def test_files_beside_a_case(package: Path) -> None:
    put(package / "data/secret/2-large/1.files/extra.txt", "x")
    files = load_problem(package).groups[2].cases[0].files
    assert [path.name for path in files.iterdir()] == ["extra.txt"]


# -- one line for each mistake --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["colour: red"], "colour: unknown key; known keys here: allow_file_writing, build"),
        (["build: {kinds: x}"], "build.kinds: unknown key; known keys here: artefact, cases"),
        (["validator_flags: [x]"], "of earlier versions"),
        (["limits: {memory: 64}"], "line 13: the key 'limits' is given twice"),
        (["languages: 3"], "languages: Expected `str | array`, got `int`"),
        (["keywords: {"], "problem.yaml: line"),
        (["build: {kind: rocket}"], "build.kind: 'rocket' is not one of source, cmake"),
        (["build: {kind: header}"], "build.drivers: missing"),
        (["build: {kind: header, headers: [../x.hpp], drivers: {d: problem.yaml}}"], "leads outside"),
        (["build: {kind: header, headers: [x.hpp], drivers: {d: ../x.cpp}}"], "leads outside the package"),
        (["build: {kind: header, headers: [x.hpp], drivers: {d: no.cpp}}"], "no such file"),
        (["build: {artefact: /bin/sh}"], "build.artefact"),
        (["build: {languages: [cpp]}", "languages: [cpp]"], "build.languages"),
        (["build: {time_multipliers: {python3: 0}}"], "build.time_multipliers[...]: Expected `float` > 0"),
        (["chain: [secret/1-small/1]"], "chain[0]: Expected `array`, got `str`"),
        (["chain: [[secret/1-small/9]]"], "'secret/1-small/9' matches no test point"),
        (["chain: [[secret/1-small/1, secret/2-large/1]]"], "different groups"),
        (["chain: [[secret/1-small/1], ['secret/1-small/*']]"], "already in a chain"),
        (["sanitize: [{of: nothing, checks: [leak]}]"], "no group 'nothing'"),
        (["sanitize: [{of: 1-small, checks: [magic]}]"], "'magic' is not one of leak"),
        (["sanitize: [{of: 1-small, checks: [leak], score: 3}]"], "sanitize[0].group: missing"),
        (["sanitize: [{of: 1-small, checks: [leak], score: 0, group: 2-large}]"], "not a valid name"),
        (["sanitize: [{of: 1-small, checks: [leak], score: 3, group: x}]"], "write max_score: 103"),
        (["metric: {better: lower, baselines: [[1, 1], [2, 0]]}"], "metric: its raw value comes from"),
        (["checker: {compare: token, contract: kattis}"], "name either a comparison"),
        (["checker: {compare: token, options: [case]}"], "'case' is not one of"),
        (["checker: {contract: testlib}"], "output_validator: missing"),
        (["floor: 1"], "the key 'floor' is given twice"),
        (["feedback: loud"], "feedback: 'loud' is not one of none, verdict"),
        (["constants: {1a: 2}"], "`key` in `$.constants`"),
        (["? [a]\n: b"], "a key must be a text"),
        (["version: &a [*a]"], "recursive node"),
    ],
)
def test_mistakes_in_problem_yaml(package: Path, lines: list[str], said: str) -> None:
    add(package, *lines)
    text = error(package)
    assert text.startswith(str(package))
    assert said in text


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("problem.yaml", None, "a package is a directory with problem.yaml"),
        ("problem.yaml", "- a\n", "must be a mapping"),
        ("problem.yaml", "problem_format_version: 2031-01\n", "must be one of 2025-09"),
        ("problem.yaml", "problem_format_version: 2025-09\nname: x\n", "uuid: missing; write `uuid: "),
        ("problem.yaml", "problem_format_version: 2025-09\nuuid: x\n", "name: missing"),
        ("problem.yaml", "problem_format_version: 2025-09\nuuid: x\nname: {sv: Summa}\n", "statement for en"),
        ("problem.yaml", "problem_format_version: 2025-09\nuuid: x\nname: x\ntype: [multi-path]\n", "'multi-path'"),
        ("statement/problem.en.md", None, "no statement; write problem.en.md"),
        ("statement/problem.en.md", "{{nextsample}} {{nextsample}}", "more {{nextsample}}"),
        ("data/secret/1-small/1.ans", None, "no 1.ans beside it"),
        ("data/secret/1-small/7.ans", "", "no 7.in beside it"),
        ("data/secret/1-small/7.answer", "", "not a file of a test point"),
        ("data/secret/1-small/1.yaml", "argz: []\n", "1.yaml: argz: unknown key"),
        ("data/secret/1-small/1.yaml", "args: [1]\n", "put it in quotes"),
        ("data/secret/1-small/test_group.yaml", None, "no test_group.yaml"),
        ("data/secret/1-small/test_group.yaml", "score_aggregation: min\n", "max_score: missing"),
        ("data/secret/1-small/test_group.yaml", "max_score: unbounded\n", "unbounded"),
        ("data/secret/1-small/test_group.yaml", "max_score: 1.5\n", "max_score: Expected"),
        ("data/secret/1-small/test_group.yaml", "max_score: 40\nrequire_pass: secret/3\n", "no group"),
        (
            "data/secret/1-small/test_group.yaml",
            "max_score: 40\nrequire_pass: secret/2-large\n",
            "also requires secret/1-small",
        ),
        ("data/secret/1-small/test_group.yaml", "max_score: 41\n", "101 points in total, more than 100"),
        ("data/secret/1-small/test_group.yaml", "max_score: 40\noutput_validator_args: [x]\n", "'x' is not one of"),
        ("data/secret/1-small/test_group.yaml", "max_score: 40\nstatic_validation_score: 3\n", "static_validator"),
        ("data/secret/1-small/a/test_group.yaml", "", "groups must be directly in data/secret"),
        ("data/secret/9.in", "", "every test point is in one"),
        ("data/sample/test_group.yaml", "max_score: 1\n", "only in data/secret"),
        ("data/sample/deep/1.in", "", "no directories are allowed here"),
        ("submissions/submissions.yaml", "accepted/none.cpp: {}\n", "matches no submission"),
        ("submissions/submissions.yaml", "accepted: {permitted: [OK]}\n", "'OK' is not one of AC"),
        ("submissions/submissions.yaml", "accepted: {score: [3, 2]}\n", "minimum is above the maximum"),
        ("submissions/submissions.yaml", "accepted: {colour: {permitted: [AC], x: 1}}\n", "accepted.colour.x: unknown"),
        ("problem.yaml", b"\xff\xfe", "not UTF-8"),
    ],
)
def test_mistakes_in_files(package: Path, name: str, content: str | bytes | None, said: str) -> None:
    file = package / name
    if content is None:
        file.unlink()
    elif isinstance(content, bytes):
        file.write_bytes(content)
    else:
        put(file, content)
    assert said in error(package)


def test_a_circle_of_three_groups_is_named(package: Path) -> None:
    for name, needs in (("1-small", "2-large"), ("2-large", "3"), ("3", "1-small")):
        place = package / "data/secret" / name
        put(place / "test_group.yaml", f"max_score: 1\nrequire_pass: secret/{needs}\n")
        put(place / "1.in", "0\n\n")
        put(place / "1.ans", "0\n")
    assert "also requires secret/1-small" in error(package)


def test_a_floor_above_all_points(package: Path) -> None:
    file = package / "problem.yaml"
    put(file, file.read_text().replace("floor: 0", "floor: 101"))
    assert "floor: 101 is more than all 100 points" in error(package)


def test_samples_that_are_long_or_no_text(package: Path) -> None:
    (package / "data/sample/1.in").write_bytes(b"\xff\x00")
    (package / "data/sample/1.ans").write_text("ä" * 40_000)
    statement = load_problem(package).statement
    assert "(1.in: 2 bytes, not text)" in statement
    assert "... (cut)" in statement
    assert len(statement) < 40_000


@pytest.mark.parametrize("number", ["1" + "0" * 400, ".inf", ".nan", "1e400", "99999999999999999"])
def test_numbers_out_of_range(package: Path, number: str) -> None:
    file = package / "problem.yaml"
    text = file.read_text()
    put(file, text.replace("memory: 64", f"memory: {number}"))
    assert "limits.memory: " in error(package)
    put(file, text.replace("time_limit: 1", f"time_limit: {number}"))
    assert "limits.time_limit: " in error(package)


def test_without_an_accepted_submission(package: Path) -> None:
    shutil.rmtree(package / "submissions/accepted")
    assert "no accepted submission" in error(package)


@pytest.mark.parametrize("target", ["/etc/passwd", "..", "nothing"])
def test_links_that_lead_outside_are_refused(package: Path, target: str) -> None:
    (package / "data/secret/1-small/9.in").symlink_to(target)
    assert "9.in" in error(package)


def test_links_inside_are_followed_and_loops_refused(package: Path) -> None:
    for suffix in ("in", "ans"):
        (package / f"data/secret/1-small/9.{suffix}").symlink_to(f"1.{suffix}")
    assert len(load_problem(package).groups[1].cases) == 4
    (package / "data/secret/loop").symlink_to("..")
    assert "link to a directory that contains it" in error(package)


def test_a_fifo_is_refused(package: Path) -> None:
    os.mkfifo(package / "data/secret/1-small/9.in")
    assert "neither a file nor a directory" in error(package)


def test_a_sealed_package_is_not_one_without_its_hidden_parts(package: Path) -> None:
    (package.parent / "sealed.bin").touch()
    assert "rigor suite seal --open" in error(package)


def test_deep_yaml_is_one_line(package: Path) -> None:
    put(package / "problem.yaml", "a: " + "[" * 1500)
    error(package)


def test_digest_is_over_what_matters(package: Path) -> None:
    first = load_problem(package).digest
    put(package / ".git/config", "x")
    put(package / "data/.cache", "x")
    assert load_problem(package).digest == first
    for name in ("data/secret/1-small/1.ans", "attachments/.gitignore", "submissions/accepted/sum.py", "notes.txt"):
        put(package / name, "changed\n")
        changed = load_problem(package).digest
        assert changed != first, name
        first = changed
    (package / "submissions/accepted/sum.py").chmod(0o755)
    assert load_problem(package).digest != first


@settings(max_examples=150)
@given(key=st.sampled_from(["limits", "build", "chain", "sanitize", "metric", "checker", "name", "type", "constants"]),
       value=st.recursive(
           st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
           lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
           max_leaves=6))  # fmt: skip
def test_no_value_of_a_key_is_a_traceback(tmp_path_factory: pytest.TempPathFactory, key: str, value: object) -> None:
    import yaml

    from rigorbench.judge.problems.metadata import read_metadata

    table = {**yaml.safe_load((PACKAGES / "sum/problem.yaml").read_text()), key: value}
    try:
        read_metadata(table, PACKAGES / "sum")
    except PackageError as error:
        assert str(error).startswith(f"{PACKAGES / 'sum/problem.yaml'}: ")
        assert key in str(error)


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("accepted", "accepted/a.py", True),
        ("accepted/*", "accepted/a.py", True),
        ("accepted/*", "accepted", False),
        ("*", "accepted/a.py", True),
        ("accepted/{a,b}.{py,cpp}", "accepted/b.cpp", True),
        ("accepted/{a,b}.py", "accepted/c.py", False),
        ("accepted/[ab].py", "accepted/a.py", False),
        ("secret/*-easy", "secret/1-easy/07", True),
        ("{" * 40, "x", False),
        ("{a,b}" * 40, "x", False),
    ],
)
def test_patterns(pattern: str, path: str, expected: bool) -> None:
    assert matches(pattern, path) is expected


def test_our_patterns_keep_the_order() -> None:
    ids = [f"secret/g/{n:02}" for n in range(12)]
    assert select("secret/g/0[1-3]", ids) == ids[1:4]
    assert select("secret/*", ids) == []


def test_cases_are_plain_values() -> None:
    case = Case("a", Path("a.in"))
    assert (case.args, case.files, case.validator_args) == ((), None, {})
