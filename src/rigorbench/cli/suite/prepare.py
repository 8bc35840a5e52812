"""``rigor suite prepare``: builds the tasks of recipes, or writes the files of a task that follow from its others."""

from __future__ import annotations

import sys
from pathlib import Path

from ..common import Usage, message, parser

_EPILOG = """examples:
  rigor suite prepare real                         fetch the packages of all recipes and build their tasks
  rigor suite prepare real --tasks 'sqlparse-*'
  rigor suite prepare suites/rigor/*/*/

Distributions are fetched from the index that pip is configured to use, once, and checked by their hashes. Everything
that is built lies in the user's cache directory; runs need no network afterwards. A distribution that cannot be had is
reported in one line, its tasks are left out, and the exit status is 1.
"""


def command(arguments: list[str]) -> int:
    p = parser(
        "suite prepare",
        "Of a suite of recipes, or of a recipe: build the tasks. Of a task: write the files that follow from the "
        "rest of it: build_repo.py and, if they are missing, Dockerfile, test.sh and solve.sh; a canary in the task "
        "file, and the same in every hidden file. Then report what prevents Harbor from running the task.",
        _EPILOG,
    )
    p.add_argument("place", nargs="+", metavar="SUITE|TASK", help="a suite of recipes, a recipe, or tasks")
    p.add_argument("--tasks", action="append", metavar="GLOB,...", help="names of recipes; default: all")
    args = p.parse_args(arguments)
    from ...tasks.suite import SuiteError, recipes_of

    failed = False
    for place in args.place:
        try:
            recipes = recipes_of(place)
        except SuiteError as error:
            raise Usage(str(error)) from None
        if recipes:
            failed |= _build(_chosen(place, recipes, args.tasks))
        elif args.tasks:
            raise Usage(f"{place}: --tasks chooses recipes, and there are none")
        else:
            failed |= _write(Path(place))
    sys.stdout.flush()
    return 1 if failed else 0


def _chosen(place: str, recipes: list[Path], patterns: list[str] | None) -> list[Path]:
    from fnmatch import fnmatchcase

    from ...experiment.grid import listed

    globs = listed(patterns or [])
    for glob in globs:
        if not any(fnmatchcase(recipe.name, glob) for recipe in recipes):
            names = ", ".join(recipe.name for recipe in recipes[:12])
            raise Usage(f"{place}: no recipe matches {glob!r}; there are {names}")
    return [r for r in recipes if not globs or any(fnmatchcase(r.name, glob) for glob in globs)]


def _build(recipes: list[Path]) -> bool:
    from ...recipes.build import prepare
    from ...recipes.distributions import DistributionError
    from ...recipes.model import RecipeError, load_recipe

    failed = False
    for directory in recipes:
        try:
            place, new = prepare(load_recipe(directory))
            print(f"{directory.name}: {'built' if new else 'present'}: {place}", flush=True)
        except (RecipeError, DistributionError) as error:
            failed = True
            message(f"{directory.name}: left out: {error}")
        except OSError as error:
            failed = True
            message(f"{directory.name}: left out: {error.filename or directory}: {error.strerror or error}")
    return failed


def _write(directory: Path) -> bool:
    from ...authoring.harbor import check_task
    from ...authoring.prepare import prepare_task
    from ...tasks.task import TaskError

    if not directory.is_dir():
        raise Usage(f"{directory}: not a directory")
    failed = False
    try:
        for name in prepare_task(directory):
            print(f"{directory / name}: written")
        for problem in check_task(directory):
            failed = True
            message(problem)
    except TaskError as error:
        failed = True
        message(str(error))
    except OSError as error:
        failed = True
        message(f"{error.filename or directory}: {error.strerror or error}")
    return failed
