"""Other languages than Python: found wherever they lie, shown without the home around them, and at work inside."""

from __future__ import annotations

import asyncio
import shutil
import sys
from pathlib import Path

import pytest

from rigorbench.authoring.harbor import DOCKERFILE, dockerfile
from rigorbench.base.cache import cache_directory
from rigorbench.evidence.testruns.results import read_results
from rigorbench.sandbox.box.box import Box
from rigorbench.sandbox.box.spec import BoxSpec
from rigorbench.sandbox.kit import languages
from rigorbench.sandbox.kit.errors import SandboxError
from rigorbench.sandbox.kit.languages import MissingError, find_languages, locate
from rigorbench.sandbox.kit.programs import TOOLS, packages
from rigorbench.sandbox.kit.toolchain import toolchain

sys.path.insert(0, str(Path(__file__).parents[1]))
from tiny_languages import LANGUAGES


def program(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def test_a_toolchain_of_its_own_in_a_home_directory_is_shown_and_nothing_else(home: Path) -> None:
    prefix = home / ".nvm" / "versions" / "node" / "v20.1.0"
    node = program(prefix / "bin" / "node")
    (prefix / "include" / "node").mkdir(parents=True)
    found = locate("node", TOOLS["node"], str(node.parent), home)
    assert found.prefix == (prefix, "/opt/rigor-node")
    assert found.directory == "/opt/rigor-node/bin"


@pytest.mark.parametrize("place", [".local/bin", "bin", "work/tools/bin"])
def test_a_program_among_other_things_is_refused(home: Path, place: str) -> None:
    node = program(home / place / "node")
    if place == ".local/bin":
        (home / ".local" / "include" / "node").mkdir(parents=True)
    with pytest.raises(MissingError, match=r"no directory of its own .* for all users: apt install nodejs"):
        locate("node", TOOLS["node"], str(node.parent), home)


def test_what_is_missing_is_said_with_its_remedy(home: Path) -> None:
    with pytest.raises(MissingError, match=r"^the program javac is not installed: apt install default-jdk-headless$"):
        locate("javac", TOOLS["javac"], str(home), home)
    with pytest.raises(MissingError, match=r"^the program cargo is not installed: apt install cargo rustc"):
        locate("cargo", TOOLS["cargo"], str(home), home)
    found = find_languages(["no-such-program"])
    assert found.missing == (
        "no-such-program: the program no-such-program is not installed: apt install no-such-program",
    )
    with pytest.raises(SandboxError, match="no-such-program is not installed"):
        toolchain(cache_directory(), ["no-such-program"])


def test_the_toolchain_behind_rustups_programs_is_shown(home: Path) -> None:
    toolchains = home / ".rustup" / "toolchains" / "stable"
    program(toolchains / "bin" / "rustc")
    (toolchains / "lib" / "rustlib").mkdir(parents=True)
    program(home / ".cargo" / "bin" / "rustc", f"echo {toolchains}")
    # Not on PATH: rustup's own place is looked at as well.
    found = locate("rustc", TOOLS["cargo"], "/usr/bin", home)
    if shutil.which("rustc", path="/usr/bin") is None:
        assert found.prefix == (toolchains, "/opt/rigor-rust")
    with pytest.raises(MissingError, match="has no cargo: rustup component add cargo"):
        locate("cargo", TOOLS["cargo"], str(home / ".cargo" / "bin"), home)
    program(home / ".cargo" / "bin" / "rustc", "echo no default toolchain >&2; exit 1")
    with pytest.raises(MissingError, match=r"names no toolchain \(no default toolchain\): rustup default stable"):
        locate("cargo", TOOLS["cargo"], str(home / ".cargo" / "bin"), home)


def test_packages_for_an_image() -> None:
    assert packages(["node", "npm"]) == ["nodejs", "npm"]
    assert packages(["g++", "make", "zig"]) == ["g++", "make", "zig"]
    assert packages([]) == []


def test_an_image_installs_what_the_tools_need_and_nothing_for_python() -> None:
    assert dockerfile() == DOCKERFILE
    made = dockerfile(["g++", "make"])
    assert "--no-install-recommends git g++ make \\\n" in made
    assert made.replace(" g++ make", "") == DOCKERFILE


@pytest.mark.bwrap
@pytest.mark.parametrize("name", sorted(LANGUAGES))
def test_it_builds_and_tests_inside_without_a_home_or_a_network(name: str, tmp_path: Path) -> None:
    language = LANGUAGES[name]
    if missing := find_languages(language.tools).missing:
        pytest.skip("; ".join(missing))
    tools = toolchain(cache_directory(), language.tools)

    async def main() -> tuple[dict[str, str], str]:
        spec = BoxSpec(str(tmp_path), binds=tools.binds, env=(*tools.env, ("PATH", tools.path)))
        async with await Box.start(spec) as box:
            for path, text in language.starter.items():
                await box.write(path, text.encode())
            built = await box.exec(["sh", "-c", language.build], timeout=120)
            assert built.status == 0, built.stderr
            run = await box.exec([*language.program, "20"], timeout=60)
            assert run.stdout == b"2\n", run.stderr
            tested = await box.exec(["sh", "-c", f"exec 2>&1\n{language.test}"], timeout=120)
            assert tested.status == 0, tested.stdout
            seen = await box.exec(["sh", "-c", "ls -A /root /home /home/* 2>&1; env"])
            return dict(read_results(tested.stdout.decode())), seen.stdout.decode()

    results, seen = asyncio.run(asyncio.wait_for(main(), 300))
    assert {test for test, result in results.items() if result == "passed"} >= set(language.names)
    for word in (".rustup", ".nvm", ".ssh", str(Path.home() / ".cargo")):
        assert word not in seen


def test_a_known_program_tells_its_version() -> None:
    if find_languages(["make"]).missing:
        pytest.skip("make is not installed")
    assert "Make" in (languages.version("make") or "")
    assert languages.version("no-such-program") is None
