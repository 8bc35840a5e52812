"""Sandboxes that are not ours: the repository goes in and comes out as an archive, and what is missing is said."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest
import tiny_suite

pytest.importorskip("inspect_ai", reason="Inspect is not installed")
pytest.importorskip("inspect_swe", reason="inspect_swe is not installed")

from rigorbench.base import journal
from rigorbench.bench.experiment.store import ExperimentDirectory
from rigorbench.bench.run.engine.live import unpack
from rigorbench.bench.run.experiment import run_experiment
from rigorbench.bench.run.planning.plan import ExperimentRequest, PlanError, make_plan, split_sandbox
from rigorbench.bench.run.planning.prerequisites import sandbox_problem


@pytest.mark.bwrap  # for the hidden tests, which run in a sandbox of ours wherever the agent ran
def test_a_run_in_a_foreign_sandbox_is_scored_on_its_final_tree_and_says_what_it_lacks(tmp_path):
    suite = tiny_suite.write_suite(
        tmp_path / "suite",
        files={"environment/repo/.gitignore": "*.log\n"},
        policies={
            "fix": tiny_suite.FIX.replace(
                "python -m pytest -q", "echo kept > notes.txt; echo dropped > x.log; echo '*' > .gitignore"
            )
        },
    )
    plan = make_plan(ExperimentRequest(str(suite), models=("scripted/fix",), sandbox="local"))
    summary = run_experiment(plan, tmp_path / "out", replay=False)
    assert summary.problems == []
    (result,) = summary.results
    assert result.outcome.solved is True
    assert any(gap.startswith("commands") for gap in result.gaps)
    assert any("local sandbox" in gap for gap in result.gaps)
    run = ExperimentDirectory(tmp_path / "out").run(result.cell)
    records = [record for _, record in journal.read_records(run / journal.JOURNAL)]
    assert isinstance(records[0], journal.RunRecord)
    assert records[0].features == ["models"]
    assert sum(isinstance(r, journal.Model) for r in records) == result.model_calls == 4
    end = records[-1]
    assert isinstance(end, journal.End)
    assert end.final_tree is not None
    from rigorbench.bench.outcome.trees import read_tree

    final = read_tree(run / "store.git", end.final_tree)
    assert {"notes.txt", ".gitignore", "src/pages.py"} <= set(final)
    assert not {"x.log", ".rigor-repository.tar", ".rigor-final.tar"} & set(final)


def test_the_agents_archive_cannot_leave_its_directory(tmp_path):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for name, kind in (("../out", b"0"), ("/abs", b"0"), ("good/log", b"0"), ("link", tarfile.SYMTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname, info.size = kind, "/etc/passwd", 0 if kind != b"0" else 1
            archive.addfile(info, io.BytesIO(b"x") if kind == b"0" else None)
    unpack(data.getvalue(), tmp_path / "a" / "session")
    files = {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if not p.is_dir()}
    assert files == {"a/session/good/log", "a/session/abs"}


def test_the_kind_of_a_sandbox_may_come_with_a_file(tmp_path):
    suite = tiny_suite.write_suite(tmp_path / "suite")
    assert split_sandbox("k8s:values.yaml") == ("k8s", "values.yaml")
    assert split_sandbox("bwrap") == ("bwrap", None)
    with pytest.raises(PlanError, match=r"values\.yaml: no such file"):
        make_plan(ExperimentRequest(str(suite), models=("scripted/fix",), sandbox="k8s:values.yaml"))
    with pytest.raises(PlanError, match="bwrap takes no file"):
        make_plan(ExperimentRequest(str(suite), models=("scripted/fix",), sandbox="bwrap:x"))


def test_what_a_foreign_sandbox_needs_is_told(monkeypatch):
    monkeypatch.setattr("rigorbench.bench.run.planning.prerequisites.which", lambda name: None)
    assert "docker is not installed" in str(sandbox_problem("docker"))
    monkeypatch.setattr("rigorbench.bench.run.planning.prerequisites.find_spec", lambda name: None)
    assert "pip install inspect-k8s-sandbox" in str(sandbox_problem("k8s"))
    assert "pip install inspect-podman" in str(sandbox_problem("podman"))
    assert sandbox_problem("local") is None


def test_repositories_are_packed_without_the_owner(tmp_path: Path):
    from rigorbench.bench.run.engine.live import _pack

    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "f").write_text("x")
    with tarfile.open(fileobj=io.BytesIO(_pack(tmp_path))) as archive:
        assert [(m.name, m.uid, m.uname) for m in archive] == [("a", 0, ""), ("a/f", 0, "")]
