"""Checks a task directory against Harbor's documented schema 1.4, and writes the generic files that it needs.

:func:`check_task` checks these files:

``task.toml``
    ``schema_version = "1.4"``; the tables have the keys of `_Document`. Harbor ignores unknown keys; here they are
    errors, since they are misspelt, and so are its deprecated keys. ``[task] name`` is ``org/name``. Timeouts are
    seconds above 0, sizes whole megabytes. ``[metadata]`` is free; ours is ``[metadata.rigor]``. Of tables within
    tables (authors, artifacts, collect, healthcheck, mcp_servers, tpu) only the required keys are checked. The first
    fault of the document is reported.
``instruction.md``
    The agent's prompt; not empty.
``environment/Dockerfile``
    (or ``[environment] docker_image``.) Its build context is ``environment/``, so nothing hidden may be there. The
    agent, the tests and the solution start in ``[environment] workdir`` or the last WORKDIR. If ``environment/repo``
    exists, it must run ``environment/build_repo.py``, a copy of :mod:`rigorbench.bench.tasks.build_repo`, and install
    the Debian packages that the task's ``tools`` need.
``tests/test.sh``
    Copied to ``/tests`` after the agent has finished and run in the working directory. It writes
    ``/logs/verifier/reward.txt`` (one number) or ``/logs/verifier/reward.json`` (names to numbers).
``solution/solve.sh``
    Copied to ``/solution`` and run in the working directory by Harbor's oracle agent. We require it, Harbor does not.

``tests/`` and ``solution/`` may contain no link that leads out of the task, and no ``.harborignore`` that hides a
required file. The steps of tasks with several steps are not checked.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from ..base.strict import DocumentError, read_toml, unknown_key, unknown_keys, with_key
from ..bench.tasks import build_repo
from ..sandbox.kit.programs import packages
from ..session.task import TaskError, load_task
from .canary import new_canary, stamp

Text = Annotated[str, Meta(min_length=1)]
Seconds = Annotated[float, Meta(gt=0)]
Whole = Annotated[int, Meta(ge=1)]
NetworkMode = Literal["no-network", "public", "allowlist"]


class _Named(Struct):
    name: Text


class _Artifact(Struct):
    source: Text


class _Command(Struct):
    command: Text


class _Tpu(Struct):
    type: Text
    topology: Text


class _Task(Struct):
    name: Annotated[str, Meta(pattern=r"^[a-zA-Z0-9][a-zA-Z0-9._-]*/[a-zA-Z0-9][a-zA-Z0-9._-]*$")]
    version: Text | None = None
    description: Text | None = None
    authors: list[_Named] = []
    keywords: list[Text] = []


class _Network(Struct, kw_only=True):
    network_mode: NetworkMode | None = None
    allowed_hosts: list[Text] = []


class _Environment(_Network, kw_only=True):
    build_timeout_sec: Seconds | None = None
    docker_image: Text | None = None
    os: Literal["linux", "windows"] | None = None
    cpus: Seconds | None = None
    memory_mb: Whole | None = None
    storage_mb: Whole | None = None
    gpus: Annotated[int, Meta(ge=0)] | None = None
    gpu_types: list[Text] = []
    tpu: _Tpu | None = None
    mcp_servers: list[_Named] = []
    env: dict[str, str] = {}
    skills_dir: Text | None = None
    healthcheck: _Command | None = None
    workdir: Text | None = None


class _Agent(_Network, kw_only=True):
    timeout_sec: Seconds | None = None
    user: Text | int | None = None


class _Verifier(_Agent, kw_only=True):
    env: dict[str, str] = {}
    environment_mode: Literal["shared", "separate"] | None = None
    environment: _Environment | None = None
    collect: list[_Command] = []


class _Solution(Struct):
    env: dict[str, str] = {}


class _Document(Struct):
    """The keys of a task file."""

    schema_version: Literal["1.4"]
    task: _Task | None = None
    metadata: dict[str, Any] = {}
    verifier: _Verifier | None = None
    agent: _Agent | None = None
    environment: _Environment | None = None
    solution: _Solution | None = None
    source: Text | None = None
    artifacts: list[Text | _Artifact] = []
    steps: list[dict[str, Any]] = []
    multi_step_reward_strategy: Literal["mean", "final"] | None = None


_TABLES: dict[str, type[Struct]] = {
    "task": _Task,
    "verifier": _Verifier,
    "agent": _Agent,
    "environment": _Environment,
    "solution": _Solution,
}

DOCKERFILE = """\
FROM python:3.12-slim AS base
RUN apt-get update \\
 && apt-get install -y --no-install-recommends git \\
 && rm -rf /var/lib/apt/lists/* \\
 && pip install --no-cache-dir pytest==8.4.2

# The starter repository with its history; what builds it stays behind in this stage.
FROM base AS repository
COPY build_repo.py commits.tom[l] /build/
COPY repo /build/repo
RUN python3 /build/build_repo.py /build /work

FROM base
COPY --from=repository /work /work
WORKDIR /work
"""

TEST_SH = """\
#!/bin/bash
# Hidden tests on the repository in the working directory; the reward is 1 when all of them pass.
# -I and -c keep modules, plugins and settings that the repository may hold out of the test run.
mkdir -p /logs/verifier
python3 -I -m pytest -q -c /dev/null --rootdir=/tests --confcutdir=/tests -p no:cacheprovider \\
  -o pythonpath="$PWD/src $PWD" --junitxml=/logs/verifier/junit.xml /tests
python3 -I - /logs/verifier <<'END'
import json, pathlib, sys
from xml.etree import ElementTree

logs = pathlib.Path(sys.argv[1])
try:
    suites = list(ElementTree.parse(logs / "junit.xml").getroot().iter("testsuite"))
except (OSError, ElementTree.ParseError):
    suites = []
count = {key: sum(int(suite.get(key, 0)) for suite in suites) for key in ("tests", "failures", "errors", "skipped")}
passed = count["tests"] - count["failures"] - count["errors"] - count["skipped"]
total = count["tests"] - count["skipped"]
rate = passed / total if total else 0.0
(logs / "reward.json").write_text(json.dumps({"reward": int(rate == 1), "pass_rate": rate}))
END
"""

SOLVE_SH = """\
#!/bin/bash
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
"""


def dockerfile(tools: Sequence[str] = ()) -> str:
    """The generic Dockerfile, with the Debian packages that a task's ``tools`` need."""
    return DOCKERFILE.replace("recommends git ", f"recommends {' '.join(['git', *packages(tools)])} ")


def _tools(document: dict[str, Any]) -> list[str]:
    table = document.get("metadata")
    rigor = table.get("rigor") if isinstance(table, dict) else None
    tools = rigor.get("tools") if isinstance(rigor, dict) else None
    return [t for t in tools if isinstance(t, str)] if isinstance(tools, list) else []


def check_task(directory: Path) -> list[str]:
    """Problems that keep Harbor from running the task in ``directory``: one line each, with its file."""
    return list(_problems(Path(directory)))


def write_generic(directory: Path) -> list[str]:
    """Write the present ``environment/build_repo.py`` and the generic files that are missing; returns their names."""
    script = Path(build_repo.__file__).read_text(encoding="utf-8")
    try:
        tools = _tools(read_toml(directory / "task.toml"))
    except DocumentError:
        tools = []  # the check that follows reports the error
    files = {"environment/Dockerfile": dockerfile(tools), "tests/test.sh": TEST_SH, "solution/solve.sh": SOLVE_SH}
    written = []
    target = directory / "environment" / "build_repo.py"
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.exists() or target.read_text(encoding="utf-8") != script:
        target.write_text(script, encoding="utf-8")
        written.append("environment/build_repo.py")
    for name, content in files.items():
        path = directory / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
            if path.suffix == ".sh":
                path.chmod(0o755)
            written.append(name)
    return written


def _problems(directory: Path) -> Iterator[str]:
    path = directory / "task.toml"
    try:
        document = read_toml(path)
    except DocumentError as error:
        yield str(error)
        return
    for problem in _document(document):
        yield f"{path}: {problem}"
    environment = document.get("environment")
    image = environment.get("docker_image") if isinstance(environment, dict) else None
    if document.get("steps"):
        yield f"{path}: steps: a task of several steps; only Harbor itself can check these"
        return
    yield from _layout(directory, bool(image), _tools(document))
    for name in ("tests", "solution"):
        root = directory.resolve()
        for folder, names, files in os.walk(directory / name):
            for entry in [*names, *files]:
                path = Path(folder, entry)
                if path.is_symlink() and not path.resolve().is_relative_to(root):
                    yield f"{path}: a link that leads out of the task"


def _document(document: dict[str, Any]) -> Iterator[str]:
    given = document.get("verifier")
    problem = unknown_key(document, _Document) or unknown_keys(document, _TABLES)
    problem = problem or unknown_keys(given if isinstance(given, dict) else {}, _TABLES, "verifier.")
    if problem is not None:
        yield problem
        return
    try:
        found = msgspec.convert(document, _Document)
    except msgspec.ValidationError as error:
        yield with_key(str(error))
        return
    if found.task is not None and ".." in found.task.name:
        yield f"task.name: expected ORG/NAME, not {found.task.name!r}"
    verifier = found.verifier or _Verifier()
    if verifier.environment is not None and verifier.environment_mode == "shared":
        yield 'verifier.environment: is of no use with environment_mode = "shared"'
    tables = {"agent": found.agent, "environment": found.environment, "verifier": verifier}
    tables["verifier.environment"] = verifier.environment
    for place, table in tables.items():
        if table is not None and table.allowed_hosts and table.network_mode != "allowlist":
            yield f'{place}.allowed_hosts: only with network_mode = "allowlist"'


def _layout(directory: Path, image: bool, tools: list[str]) -> Iterator[str]:
    instruction = directory / "instruction.md"
    if not instruction.is_file() or not instruction.read_bytes().strip():
        yield f"{instruction}: missing or empty"
    environment = directory / "environment"
    dockerfile = environment / "Dockerfile"
    if not image and not dockerfile.is_file():
        yield f"{dockerfile}: missing, and task.toml names no docker_image"
    elif dockerfile.is_file() and not re.search(r"(?mi)^\s*FROM\s+\S", dockerfile.read_text(errors="replace")):
        yield f"{dockerfile}: has no FROM"
    if (environment / "repo").is_dir():
        script = environment / "build_repo.py"
        if not script.is_file():
            yield f"{script}: missing; write it with rigor suite prepare"
        elif script.read_bytes() != Path(build_repo.__file__).read_bytes():
            yield f"{script}: differs from rigorbench's own; write it with rigor suite prepare"
        text = dockerfile.read_text(errors="replace") if dockerfile.is_file() else ""
        if dockerfile.is_file() and "build_repo.py" not in text:
            yield f"{dockerfile}: does not run build_repo.py, so that the image has no repository"
        missing = [p for p in packages(tools) if p not in text.split()]
        if dockerfile.is_file() and missing:
            yield (
                f"{dockerfile}: does not install {' '.join(missing)}, which the task's tools need; delete it and write "
                "it anew with rigor suite prepare"
            )
    for script, required in (
        (directory / "tests" / "test.sh", "/logs/verifier"),
        (directory / "solution" / "solve.sh", ""),
    ):
        if not script.is_file():
            yield f"{script}: missing"
            continue
        text = script.read_bytes().decode("utf-8", errors="replace")
        if not text.startswith("#!"):
            yield f"{script}: its first line names no interpreter (#!/bin/bash)"
        if "\r" in text:
            yield f"{script}: has carriage returns, which keep it from being run"
        if required and (required not in text or not re.search(r"reward\.(txt|json)", text)):
            yield f"{script}: writes neither {required}/reward.txt nor {required}/reward.json"
    for folder, required in (("tests", "test.sh"), ("solution", "solve.sh")):
        ignore = directory / folder / ".harborignore"
        if ignore.is_file() and required in ignore.read_text(errors="replace").split():
            yield f"{ignore}: hides {required}"


_OURS = re.compile(r"^\[metadata\.rigor\][ \t]*\n", re.MULTILINE)


def prepare_task(directory: Path) -> list[str]:
    """Write what is missing or out of date; returns the names of the files written, relative to the task.

    Raises:
        TaskError: the task file cannot be used.
        OSError: a file cannot be written.
    """
    file = directory / "task.toml"
    task = load_task(file)
    written = write_generic(directory)
    canary = task.canary
    if canary is None:
        canary = new_canary()
        text = file.read_text(encoding="utf-8")
        if _OURS.search(text) is None:
            raise TaskError(f"{file}: no line [metadata.rigor], which the canary must follow")
        file.write_text(_OURS.sub(f'[metadata.rigor]\ncanary = "{canary}"\n', text, count=1), encoding="utf-8")
        written.append(file.name)
    marked = [path.relative_to(directory).as_posix() for path in stamp(directory, canary)]
    return list(dict.fromkeys([*written, *marked]))
