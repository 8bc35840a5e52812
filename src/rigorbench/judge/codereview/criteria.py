"""Criteria: the level of each by a reader of the code or, without one, from text features.

A reader that is asked for a number gives one without a reason; whether the anchor of one level applies is a single
decision. The level is the highest whose question, and every question below it, was answered yes. A yes to the anchor of
level 0 makes it 0, so that answering yes to everything gives nothing. Without a reader ``features.toml`` has bounds of
measures for the levels 3, 5 and 7; the result is the highest level whose bounds all hold, and those below.
"""

from __future__ import annotations

import re
import statistics
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from ...base.code.testcode import test_functions
from ...base.points import Given, JudgePoint, PointReaders, Points
from . import functionsize
from .compiled import ReviewContext
from .history import history_text, read_commits
from .result import CriterionResult, Undecidable
from .sources import matches
from .spec import Criterion, Feature

Measures = dict[str, float | None]
# For each level: measure -> (minimum, maximum). A measure without a value meets no bound.
BOUNDS: Mapping[str, Mapping[str, Mapping[str, tuple[float, float]]]] = tomllib.loads(
    Path(__file__).with_name("features.toml").read_text("utf-8")
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
        "median_function": float(statistics.median(s.lines for s in shapes)) if shapes else None,
        "longest_function": float(max(s.lines for s in shapes)) if shapes else None,
        "deepest_nesting": float(max(s.nesting for s in shapes)) if shapes else None,
        "long_lines": sum(len(line) > _LONG_LINE for line in lines) / len(lines) if lines else None,
        "short_names": sum(len(name) < 3 for name in names) / len(names) if names else None,
    }


_LEVELS = (3, 5, 7, 10)
# Characters that one file takes of the room for all files of a request; a text that is given is cut to as many.
_FILE, MOST_CHARACTERS = 6_000, 60_000
_SYSTEM = """You review the code of a submission by criteria that its task's authors wrote. You are given the criteria,
with what each level means, and files of the submission. Judge what the code is, not what a comment or a README says of
it. You answer with one JSON object and nothing else.
"""


def criteria_points(criteria: Sequence[Criterion], context: ReviewContext) -> Points | None:
    """What a reader is asked about a submission: each level of each criterion that has files to show; None: nothing."""
    about: list[Given] = []
    shown: dict[str, str] = {}
    points: list[JudgePoint] = []
    room, left_out = MOST_CHARACTERS, set[str]()
    for criterion in criteria:
        try:
            files = _files(criterion, context)
        except Undecidable:
            continue
        levels = "\n".join(f"Level {level}: {criterion.levels[level]}" for level in sorted(criterion.levels, key=int))
        about.append(Given(f"The criterion {criterion.id}", f"{criterion.text}\n{levels}"))
        for path, text in files:
            if path not in shown and room > 0:
                shown[path] = text
                room -= min(len(text), _FILE)
            elif path not in shown:
                left_out.add(path)
        for level in (0, *_LEVELS):
            question = f"Does the code reach level {level} of the criterion {criterion.id}?"
            yes = "what is said of that level can be seen in the files, or more."
            no = "something that it asks for cannot be seen, or the files show the contrary."
            if level == 0:
                question = f"Is the code no better than level 0 of the criterion {criterion.id}?"
                yes = "what is said of level 0 describes the files, or they hold nothing to be judged."
                no = "the files are clearly better."
            points.append(JudgePoint(f"{criterion.id}_{level}", criterion.id, question, yes, no))
    given = [Given(f"File {n}", f"{path}\n\n{text}") for n, (path, text) in enumerate(shown.items(), 1)]
    if left_out:
        given.append(Given("Files that are not shown", f"{len(left_out)} more"))
    return Points((*about, *given), tuple(points)) if points else None


def level_of(answers: Mapping[str, bool | None], criterion: str) -> int:
    """The level from 0 to 10 that one answer gives a criterion."""
    level = 0
    for reached in _LEVELS:
        if answers.get(f"{criterion}_0") or not answers.get(f"{criterion}_{reached}"):
            break
        level = reached
    return level


def judge_criteria(
    criteria: Sequence[Criterion], context: ReviewContext, readers: PointReaders | None = None
) -> tuple[list[CriterionResult], list[str]]:
    """A result for each criterion, and why answers of readers are missing.

    Without a reader and without a feature a criterion has no score.
    """
    points = criteria_points(criteria, context) if readers is not None else None
    answers, failed = readers.read_points(points, _SYSTEM) if readers is not None and points is not None else ([], [])
    asked = {point.about for point in points.points} if points is not None else set()
    results = []
    for criterion in criteria:
        result = CriterionResult(criterion.id, criterion.text, None)
        if answers and criterion.id in asked:
            result.method, result.readers = "judged", [who for who, _ in answers]
            result.levels = [level_of(answer.points, criterion.id) for _, answer in answers]
            result.score = float(statistics.median(result.levels))
        elif criterion.feature is None:
            result.reason = "no reader was asked, and the criterion has no feature for an estimate"
        else:
            try:
                result.score, result.measures = estimate(criterion.feature, criterion, context)
            except Undecidable as reason:
                result.reason = str(reason)
            else:
                result.method = "estimated"
                result.reason = "no reader was asked: estimated from text features, at most 7"
        results.append(result)
    return results, failed


def _files(criterion: Criterion, context: ReviewContext) -> list[tuple[str, str]]:
    """Path and text of the files that a criterion is about. Raises: Undecidable."""
    if criterion.feature == "history":
        return [("git log", history_text(context))]
    matching = context.sources.matching(criterion.files)
    if not criterion.files:
        matching = [file for file in matching if file.language is not None]
    order = {
        file.path: next((n for n, glob in enumerate(criterion.files) if matches(file.path, (glob,))), 0)
        for file in matching
    }
    files = [(file.path, file.text) for file in sorted(matching, key=lambda f: (order[f.path], f.path))]
    if not files:
        raise Undecidable("there is no file to judge")
    return files
