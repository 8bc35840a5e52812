"""Problem packages as tasks of a suite: a whole project to build, submitted to the judge (``suites/projdev``).

A directory with a ``problem.yaml`` is a package of :mod:`rigorbench.judge.problems`. As a task, its statement is the
instruction, its attachments are the starter, and the judge decides its outcome. An agent gets nothing else of it.
"""

from __future__ import annotations

import shlex
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...base.agent_paths import CLIENT
from ...base.extras import install
from ...sandbox.kit.languages import find_languages
from ...session.task import NOTHING_TO_BUILD, Task, TaskError

if TYPE_CHECKING:
    from ...judge.problems.problem import Problem

PACKAGE = "problem.yaml"
STATEMENT = "STATEMENT.md"
_TOOLS = {"cmake": ["cmake", "g++", "make"], "make": ["make", "g++"], "header": ["g++"], "output-only": []}
# Commands with which replay builds states of the work. A project grows: before there is a source file and a build file
# there is nothing to build (NOTHING_TO_BUILD), which is no broken build.
_SOURCES = (
    r"find . -path './test*' -prune -o \( -name '*.c' -o -name '*.cc' -o -name '*.cpp' -o -name '*.cxx' \) -print"
)
_BUILD = {
    "cmake": f'test -e CMakeLists.txt -a -n "$({_SOURCES})" || exit {NOTHING_TO_BUILD}; '
    "cmake -S . -B build && cmake --build build",
    "make": f"test -e Makefile -o -e makefile -o -e GNUmakefile || exit {NOTHING_TO_BUILD}; make",
}
# The programs behind the languages of single files; Python, without an entry here, is in every sandbox.
_LANGUAGES = {"c": "gcc", "cpp": "g++", "rust": "rustc", "java": "javac", "javascript": "node", "go": "go"}


def is_project(directory: Path) -> bool:
    return (directory / PACKAGE).is_file()


def problem_of(directory: Path) -> Problem:
    """The package in a directory.

    Raises:
        TaskError: it cannot be used, or the extra that reads it is not installed.
    """
    try:
        from ...judge.problems.load import load_problem
        from ...judge.problems.problem import PackageError
    except ImportError:
        raise TaskError(f"{directory / PACKAGE}: reading it needs {install('judge')}") from None
    try:
        return load_problem(directory)
    except PackageError as error:
        raise TaskError(str(error)) from None


def load_project(directory: Path) -> Task:
    """The package as a task. Raises: TaskError, as :func:`problem_of`."""
    problem = problem_of(directory)
    tools, absent = _tools(problem)
    return Task(
        id=directory.name,
        instruction=f"{problem.statement.rstrip()}\n\n{_how_to_submit(problem, absent)}",
        commits_asked=True,
        build=_build(problem),
        tools=tools,
    )


def project_facts(directory: Path) -> dict[str, Any]:
    """What the manifest of an experiment says of a project. Raises: TaskError, as :func:`problem_of`."""
    problem = problem_of(directory)
    return {
        "title": problem.name,
        "category": problem.category,
        "difficulty": problem.difficulty,
        "starter": problem.starter,
        "exercise": problem.exercise,
        "submissions": problem.limits.submissions,
        "points": problem.full,
    }


def _build(problem: Problem) -> str | None:
    build = problem.build
    if build.kind != "header":
        return _BUILD.get(build.kind)
    headers = " ".join(shlex.quote(name) for name in build.headers)
    there = " -a ".join(f"-e {shlex.quote(name)}" for name in build.headers)
    compiled = f"g++ -std={build.standard} -fsyntax-only -x c++ {headers}"
    return f"test {there} || exit {NOTHING_TO_BUILD}; {compiled}" if headers else None


def _tools(problem: Problem) -> tuple[list[str], list[str]]:
    """(the programs that a project needs, those of languages that it can do without and this machine does not have).

    A package that takes one program in any of several languages can be worked on as long as there is one of them.
    """
    known = _TOOLS.get(problem.build.kind)
    if known is not None:
        return list(known), []
    named = [_LANGUAGES[name] for name in problem.build.languages if name in _LANGUAGES]
    here = [tool for tool in named if not find_languages([tool]).missing]
    if not here and len(named) == len(problem.build.languages):
        return named, []
    return here, [tool for tool in named if tool not in here]


def _how_to_submit(problem: Problem, absent: Sequence[str]) -> str:
    budget = problem.limits.submissions
    many = "as often as you like" if budget is None else "once" if budget == 1 else f"at most {budget} times"
    without = f" Not installed here: {', '.join(absent)}." if absent else ""
    return f"""\
## Working and submitting

You are in a git repository, and its remote `origin` is the one that is judged. Commit your work, push it and submit it:

    git push origin HEAD:main
    python3 {CLIENT} submit --wait

What is pushed to the branch `main` of `origin` is submitted, nothing else: work that is only in the working directory
does not count. You may submit {many}; a submission that does not compile counts, too. Your best submission
counts, and its code is reviewed. `python3 {CLIENT} --help` tells what else the client can do. There is no
network.{without} This text is in `{STATEMENT}` as well.
"""


def with_hints(instruction: str, number: int) -> str:
    """The instruction of a project in a run that may ask for hints."""
    many = "one hint" if number == 1 else f"{number} hints"
    return f"""\
{instruction.rstrip()}

You may ask for {many}: `python3 {CLIENT} hint` gives the next one, `hint GROUP` one for a group of tests, and
`hint --question "..." --wait` asks a person, who may take a while. Each counts, whether or not you use it.
"""


def starter_of(directory: Path) -> Path:
    """The directory of the starter's files; a project's statement is added to them."""
    return directory / ("attachments" if is_project(directory) else "environment/repo")


@contextmanager
def environment_of(directory: Path, instruction: str) -> Iterator[Path]:
    """The files that a package gives to an agent, in the layout that :mod:`rigorbench.bench.tasks.build_repo` needs.

    Raises:
        TaskError: as :func:`problem_of`.
    """
    problem = problem_of(directory)
    with tempfile.TemporaryDirectory(prefix="rigor-starter-") as name:
        repository = Path(name) / "repo"
        if problem.attachments is not None:
            shutil.copytree(problem.attachments, repository, symlinks=True)
        repository.mkdir(exist_ok=True)
        (repository / STATEMENT).write_text(instruction, encoding="utf-8")
        yield Path(name)
