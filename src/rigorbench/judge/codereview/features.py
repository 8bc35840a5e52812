"""Estimate the level of a criterion from features of the submission when no reader was asked (`estimated`).

``features.toml`` has bounds of the feature's measures for the levels 3, 5 and 7. The result is the highest level whose
bounds, and those of all lower levels, are met. Level 10 is never reached, because measures cannot show it.
docs/judge-review.md has the table.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from ...base.code.testcode import test_functions
from . import functionsize
from .history import read_commits
from .result import Undecidable
from .spec import Criterion, Feature

if TYPE_CHECKING:
    from .compiled import ReviewContext

Measures = dict[str, float | None]
# For each level: measure -> (minimum, maximum). A measure without a value meets no bound.
BOUNDS: Mapping[str, Mapping[str, Mapping[str, tuple[float, float]]]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text("utf-8")
)
_COMMENT = re.compile(
    r"//[^\n]*|/\*(?s:.*?)\*/|(?m:^\s*#(?!\s*(?:include|define|if|ifdef|ifndef|endif|else|elif|pragma|undef)\b).*$)"
)
_NAME = re.compile(r"\b[A-Za-z_]\w*\b")
_WORD = re.compile(r"[^\W\d_]{2,}")
_LONG_LINE = 120
# What sets up a runner of tests.
_RUNNERS = frozenset({"pytest.ini", "conftest.py", "go.mod", "Cargo.toml"})
_CMAKE = ("CMakeLists.txt", ".cmake")
_CMAKE_TESTS = re.compile(
    r"^\s*(?:add_test|gtest_discover_tests|catch_discover_tests)\s*\(", re.MULTILINE | re.IGNORECASE
)


def estimate(feature: Feature, criterion: Criterion, context: ReviewContext) -> tuple[float, Measures]:
    """The level from 0 to 7, and the measures that it is based on.

    Raises: Undecidable: there is nothing to measure, or a file cannot be read.
    """
    measures = _measures(feature, criterion, context)
    level = 0
    for step, bounds in BOUNDS[feature].items():
        values = ((measures.get(name), low, high) for name, (low, high) in bounds.items())
        if not all(value is not None and low <= value <= high for value, low, high in values):
            break
        level = int(step)
    return float(level), {name: None if v is None else round(v, 4) for name, v in measures.items()}


def _measures(feature: Feature, criterion: Criterion, context: ReviewContext) -> Measures:
    if feature == "history":
        own = [commit for commit in read_commits(context) if commit.parents < 2]
        if not own:
            raise Undecidable("the history has no commit")
        added = sum(commit.added for commit in own)
        return {
            "commits": float(len(own)),
            "largest_commit": max(commit.added for commit in own) / added if added else None,
            "telling": sum(commit.is_descriptive for commit in own) / len(own),
        }
    if feature == "tests":
        tests = [test for file in context.sources.sources() for test in test_functions(file.path, file.text)]
        wired = any(
            path.rsplit("/", 1)[-1] in _RUNNERS or (path.endswith(_CMAKE) and _CMAKE_TESTS.search(file.text))
            for path, file in context.sources.files.items()
        )
        return {
            "test_functions": float(len(tests)),
            "asserting": sum(t.has_assertion and not t.skipped for t in tests) / len(tests) if tests else None,
            "wired": float(wired),
        }
    if feature == "documentation":
        # All sources count here: the criterion's own files may be the README alone.
        files = context.sources.sources()
        texts = [f.text for p, f in context.sources.files.items() if "/" not in p and p.lower().startswith("readme")]
        words = max((len({w.lower() for w in _WORD.findall(text)}) for text in texts), default=0)
        characters = sum(len(file.text) for file in files)
        comments = [sum(len(found) for found in _COMMENT.findall(file.text)) for file in files]
        return {
            "readme_words": float(words),
            "comments": sum(comments) / characters if characters else None,
            "commented_files": sum(bool(count) for count in comments) / len(files),
        }
    files = context.sources.sources(criterion.files)
    shapes: list[functionsize.FunctionSize] = []
    for file in files:
        if file.is_c_family:
            shapes += functionsize.written_c_functions(file)
        else:
            shapes += functionsize.language_functions(context.language_file(file))
    if feature == "modularity":
        sizes = [sum(bool(line.strip()) for line in file.lines) for file in files]
        return {
            "files": float(len(files)),
            "functions": float(len(shapes)),
            "largest_file": max(sizes) / sum(sizes) if sum(sizes) else None,
            "longest_file": float(max(sizes)),
        }
    lines = [line for file in files for line in file.lines if line.strip()]
    names = {name for file in files for name in _NAME.findall(_COMMENT.sub(" ", file.text))}
    return {
        "functions": float(len(shapes)),
        "median_function": float(median(s.lines for s in shapes)) if shapes else None,
        "longest_function": float(max(s.lines for s in shapes)) if shapes else None,
        "deepest_nesting": float(max(s.nesting for s in shapes)) if shapes else None,
        "long_lines": sum(len(line) > _LONG_LINE for line in lines) / len(lines) if lines else None,
        "short_names": sum(len(name) < 3 for name in names) / len(names) if names else None,
    }
