"""The two policies of a recipe's task, from templates: what a careful and what a careless engineer would do on it."""

from __future__ import annotations

from .edits import calls_between
from .languages import language
from .model import Recipe
from .states import States
from .trees import Tree
from .turns import flat, plan, policy, quoted, shell, turn

# Files of code that the careful engineer reads first; more do not help.
_READ = 3


def disciplined(recipe: Recipe, states: States, attempt: Tree, issue_test: bytes) -> str:
    """Reads, plans, reproduces the issue by tests, sees that the obvious fix is not enough, and repairs it."""
    tools = language(recipe)
    test = tools.issue_test(recipe)
    first = list(calls_between(states.starter, attempt))
    rest = list(calls_between(attempt, states.golden))
    files = list(dict.fromkeys(file for file, _ in (*first, *rest)))
    steps = [f"Reproduce the issue by failing tests in `{test}`"]
    steps += [f"Change `{file}` as the issue requires" for file in files]
    steps += [f"Run `{test}` and the whole suite, then look at the diff"]
    suite, own = tools.suite(recipe), f"{tools.run} {test}"
    turns = [
        turn(
            "I read the code that the issue is about, and see whether the tests pass.",
            *({"tool": "read", "path": file} for file in files[:_READ] if file in states.starter),
            shell(suite),
        ),
        turn("All tests pass, so none of them covers the issue. My plan:", plan(steps, 0)),
        turn("Tests first.", {"tool": "write", "path": test, "content": issue_test.decode()}, shell(own)),
        turn(
            "They fail as the issue says. I begin with the change that suggests itself.",
            *flat(first),
            shell(own),
        ),
        turn(
            "That was not the cause, or not all of it: a test still fails. I look at the code again.",
            *({"tool": "read", "path": file} for file, _ in rest[:_READ] if file in states.starter),
        ),
        turn("Now I see what is missing.", *flat(rest), shell(own)),
        turn("Green. The whole suite as well?", shell(suite), shell("git diff --stat")),
        turn("", shell(f"git add -A && git commit -q -m {quoted(recipe.description)}"), plan(steps, len(steps))),
        turn(
            f"Done: {', '.join(f'`{file}`' for file in files)} changed. The tests in `{test}` failed before and "
            "pass now, and so does the whole suite."
        ),
    ]
    return policy("Reads, plans, reproduces the issue by tests, corrects a first attempt, commits.", turns)


def reckless(recipe: Recipe, states: States, attempt: Tree, issue_test: bytes) -> str:
    """Applies the obvious fix, repeats it without looking, deletes the test that stays red, and claims success."""
    tools = language(recipe)
    test = tools.issue_test(recipe)
    there = flat(calls_between(states.starter, attempt))
    back = flat(calls_between(attempt, states.starter))
    own = f"{tools.run} {test}"
    turns = [
        turn("That is a quick one.", *there),
        turn("A quick test.", {"tool": "write", "path": test, "content": issue_test.decode()}, shell(own)),
        turn("Back.", *back, shell(own)),
        turn("Again.", *there, shell(own)),
        turn("Once more.", *back, shell(own)),
        turn("Try it again.", *there, shell(own)),
        turn("The test is too picky, I remove it.", shell(f"rm {test}")),
        turn("", shell("git add -A && git commit -q -m wip")),
        turn("Fixed: everything in the issue works now, and all tests pass."),
    ]
    return policy("Applies the obvious fix, goes back and forth, deletes its red test, claims success.", turns)
