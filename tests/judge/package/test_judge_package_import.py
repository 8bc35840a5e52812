"""Polygon packages: what they say is what the package says; archives cannot do harm."""

from __future__ import annotations

import stat
import tempfile
import zipfile
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigorbench.cli.judge.import_ import command
from rigorbench.judge.problems import importing
from rigorbench.judge.problems.importing import import_package
from rigorbench.judge.problems.load import load_problem
from rigorbench.judge.problems.problem import PackageError

Files = dict[str, str]


def polygon(tests: list[dict[str, str]], groups: str = "", assets: str = "", **more: str) -> Files:
    """The files of a Polygon package whose n-th test is "n" with the answer "-n"."""
    rows = "".join("<test " + " ".join(f"{k}={quoteattr(v)}" for k, v in test.items()) + "/>" for test in tests)
    files = {
        "problem.xml": f"""<?xml version="1.0" encoding="utf-8"?>
<problem short-name="negate">
 <names><name language="english" value="Negate"/></names>
 <judging input-file="" output-file="">
  <testset name="tests"><time-limit>1500</time-limit><memory-limit>67108864</memory-limit>
   <test-count>{len(tests)}</test-count><input-path-pattern>tests/%02d</input-path-pattern>
   <answer-path-pattern>tests/%02d.a</answer-path-pattern><tests>{rows}</tests><groups>{groups}</groups></testset>
 </judging>
 <assets>
  <checker name="std::ncmp.cpp" type="testlib"><source path="files/check.cpp" type="cpp.g++17"/></checker>
  <validators><validator><source path="files/val.cpp" type="cpp.g++17"/></validator></validators>
  <solutions>
   <solution tag="main"><source path="solutions/main.cpp" type="cpp.g++17"/></solution>
   <solution tag="wrong-answer"><source path="solutions/wa.py" type="python.3"/></solution>
   <solution tag="time-limit-exceeded-or-accepted"><source path="solutions/slow.py" type="python.3"/></solution>
   <solution tag="accepted"><source path="solutions/old.dpr" type="delphi.7"/></solution>
  </solutions>{assets}
 </assets>
</problem>""",
        "statement-sections/english/legend.tex": "Negate $n$.",
        "statement-sections/english/input.tex": "A number.",
        "statement-sections/english/name.tex": "Negate",
        "files/check.cpp": '#include "testlib.h"\n',
        "files/val.cpp": '#include "testlib.h"\n',
        "solutions/main.cpp": "int main() {}\n",
        "solutions/wa.py": "print(1)\n",
        "solutions/slow.py": "print(-int(input()))\n",
        "solutions/old.dpr": "begin end.\n",
    }
    for number in range(1, len(tests) + 1):
        files[f"tests/{number:02}"], files[f"tests/{number:02}.a"] = f"{number}\n", f"-{number}\n"
    return files | more


def write(place: Path, files: Files) -> Path:
    for name, text in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    return place


def archive(place: Path, files: Files, prefix: str = "") -> Path:
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as found:
        for name, text in files.items():
            found.writestr(prefix + name, text)
    return place


def inputs(group: Any) -> list[str]:
    return [case.input.read_text().strip() for case in group.cases]


# -- Polygon --------------------------------------------------------------------------------------------------------


def test_a_polygon_package_with_groups(tmp_path: Path) -> None:
    tests = [
        {"sample": "true", "group": "0", "points": "0"},
        {"group": "b", "points": "30"},
        {"group": "b", "points": "30"},
        {"group": "a", "points": "40.5"},
    ]
    groups = """<group name="0" points-policy="complete-group" points="0"/>
      <group name="b" points-policy="each-test"><dependencies><dependency group="a"/></dependencies></group>
      <group name="a" points-policy="complete-group" points="40.5">
        <dependencies><dependency group="0"/></dependencies></group>"""
    written = import_package(write(tmp_path / "in", polygon(tests, groups)), tmp_path / "out")
    problem = load_problem(tmp_path / "out")
    assert (problem.name, problem.limits.time, problem.limits.memory) == ("Negate", 1.5, 64 << 20)
    assert [(g.id, g.full, g.aggregation, g.requires, inputs(g)) for g in problem.groups] == [
        ("sample", 0, "min", (), ["1"]),
        ("secret/1-a", 405, "min", ("sample",), ["4"]),
        ("secret/2-b", 600, "sum", ("secret/1-a",), ["2", "3"]),
    ]
    assert problem.checker.contract == "testlib"
    assert "Negate $n$." in problem.statement
    assert "\\section*{Input}" in problem.statement
    labels = {one.path.name: (one.label, one.reference, one.verdicts) for one in problem.submissions}
    assert labels["main.cpp"][:2] == ("accepted", True)
    assert labels["wa.py"] == ("wrong_answer", False, ("wrong_answer", "presentation_error"))
    assert set(labels["slow.py"][2]) == {"accepted", "time_limit_exceeded", "idleness_limit_exceeded"}
    assert [line.split(":")[0] for line in written] == ["points", "solution old.dpr"]


def test_a_polygon_package_without_points_is_pass_fail(tmp_path: Path) -> None:
    import_package(write(tmp_path / "in", polygon([{"sample": "true"}, {}, {}])), tmp_path / "out")
    assert [(g.id, inputs(g)) for g in load_problem(tmp_path / "out").groups] == [
        ("sample", ["1"]),
        ("secret", ["2", "3"]),
    ]


def test_tests_of_different_points_become_groups_of_their_own(tmp_path: Path) -> None:
    tests = [{"group": "g", "points": "10"}, {"group": "g", "points": "20"}, {"group": "h", "points": "70"}]
    groups = '<group name="h"><dependencies><dependency group="g"/></dependencies></group>'
    import_package(write(tmp_path / "in", polygon(tests, groups)), tmp_path / "out")
    found = load_problem(tmp_path / "out").groups
    assert [(g.id, g.full) for g in found] == [("secret/1-g-1", 10), ("secret/2-g-2", 20), ("secret/3-h", 70)]
    assert found[2].requires == ("secret/1-g-1", "secret/2-g-2")


def test_an_interactive_polygon_package(tmp_path: Path) -> None:
    assets = '<interactor><source path="files/interactor.cpp" type="cpp.g++17"/></interactor>'
    files = polygon(
        [{}], assets=assets, **{"files/interactor.cpp": '#include "testlib.h"\n', "files/testlib.h": "//\n"}
    )
    import_package(write(tmp_path / "in", files), tmp_path / "out")
    problem = load_problem(tmp_path / "out")
    assert problem.checker.contract == "testlib"
    # The package's own testlib lies beside both.
    assert {path.name for path in problem.interactor.iterdir()} == {"interactor.cpp", "testlib.h"}
    assert {path.name for path in problem.checker.program.iterdir()} == {"check.cpp", "testlib.h"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"problem.xml": "<problem"}, "not XML"),
        ({"problem.xml": '<!DOCTYPE p [<!ENTITY a "b">]><problem>&a;</problem>'}, "defines entities"),
        ({"problem.xml": "<problem/>"}, "judging/testset: missing"),
        ({"files/check.cpp": None}, "checker: files/check.cpp: no such file"),
        ({"tests/01": None}, "only a full package"),
    ],
)
def test_damaged_polygon_packages(tmp_path: Path, change: dict[str, str | None], said: str) -> None:
    files = {name: text for name, text in (polygon([{}]) | change).items() if text is not None}  # type: ignore[operator]
    with pytest.raises(PackageError, match=said):
        import_package(write(tmp_path / "in", files), tmp_path / "out", "polygon")
    assert not (tmp_path / "out").exists()
    assert [entry.name for entry in tmp_path.iterdir()] == ["in"]


@pytest.mark.parametrize("path", ["../../etc/passwd", "/etc/passwd", "files/../../x"])
def test_paths_that_lead_outside_are_refused(tmp_path: Path, path: str) -> None:
    files = polygon([{}])
    files["problem.xml"] = files["problem.xml"].replace("files/check.cpp", path)
    with pytest.raises(PackageError, match="leads outside"):
        import_package(write(tmp_path / "in", files), tmp_path / "out")


def test_groups_that_require_each_other(tmp_path: Path) -> None:
    tests = [{"group": "a", "points": "1"}, {"group": "b", "points": "1"}]
    groups = "".join(
        f'<group name="{a}"><dependencies><dependency group="{b}"/></dependencies></group>' for a, b in ("ab", "ba")
    )
    with pytest.raises(PackageError, match="require each other: a, b"):
        import_package(write(tmp_path / "in", polygon(tests, groups)), tmp_path / "out")


@settings(max_examples=20)
@given(data=st.data())
def test_every_polygon_test_arrives_once_with_its_points(data: st.DataObject) -> None:
    names = data.draw(st.lists(st.sampled_from("abc"), min_size=1, max_size=6))
    points = [data.draw(st.integers(0, 9)) for _ in names]
    complete = {name: data.draw(st.booleans()) for name in set(names)}
    tests = [{"group": name, "points": str(value)} for name, value in zip(names, points, strict=True)]
    groups = "".join(
        f'<group name="{name}" points-policy="{"complete-group" if whole else "each-test"}"/>'
        for name, whole in sorted(complete.items())
    )
    with tempfile.TemporaryDirectory() as place:
        import_package(write(Path(place) / "in", polygon(tests, groups)), Path(place) / "out")
        problem = load_problem(Path(place) / "out")
        found = [(text, case.answer.read_text().strip()) for g in problem.groups for text, case in zip(inputs(g), g.cases, strict=True) if case.answer]  # noqa: E501  # fmt: skip
    assert sorted(found) == sorted((str(n), f"-{n}") for n in range(1, len(names) + 1))
    assert problem.full == (sum(points) or 100)


# -- archives -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["../escape", "/tmp/escape", "a/../../escape", "..\\escape", "C:/escape"])
def test_archives_that_lead_outside_are_refused(tmp_path: Path, name: str) -> None:
    path = archive(tmp_path / "in.zip", polygon([{}]) | {name: "x"})
    with pytest.raises(PackageError, match=r"leads outside|not a ZIP"):
        import_package(path, tmp_path / "out")
    assert not (tmp_path.parent / "escape").exists()
    assert not (tmp_path / "escape").exists()


def test_links_in_archives_are_refused(tmp_path: Path) -> None:
    path = archive(tmp_path / "in.zip", polygon([{}]))
    with zipfile.ZipFile(path, "a") as found:
        entry = zipfile.ZipInfo("2.in")
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16
        found.writestr(entry, "/etc/passwd")
    with pytest.raises(PackageError, match="is a link"):
        import_package(path, tmp_path / "out")


def test_programs_in_archives_can_be_run(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "in.zip", "w") as made:
        for name, mode in (("problem.yaml", 0o644), ("doall.sh", 0o755)):
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (stat.S_IFREG | mode) << 16
            made.writestr(entry, "name: x\n")
    import_package(tmp_path / "in.zip", tmp_path / "out")
    assert [(tmp_path / "out" / name).stat().st_mode & 0o100 for name in ("problem.yaml", "doall.sh")] == [0, 0o100]


def test_bombs_are_refused_by_what_they_unpack_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "_LARGEST", 1 << 20)
    path = archive(tmp_path / "in.zip", polygon([{}]) | {"zeros": "0" * (2 << 20)})
    with pytest.raises(PackageError, match="unpacks to more"):
        import_package(path, tmp_path / "out")


@settings(max_examples=30)
@given(place=st.integers(0, 2000), byte=st.integers(0, 255))
def test_damaged_archives_are_one_line(place: int, byte: int) -> None:
    with tempfile.TemporaryDirectory() as directory:
        path = archive(Path(directory) / "in.zip", polygon([{}]))
        data = bytearray(path.read_bytes())
        data[place % len(data)] = byte
        path.write_bytes(data)
        try:
            import_package(path, Path(directory) / "out", "polygon")
        except PackageError as error:
            assert "\n" not in str(error)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write(tmp_path / "in", polygon([{}]))
    assert command([str(source), str(tmp_path / "out")]) == 0
    captured = capsys.readouterr()
    assert "1 group, 1 test point, 100 points" in captured.out
    assert "not converted: solution old.dpr" in captured.err
    assert command([str(source), str(tmp_path / "out")]) == 1
    assert "already exists" in capsys.readouterr().err
    (tmp_path / "empty").mkdir()
    assert command([str(tmp_path / "empty"), str(tmp_path / "new")]) == 1
    assert "name the kind with --from" in capsys.readouterr().err
    (source / "solutions/main.cpp").unlink()
    assert command([str(source), str(tmp_path / "later")]) == 1
    assert "solutions/main.cpp: no such file" in capsys.readouterr().err
