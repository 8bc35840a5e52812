"""``rigor suite prepare``: builds the tasks of recipes, or writes the files of a task that follow from its others."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from ...authoring.harbor import check_task, prepare_task
from ...authoring.recipes.build import prepare
from ...authoring.recipes.distributions import DistributionError, Unavailable
from ...authoring.recipes.recipe import RecipeError, load_recipe
from ...bench.experiment.grid import listed
from ...bench.tasks.prepared import RECIPE
from ...bench.tasks.suite import recipes_of
from ...bench.tasks.variants import with_variant
from ...session.task import TaskError
from ..common import UsageError, add_json, add_variant, message, parser, write_json

_EPILOG = """examples:
  rigor suite prepare real                         fetch the packages of all recipes and build their tasks
  rigor suite prepare real --tasks 'sqlparse-*'
  rigor suite prepare real --variant 1             the same packages with other faults
  rigor suite prepare suites/rigor/*/*/

Distributions are fetched from the index that pip is configured to use, once, and checked by their hashes. Everything
that is built lies in the user's cache directory; runs need no network afterwards. A distribution that cannot be had is
reported in one line and its tasks are left out.
Exit status: 0 everything is built; 1 something is left out or faulty; 2 wrong usage. With --skip-gone a distribution
that the index does not have, or an index that cannot be reached, is reported and leaves the status 0; one with another
hash or licence, and a recipe that does not fit, do not.
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
    add_variant(p)
    p.add_argument("--skip-gone", action="store_true", help="a distribution that cannot be fetched is no failure")
    add_json(p)
    args = p.parse_args(arguments)
    rows: list[dict[str, Any]] = []
    for place in args.place:
        recipes = recipes_of(with_variant(place, args.variant))
        if args.tasks and not recipes:
            raise UsageError(f"{place}: --tasks chooses recipes, and there are none")
        globs = listed(args.tasks or [])
        for glob in globs:
            if not any(fnmatchcase(recipe.name, glob) for recipe in recipes):
                names = ", ".join(recipe.name for recipe in recipes[:12])
                raise UsageError(f"{place}: no recipe matches {glob!r}; there are {names}")
        chosen = [r for r in recipes if not globs or any(fnmatchcase(r.name, glob) for glob in globs)]
        for row in (_build(recipe) for recipe in chosen) if recipes else [_write(Path(place))]:
            rows.append(row)
            if row["status"] in ("built", "present") and not args.json:
                ratio = row["likeness"].ratio if row["likeness"] is not None else None
                print(
                    f"{row['id']}: {row['status']}: {row['directory']}" + (f" (likeness {ratio:.2f})" if ratio else ""),
                    flush=True,
                )
            for name in row["files"] if not args.json else ():
                print(f"{row['directory']}/{name}: written", flush=True)
            left_out = f"{row['id']}: left out: " if row["status"] in ("gone", "unfit") else ""
            for problem in row["problems"]:
                message(f"{left_out}{problem}")
    if args.json:
        write_json({"schema": "rigor-prepared/1", "tasks": rows})
    passing = {"built", "present", "written"} | ({"gone"} if args.skip_gone else set())
    return 0 if all(row["status"] in passing for row in rows) else 1


def _row(directory: Path, status: str) -> dict[str, Any]:
    return {"id": directory.name, "status": status, "directory": None, "likeness": None, "files": [], "problems": []}


def _build(recipe: Path) -> dict[str, Any]:
    """Build the task of a recipe."""
    from ...authoring.recipes.likeness import measured

    row = _row(recipe, "unfit")
    try:
        place, new = prepare(load_recipe(recipe))
        row.update(status="built" if new else "present", directory=str(place), likeness=measured(recipe))
    except RecipeError as error:
        row["problems"] = [str(error)]
    except DistributionError as error:
        row.update(
            status="gone" if isinstance(error, Unavailable) else "unfit", problems=[f"{recipe / RECIPE}: {error}"]
        )
    except OSError as error:
        row["problems"] = [f"{error.filename or recipe}: {error.strerror or error}"]
    return row


def _write(directory: Path) -> dict[str, Any]:
    if not directory.is_dir():
        raise UsageError(f"{directory}: not a directory")
    row = {**_row(directory, "faulty"), "directory": str(directory)}
    try:
        row["files"] = list(prepare_task(directory))
        row["problems"] = list(check_task(directory))
    except TaskError as error:
        row["problems"] = [str(error)]
    except OSError as error:
        row["problems"] = [f"{error.filename or directory}: {error.strerror or error}"]
    return row if row["problems"] else {**row, "status": "written"}
