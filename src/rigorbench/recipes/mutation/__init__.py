"""Changes of meaning in real libraries: mutants, stacks of them, wrong patches, renamed symbols, and likeness of texts.

What each operator does is in `catalogue`.
"""

from .between import WrongFix
from .model import Mutation, MutationError
from .mutate import apply, mutations
from .near import NearMisses, near_misses
from .rename import Renaming, mentioned, rename
from .search import Kill, Limits, Search, search
from .similarity import Similarity, similarity
from .stack import broken_tree, stack, stays_red

__all__ = [
    "Kill",
    "Limits",
    "Mutation",
    "MutationError",
    "NearMisses",
    "Renaming",
    "Search",
    "Similarity",
    "WrongFix",
    "apply",
    "broken_tree",
    "mentioned",
    "mutations",
    "near_misses",
    "rename",
    "search",
    "similarity",
    "stack",
    "stays_red",
]
