"""``rigor suite draft``: what the author of a recipe has to know, found by running the tests of its distributions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ..common import Usage, add_json, existing_directory, message, parser, whole, write_json

if TYPE_CHECKING:
    from ...recipes.draft import MutantFacts, PairFacts, Runs
    from ...recipes.model import Recipe
    from ...recipes.single_edits import Tried

# Operations, and wrong fixes, that are run if --most does not say otherwise.
_MUTANTS, _WRONG = 60, 12

_EPILOG = """examples:
  rigor suite draft suites/real/sqlparse-release
  rigor suite draft suites/real/sqlparse-alias --files 'sqlparse/sql.py,sqlparse/engine/**' --most 80
  rigor suite draft suites/real/sqlparse-alias --near-misses

DIR has a recipe.toml with at least kind, category, difficulty, description and [package] (docs/recipes-real.md). The
tests run in a sandbox without network. Of a version pair: which tests the later version gained, and all changes by the
names that `undo` takes. Of a mutant: the operations that one to five tests notice, as entries of `mutations`.
With --near-misses, once the tests are filled in: wrong fixes of one edit that all visible tests accept and a hidden
one does not, as entries of `near_misses`.
"""


def command(arguments: list[str]) -> int:
    p = parser(
        "suite draft", "Run the tests of a recipe's distributions, and print what belongs in the recipe.", _EPILOG
    )
    p.add_argument("recipe", type=existing_directory, metavar="DIR", help="directory of a recipe")
    p.add_argument("--files", metavar="GLOB,...", help="mutants: files to change (default: package.source)")
    number = whole("a number of operations")
    p.add_argument("--near-misses", action="store_true", help="look for near misses instead")
    p.add_argument("--most", type=number, metavar="N", help=f"run N mutants ({_MUTANTS}) or wrong fixes ({_WRONG})")
    add_json(p, "print one JSON document for each result, one per line")
    args = p.parse_args(arguments)
    from ...recipes.draft import Runs, mutant_facts, pair_facts
    from ...recipes.fetching import DistributionError
    from ...recipes.model import RecipeError, load_recipe
    from ...sandbox.errors import SandboxError

    try:
        recipe = load_recipe(Path(args.recipe), draft=True)
        if args.near_misses:
            _near_misses(recipe, args.most or _WRONG, as_json=args.json)
            return 0
        if recipe.kind == "version-pair":
            pair = pair_facts(recipe)
            _document("pair", pair) if args.json else _tell_pair(pair)
            return 0
        files = args.files.split(",") if args.files else recipe.package.source
        for facts in mutant_facts(recipe, files, args.most or _MUTANTS):
            if args.json:
                _document("baseline" if isinstance(facts, Runs) else "operation", facts)
            elif isinstance(facts, Runs):
                _tell_baseline(facts)
            else:
                _tell_mutant(facts)
            sys.stdout.flush()
    except RecipeError as error:
        raise Usage(str(error)) from None
    except DistributionError as error:
        raise Usage(f"{recipe.file}: {error}") from None
    except SandboxError as error:
        raise Usage(str(error)) from None
    return 0


def _near_misses(recipe: Recipe, most: int, *, as_json: bool) -> None:
    from ...recipes.single_edits import try_wrong_fixes

    tried = deceiving = 0
    for wrong in try_wrong_fixes(recipe, most):
        tried += wrong.stopped is None
        deceiving += wrong.deceives
        if as_json:
            _document("wrong-fix", wrong)
        elif wrong.deceives:
            print(f"# Fails: {', '.join(wrong.hidden)}")
            print(_near_miss_table(wrong))
        else:
            noticed = f"visible tests that fail: {len(wrong.visible)}" if wrong.visible else "no hidden test fails"
            message(f"{wrong.what}: {wrong.stopped or noticed}")
        sys.stdout.flush()
    message(f"{deceiving} of {tried} wrong fixes pass the visible tests and fail a hidden one")


def _near_miss_table(wrong: Tried) -> str:
    from ...recipes import toml

    miss = wrong.near_miss
    if miss is None:
        return f"# No entry of a recipe gives this one: {wrong.what}\n"
    keys = ("file", "operator", "function", "line", "index")
    mutate = [{key: getattr(operation, key) for key in keys} for operation in miss.mutate]
    entry = {"id": miss.id, "text": miss.text, "undo": miss.undo or None, "mutate": mutate or None}
    return toml.table({**entry, "only_if": miss.only_if}, "near_misses", array=True)


def _document(what: str, facts: PairFacts | MutantFacts | Runs | Tried) -> None:
    import msgspec

    write_json({"schema": "rigor-draft/1", "kind": what, **msgspec.to_builtins(facts, order="sorted")})


def _tell_pair(facts: PairFacts) -> None:
    print(f"visible = {facts.visible}")
    for heading, tests in (
        ("gained: fail before, pass after (requirements)", facts.gained),
        ("outdated: pass before, fail after (leave_out, unless a requirement names them)", facts.outdated),
        ("unusable: do not pass on their own code (leave_out)", [f"{t}  {w}" for t, w in facts.unusable.items()]),
        ("kept: pass on both, by file of the later version", [f"{f}  {n}" for f, n in facts.kept.items()]),
    ):
        print(f"\n{heading}: {len(tests)}")
        print("".join(f"  {test}\n" for test in tests), end="")
    print(f"\nchanges (undo): {len(facts.changes)}")
    for c in facts.changes:
        print(f"  {c.file}#{c.number}  lines {c.start + 1}-{c.end}, {c.new_end - c.new_start} new")


def _tell_baseline(runs: Runs) -> None:
    message(f"{len(runs.passed)} tests pass in each of three runs")
    for test, why in runs.others.items():
        message(f"does not pass: {test}: {why}")


def _tell_mutant(facts: MutantFacts) -> None:
    from ...recipes.draft import MOST_KILLERS

    operation = facts.operation
    place = f"{operation.file}:{operation.line} {operation.operator} {operation.function} {operation.index}"
    if facts.stopped is not None or not 1 <= len(facts.killers) <= MOST_KILLERS:
        message(f"{place}: {facts.stopped or f'{len(facts.killers)} tests fail'}")
        return
    print(f"# {facts.description}. Fails: {', '.join(facts.killers)}")
    print(
        f'mutations = [{{ file = "{operation.file}", operator = "{operation.operator}", '
        f'function = "{operation.function}", line = {operation.line}, index = {operation.index}, '
        f'sha256 = "{operation.sha256}" }}]'
    )
