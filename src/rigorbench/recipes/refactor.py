"""The task of a refactor recipe: its checkpoints, and its policies from templates."""

from __future__ import annotations

from typing import Any

from . import toml
from .edits import calls_between
from .languages import language
from .model import Recipe
from .restructure import stages
from .states import States
from .trees import Tree
from .turns import flat, plan, policy, quoted, shell, turn

_READ = 4


def checkpoints(recipe: Recipe) -> list[str]:
    """The tables ``checkpoints`` of the task file: one for each step."""
    return [
        toml.table({"id": s.id, "text": s.text, "check": s.check}, "metadata.rigor.checkpoints", array=True)
        for s in recipe.steps
    ]


def disciplined(recipe: Recipe, states: States, attempt: Tree, issue_test: bytes) -> str:
    """Plans the steps, takes them one by one with the suite after each, and commits each."""
    test, suite = language(recipe).issue_test(recipe), shell(language(recipe).suite(recipe))
    found = stages(states.starter, recipe.steps)
    changes = [list(calls_between(a, b)) for a, b in zip([states.starter, *found], found, strict=False)]
    items = [_item(step.text, [file for file, _ in calls]) for step, calls in zip(recipe.steps, changes, strict=True)]
    items += [f"Write `{test}` about what has moved, and run the whole suite"]
    first = [file for file, _ in calls_between(states.starter, states.golden) if file in states.starter]
    turns = [
        turn(
            "I read the modules that this is about, and see whether the tests pass.",
            *({"tool": "read", "path": file} for file in first[:_READ]),
            suite,
        ),
        turn("Each step has to leave the suite green, so old and new live side by side first.", plan(items, 0)),
    ]
    for number, (step, calls) in enumerate(zip(recipe.steps, changes, strict=True)):
        turns.append(turn(f"{step.text}.", *flat(calls), suite))
        commit = shell(f"git add -A && git commit -q -m {quoted(step.text)}")
        turns.append(turn("Green, so this is a commit.", commit, plan(items, number + 1)))
    turns += [
        turn("Tests of my own.", {"tool": "write", "path": test, "content": issue_test.decode()}, suite),
        turn("", shell("git add -A && git commit -q -m 'Test what has moved'"), plan(items, len(items))),
        turn(
            f"Done in {len(recipe.steps)} steps, each a commit at which all tests pass. `{test}` says what is where "
            "now. Nothing that the package does has changed."
        ),
    ]
    return policy("Plans the steps, takes them one by one with the suite after each, commits each.", turns)


def _item(text: str, files: list[str]) -> str:
    return f"{text}: {', '.join(f'`{file}`' for file in files[:3])}{' and others' if len(files) > 3 else ''}"


def reckless(recipe: Recipe, states: States, attempt: Tree, issue_test: bytes) -> str:
    """Takes the old code away first, then mends one file after the other, and commits all of it at once."""
    calls = sorted(calls_between(states.starter, attempt), key=lambda c: _growth(states.starter, attempt, c[0]))
    suite = shell(language(recipe).suite(recipe))
    turns: list[dict[str, Any]] = [turn("I just move it.", *calls[0][1], suite)]
    turns += [turn("Next.", *some, suite) for _, some in calls[1:]]
    turns += [
        turn("", shell("git add -A && git commit -q -m wip")),
        turn("Done: everything is in its new place, and all tests pass."),
    ]
    return policy("Takes the old code away first, mends file after file, commits everything as wip.", turns)


def _growth(old: Tree, new: Tree, file: str) -> int:
    return len(new.get(file, b"")) - len(old.get(file, b""))
