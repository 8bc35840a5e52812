"""Build products and caches: files in a work tree that programs created and nobody wrote."""

from __future__ import annotations

import re
from collections.abc import Container
from functools import lru_cache

_PRODUCT = re.compile(
    r"(?:^|/)(?:__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.hypothesis|\.tox|\.nox|\.cache|\.eggs|\.ipynb_checkpoints"
    r"|[^/]+\.egg-info|node_modules|\.venv|venv|\.gradle|\.next|\.nuxt|\.turbo|\.parcel-cache|\.nyc_output|htmlcov"
    r"|CMakeFiles|\.dart_tool|\.serverless|\.terraform)(?:/|$)"
    r"|(?:^|/)(?:target/(?:debug|release|classes|test-classes|surefire-reports|tmp)|build/(?:lib|bdist[^/]*|temp[^/]*|classes|reports|tmp)"
    r"|dist)(?:/|$)"
    r"|\.(?:pyc|pyo|pyd|o|obj|a|so|dylib|class|gcda|gcno|profraw|tsbuildinfo|swp|swo)$"
    r"|(?:^|/)(?:CMakeCache\.txt|cmake_install\.cmake|CTestTestfile\.cmake|compile_commands\.json|a\.out)$"
    r"|(?:^|/)(?:\.coverage(?:\.[^/]+)?|coverage\.xml|lcov\.info|\.DS_Store|nohup\.out|core(?:\.\d+)?|\.nfs[0-9a-f]+)$"
    # Files that an editor writes first and then renames.
    r"|\.tmp\.\d+\.[0-9a-f]+$"
)


@lru_cache(16384)
def _looks_made(path: str) -> bool:
    return _PRODUCT.search(path) is not None


def is_product(path: str, at_start: Container[str]) -> bool:
    """Whether a file is a build product or a cache, by its name. Files that the project had from the start are not."""
    return _looks_made(path) and path not in at_start
