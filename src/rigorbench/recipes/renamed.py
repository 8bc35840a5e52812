"""The distributions of a recipe with other private names, so that the code is not the text that a model has learnt."""

from __future__ import annotations

from collections.abc import Mapping

from .model import Recipe, RecipeError
from .mutation import MutationError, Renaming, mentioned, rename
from .trees import Tree, matches


def renamed(recipe: Recipe, *trees: Tree) -> tuple[Tree, ...]:
    """The trees with the names that ``package.renamed`` draws, the same in all of them; without it as they are.

    Raises:
        RecipeError: a file of the code is not Python.
    """
    if recipe.package.renamed is None:
        return trees
    found = renaming(recipe, *trees).tree
    return tuple(_with(tree, found, number) for number, tree in enumerate(trees))


def renaming(recipe: Recipe, *trees: Tree) -> Renaming:
    """The new names and texts of the code of several trees; the paths of tree N begin with ``N/``.

    Names that anything beside the code mentions stay: tests, documents, and our own code and issue of a recipe whose
    fault is not drawn.
    """
    assert recipe.package.renamed is not None
    code: dict[str, str] = {}
    others = _own_texts(recipe)
    for number, tree in enumerate(trees):
        for path, content in tree.items():
            text = _text(content)
            is_code = path.endswith(".py") and matches(path, recipe.package.source) and not _is_test(recipe, path)
            if is_code and text.encode() == content:
                code[f"{number}/{path}"] = text
            else:
                others.append(text)
    try:
        # Two versions differ in the same lines only if a name is the same in both, which local names are not.
        return rename(code, recipe.package.renamed, mentioned(others), local=len(trees) == 1)
    except MutationError as error:
        raise RecipeError(f"{recipe.file}: package.renamed: {error}") from None


def _own_texts(recipe: Recipe) -> list[str]:
    # A mutant's names are drawn before its issue, which says only what the package's tests say.
    if recipe.kind == "mutant":
        return []
    files = [recipe.directory / "instruction.md", recipe.issue_test]
    code = [rewrite.code for miss in recipe.near_misses for rewrite in miss.rewrites]
    return [*code, *(_text(file.read_bytes()) for file in files if file.is_file())]


def _is_test(recipe: Recipe, path: str) -> bool:
    return path.startswith(f"{recipe.tests.directory}/")


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def _with(tree: Tree, found: Mapping[str, str], number: int) -> Tree:
    return {
        path: found[name].encode() if (name := f"{number}/{path}") in found else content
        for path, content in tree.items()
    }
