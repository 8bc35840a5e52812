"""The plain layout: what the format knows arrives, what it does not is told."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from rigorbench.cli.judge.export import command
from rigorbench.judge.problems.export import export_package
from rigorbench.judge.problems.load import load_problem
from rigorbench.judge.problems.problem import PackageError, Problem

PACKAGES = Path(__file__).parent.parent / "packages"
OURS = {"build", "chain", "sanitize", "metric", "checker", "floor", "feedback"}


def outline(problem: Problem) -> list[object]:
    """What of a problem the format knows."""
    return [
        (g.id, g.full, g.aggregation, g.requires, [(c.input.read_bytes(), c.answer and c.answer.read_bytes(), c.args, c.hint) for c in g.cases])  # noqa: E501
        for g in problem.groups
        if g.twin_of is None
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["sum", "circle", "pair", "guess", "diary", "stack"])
def test_groups_and_cases_arrive_and_our_keys_do_not(tmp_path: Path, name: str) -> None:
    export_package(PACKAGES / name, tmp_path / name)
    before, after = load_problem(PACKAGES / name), load_problem(tmp_path / name)
    assert outline(after) == outline(before)
    assert (after.limits.time, after.limits.memory) == (before.limits.time, before.limits.memory)
    header = yaml.safe_load((tmp_path / name / "problem.yaml").read_text())
    assert not OURS & set(header)
    assert set(header.get("limits", {})) <= {"time_limit", "memory"}
    kept = [s for s in before.submissions if s.label not in ("compile_error", "memory_leak", "invalid_access")]
    assert [s.path.name for s in after.submissions] == [s.path.name for s in kept]


def test_comparisons_become_arguments(tmp_path: Path) -> None:
    assert export_package(PACKAGES / "circle", tmp_path / "circle") == []
    problem = load_problem(tmp_path / "circle")
    assert problem.checker.compare == "token"
    assert {case.checker_args for group in problem.groups for case in group.cases} == {("float_tolerance", "1e-6")}


def test_what_is_lost_is_told(tmp_path: Path) -> None:
    lost = export_package(PACKAGES / "stack", tmp_path / "stack")
    assert [line.split(":")[0] for line in lost if "problem.yaml" not in line] == [
        "drivers",
        "submissions/compile_error",
        "submissions/invalid_access",
        "submissions/memory_leak",
    ]
    assert [line.split(": ")[1] for line in lost if "problem.yaml" in line] == [
        "sanitize",
        "floor",
        "build.kind header",
    ]
    assert load_problem(tmp_path / "stack").full == 80
    assert yaml.safe_load((tmp_path / "stack/data/secret/test_group.yaml").read_text()) == {"max_score": 80}


def test_labels_of_ours_get_verdicts_of_the_format(tmp_path: Path) -> None:
    export_package(PACKAGES / "sum", tmp_path / "sum")
    said = yaml.safe_load((tmp_path / "sum/submissions/submissions.yaml").read_text())
    assert said["memory_limit_exceeded"] == {"permitted": ["AC", "RTE"], "required": ["RTE"]}


def test_directories_of_a_starter_become_an_archive(tmp_path: Path) -> None:
    package = Path(shutil.copytree(PACKAGES / "sum", tmp_path / "sum"))
    (package / "attachments/src").mkdir()
    (package / "attachments/src/main.cpp").write_text("int main() {}\n")
    export_package(package, tmp_path / "out")
    assert {entry.name for entry in (tmp_path / "out/attachments").iterdir()} == {"main.cpp", "attachments.zip"}
    with zipfile.ZipFile(tmp_path / "out/attachments/attachments.zip") as archive:
        assert set(archive.namelist()) == {"main.cpp", "src/main.cpp"}


def test_a_testlib_checker_gets_a_translation(tmp_path: Path) -> None:
    package = Path(shutil.copytree(PACKAGES / "pair", tmp_path / "pair"))
    shutil.rmtree(package / "output_validator")
    (package / "output_validator").mkdir()
    (package / "output_validator/check.cpp").write_text('#include "testlib.h"\n')
    with (package / "problem.yaml").open("a") as file:
        file.write("checker: {contract: testlib}\n")
    export_package(package, tmp_path / "out")
    assert {entry.name for entry in (tmp_path / "out/output_validator").iterdir()} == {
        "check.cpp",
        "testlib.h",
        "testlib_kattis.cpp",
    }
    assert load_problem(tmp_path / "out").checker.contract == "kattis"


@settings(max_examples=25)
@given(
    groups=st.lists(
        st.tuples(st.integers(0, 30), st.sampled_from(["pass-fail", "min", "sum"]), st.integers(1, 3)),
        min_size=1,
        max_size=4,
    ),
    needs=st.lists(st.booleans(), min_size=4, max_size=4),
    hint=st.none() | st.text(alphabet="ab: #'\"\n", min_size=1, max_size=9),
)
def test_export_keeps_groups_of_every_shape(
    groups: list[tuple[int, str, int]], needs: list[bool], hint: str | None
) -> None:
    with tempfile.TemporaryDirectory() as directory:
        package = Path(shutil.copytree(PACKAGES / "pair", Path(directory) / "pair"))
        shutil.rmtree(package / "data/secret")
        for index, (full, aggregation, count) in enumerate(groups):
            place = package / f"data/secret/{index}"
            place.mkdir(parents=True)
            said = {"max_score": full, "score_aggregation": aggregation}
            if index and needs[index]:
                said["require_pass"] = [f"secret/{index - 1}"]  # type: ignore[assignment]
            (place / "test_group.yaml").write_text(yaml.safe_dump(said))
            for number in range(count):
                (place / f"{number}.in").write_text(f"{index} {number}\n")
                (place / f"{number}.ans").write_text("")
            if hint is not None:
                (place / "0.yaml").write_text(yaml.safe_dump({"hint": hint}))
        (package / "data/secret/test_group.yaml").write_text("max_score: 200\n")
        export_package(package, Path(directory) / "out")
        assert outline(load_problem(Path(directory) / "out")) == outline(load_problem(package))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command([str(PACKAGES / "sum"), str(tmp_path / "my-sum")]) == 0
    captured = capsys.readouterr()
    assert "written, 4 lost" in captured.out
    assert "lower-case letters and digits" in captured.err
    assert command([str(PACKAGES / "sum"), str(tmp_path / "my-sum")]) == 1
    with pytest.raises(PackageError, match="no such directory"):
        export_package(tmp_path / "nothing", tmp_path / "out")
