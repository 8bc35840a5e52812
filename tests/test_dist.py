"""What `make dist` builds: a wheel that works where no checkout is near, and an sdist that builds the same wheel."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

from rigorbench.bench.replay import sandbox
from rigorbench.cli import COMMANDS
from rigorbench.cli.commands import find

ROOT = Path(__file__).resolve().parents[1]
SESSION = ROOT / "examples" / "sessions" / "791a2556d5-django__django-13794.traj.json"

# All of them build the package, which has three thousand files, and install it.
pytestmark = pytest.mark.slow


def run(command: list[str | Path], directory: Path, **environment: str) -> str:
    """The output of a command in an environment in which no checkout can be found."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "RIGOR"))}
    done = subprocess.run(
        list(map(str, command)), cwd=directory, env=kept | environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("hatchling", reason="hatchling is not installed")
    made = tmp_path_factory.mktemp("dist")
    run([sys.executable, "-m", "hatchling", "build", "-d", made], ROOT)
    return made


@pytest.fixture(scope="module")
def rigor(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, installed from the wheel into an environment of its own; other packages are those of this one."""
    place = tmp_path_factory.mktemp("installed")
    run([sys.executable, "-m", "venv", "--without-pip", "env"], place)
    python = place / "env" / "bin" / "python"
    (wheel,) = dist.glob("*.whl")
    run([sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-index", "--no-deps", wheel], place)
    packages = place / "env" / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    # A .pth file in a directory that a .pth file names is not read: an editable install of the checkout stays unseen.
    (packages / "others.pth").write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    where = run([python, "-c", "import rigorbench; print(rigorbench.__file__)"], place)
    assert Path(where.strip()).is_relative_to(packages)
    return place / "env" / "bin" / "rigor"


def members(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_sdist_builds_the_same_wheel(dist: Path, tmp_path: Path) -> None:
    (source,) = dist.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path)
    (directory,) = tmp_path.iterdir()
    for name in ("README.md", "Makefile", "mkdocs.yml", "scripts/setup", "requirements/base.txt", "examples/sessions"):
        assert (directory / name).exists(), name
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "again"], directory)
    (first,), (second,) = dist.glob("*.whl"), (tmp_path / "again").glob("*.whl")
    before, after = members(first), members(second)
    assert before.keys() == after.keys()
    assert [name for name in before if before[name] != after[name]] == []


def test_the_installed_program_scores_and_has_its_suites_and_harnesses(rigor: Path, tmp_path: Path) -> None:
    assert "Not shown: " in run([rigor, "score", SESSION], tmp_path)
    run([rigor, "score", SESSION, "--html", "page.html"], tmp_path)
    assert (tmp_path / "page.html").stat().st_size > 50_000
    assert "house-tab" in run([rigor, "suite", "list", "rigor"], tmp_path)
    words = ["projdev", "--tasks", "ice-library", "--model", "scripted/disciplined", "--harness", "nudge", "--dry-run"]
    assert "1 to run" in run([rigor, "run", *words], tmp_path)
    run([rigor, "doctor"], tmp_path)
    if find(COMMANDS, "demo") is not None:
        run([rigor, "demo"], tmp_path)


@pytest.mark.bwrap
def test_the_installed_program_runs_a_task(rigor: Path, tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai", reason="Inspect is not installed")
    pytest.importorskip("inspect_swe", reason="inspect_swe is not installed")
    reason = sandbox.unavailable()
    if reason is not None:
        pytest.skip(reason)
    words = ["rigor", "--tasks", "house-tab", "--harness", "nudge", "--model", "scripted/disciplined", "--out", "out"]
    printed = run([rigor, "run", *words], tmp_path)
    assert "1 of 1 run counted" in printed
    assert "Nothing went wrong" in printed
    assert (tmp_path / "out" / "report" / "index.html").is_file()
    run([rigor, "report", "out", "--check"], tmp_path)


def test_a_hint_of_an_installed_wheel_names_the_wheel(rigor: Path, dist: Path, tmp_path: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    code = "from rigorbench.base.extras import install; print(install('report'))"
    assert run([rigor.with_name("python"), "-c", code], tmp_path) == f"pip install '{wheel}[report]'\n"
