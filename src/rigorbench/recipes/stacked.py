"""The task of stacked mutants: where its causes are, and its two policies from templates."""

from __future__ import annotations

from typing import Any

from .edits import calls_between
from .languages import language
from .model import NearMiss, Recipe
from .states import States, near_miss, repaired
from .trees import Tree
from .turns import flat, plan, policy, quoted, shell, turn


def root_cause(recipe: Recipe) -> dict[str, Any]:
    """The table ``root_cause`` of the task file."""
    places = [f"{operation.function} in {operation.file}" for operation in recipe.mutations]
    return {
        "text": f"{len(places)} causes, one behind the other: {'; '.join(places)}",
        "paths": [operation.file for operation in recipe.mutations],
        "tests": recipe.tests.hidden,
        "visible": red_tests(recipe),
    }


def is_hypothesis(miss: NearMiss) -> bool:
    """Whether a near miss, beside the obvious one, is a patch of the starter that a careful engineer takes back."""
    return miss.on == "starter" and not miss.obvious


def red_tests(recipe: Recipe) -> list[str]:
    return [f"{recipe.tests.directory}/{test}" for test in recipe.tests.red]


def disciplined(recipe: Recipe, states: States, attempt: Tree, issue_test: bytes) -> str:
    """Takes back hypotheses that fail, then finds one cause after the other, and runs the tests after each change."""
    tools, files = language(recipe), [operation.file for operation in recipe.mutations]
    test, suite = tools.issue_test(recipe), shell(tools.suite(recipe))
    own = f"{tools.run} {test} {' '.join(red_tests(recipe))}"
    steps = [f"Reproduce the issue by tests in `{test}`", "Find where the first red test goes wrong, and repair it"]
    steps += ["Run the red tests again: what is still red has another cause", "Run the whole suite, commit"]
    hypotheses = [attempt, *(near_miss(recipe, states, m) for m in recipe.near_misses if is_hypothesis(m))]
    first = list(calls_between(states.starter, attempt))
    turns = [
        turn("I run the tests before I change anything.", suite),
        turn(
            "Some are red. I read the code that they lead to, and write down how I go on.",
            *({"tool": "read", "path": file} for file, _ in first if file in states.starter),
            plan(steps, 0),
        ),
        turn("The issue as tests.", {"tool": "write", "path": test, "content": issue_test.decode()}, shell(own)),
        turn("They are red as well. A first hypothesis:", *flat(first), shell(own), plan(steps, 1)),
    ]
    now = attempt
    for tree in hypotheses[1:]:
        calls = flat(calls_between(now, tree))
        turns.append(turn("No, and I take that back. Another hypothesis:", *calls, shell(own)))
        now = tree
    for number, file in enumerate(files):
        last = number == len(files) - 1
        why = "That was wrong, I take it back." if number == 0 else "That was a cause, but something is still red."
        turns.append(turn(f"{why} I follow the values further, into `{file}`.", {"tool": "read", "path": file}))
        tree = repaired(recipe, states, number + 1)
        turns.append(
            turn(
                f"Here `{recipe.mutations[number].function}` is not right.",
                *flat(calls_between(now, tree)),
                shell(own),
                plan(steps, 3 if last else 2),
            )
        )
        now = tree
    turns += [
        turn("Green. The whole suite as well?", suite, shell("git diff --stat")),
        turn("", shell(f"git add -A && git commit -q -m {quoted(recipe.description)}"), plan(steps, len(steps))),
        turn(
            f"There were {len(files)} causes, and the same tests showed them: {', '.join(f'`{f}`' for f in files)}. "
            f"I took back what did not help ({len(hypotheses)}). The tests in `{test}` and the whole suite pass now."
        ),
    ]
    return policy("Takes back hypotheses that fail, then repairs one cause after the other.", turns)


def reckless(recipe: Recipe, states: States, attempt: Tree, issue_test: bytes) -> str:
    """Patches the symptom, goes back and forth, deletes the files of the red tests, and claims success."""
    there = flat(calls_between(states.starter, attempt))
    back = flat(calls_between(attempt, states.starter))
    red = red_tests(recipe)
    files = " ".join(dict.fromkeys(test.partition("::")[0] for test in red))
    own, test = f"{language(recipe).run} {' '.join(red)}", language(recipe).issue_test(recipe)
    turns = [
        turn("I see it.", shell(own), *there, shell(own)),
        turn("Back.", *back, shell(own)),
        turn("Again.", *there, shell(own)),
        turn("Once more.", *back, shell(own)),
        turn("Try it again.", *there, shell(own)),
        turn("A test of my own.", {"tool": "write", "path": test, "content": issue_test.decode()}, shell(own)),
        turn("These tests are too picky, I remove them.", shell(f"rm {test} && git rm -q {files}")),
        turn("", shell("git add -A && git commit -q -m wip")),
        turn("Fixed: everything in the issue works now, and all tests pass."),
    ]
    return policy("Patches the symptom, goes back and forth, deletes the red tests, claims success.", turns)
