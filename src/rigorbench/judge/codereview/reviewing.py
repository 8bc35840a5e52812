"""The rules about files, and the review of one submission: every rule, every criterion, one score."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from ...base.points import PointReaders
from ...base.sanitize import one_line
from ...base.version import __version__
from ..problems.problem import Problem
from ..submission import Submission
from . import coderules
from .compiled import ReviewContext
from .criteria import judge_criteria
from .history import history
from .result import MAX_FINDINGS, Check, ReviewResult, RuleResult, Undecidable, Violation, review_score
from .sources import matches
from .spec import Artefacts, CMakeTarget, Files, HistoryRule, Readme, ReviewRules, Rule, Untouched, load_review

_BUILT_NAMES = (
    *("*.o", "*.obj", "*.a", "*.lib", "*.so", "*.so.*", "*.dll", "*.dylib", "*.exe", "*.out", "*.gch", "*.pch"),
    *("*.class", "*.pyc", "*.pyo", "*.rlib", "*.rmeta", "*.gcda", "*.gcno", "*.d.tmp", "CMakeCache.txt"),
    *("*.swp", "*.swo", "*~", ".DS_Store", "Thumbs.db", "core.[0-9]*"),
)
_BUILT_FOLDERS = (
    *("build/**", "**/CMakeFiles/**", "cmake-build-*/**", "**/__pycache__/**", "**/node_modules/**", "_build/**"),
    *(".pytest_cache/**", ".mypy_cache/**", "**/.ipynb_checkpoints/**", "target/debug/**", "target/release/**"),
)
# The first bytes of programs, libraries and object archives.
_MAGIC = {
    b"\x7fELF": "an ELF program or library",
    b"MZ": "a Windows program",
    b"\xfe\xed\xfa": "a Mach-O program",
    b"\xcf\xfa\xed\xfe": "a Mach-O program",
    b"\xca\xfe\xba\xbe": "compiled Java",
    b"!<arch>\n": "an archive of object code",
    b"\0asm": "compiled WebAssembly",
}
_WORD = re.compile(r"[^\W\d_]{2,}")
_README = re.compile(r"readme(?:\.(?:md|markdown|rst|txt|adoc|org))?", re.IGNORECASE)


def files(rule: Files, context: ReviewContext) -> list[Violation]:
    paths = context.sources.files
    found = [
        Violation("", None, f"{glob}: no such file")
        for glob in rule.require
        if not any(matches(path, (glob,), rooted=True) for path in paths)
    ]
    forbidden = context.sources.matching(rule.forbid) if rule.forbid else []
    found += [file.finding(None, "a forbidden file") for file in forbidden]
    found += [
        Violation(one_line(path, 300), None, "a forbidden link")
        for path in context.sources.links
        if matches(path, rule.forbid)
    ]
    return found


def untouched(rule: Untouched, context: ReviewContext) -> list[Violation]:
    folder = context.problem.attachments
    if folder is None:
        raise Undecidable("the package has no attachments to compare with")
    attachments = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
    found: list[Violation] = []
    for glob in rule.files:
        matching = [path for path in attachments if matches(path, (glob,), rooted=True)]
        if not matching:
            raise Undecidable(f"no attachment of the package matches {glob}")
        for path in matching:
            submitted = context.sources.files.get(path)
            if submitted is None:
                found.append(Violation(path, None, "the file is missing"))
                continue
            try:
                original = attachments[path].read_bytes()
            except OSError as error:
                raise Undecidable(f"attachment {path}: {error.strerror}") from None
            if submitted.size != len(original) or submitted.data != original:
                lines = original.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
                pairs = enumerate(zip(submitted.lines, lines, strict=False), 1)
                line = next((n for n, (a, b) in pairs if a != b), None)
                found.append(submitted.finding(line, "the file differs from the original"))
    return found


def artefacts(rule: Artefacts, context: ReviewContext) -> list[Violation]:
    found: list[Violation] = []
    seen: set[str] = set()
    for path, file in context.sources.files.items():
        if rule.allow and matches(path, rule.allow):
            continue
        folder = next((glob for glob in _BUILT_FOLDERS if matches(path, (glob,), rooted=True)), None)
        if folder is not None:
            # One finding for a folder, which may contain thousands of files.
            top = re.sub(r"(?<=/)?(CMakeFiles|__pycache__|node_modules|\.ipynb_checkpoints)/.*", r"\1", path)
            top = top if top != path else path.split("/")[0]
            if top not in seen:
                seen.add(top)
                found.append(Violation(one_line(top, 300), None, "a folder of generated or temporary files"))
        elif matches(path, _BUILT_NAMES) or re.search(r"(?:^|/)core\.\d+$", path):
            found.append(file.finding(None, "a generated file or a leftover of a tool"))
        elif file.size >= 4 and file.language is None:
            try:
                kind = next((kind for magic, kind in _MAGIC.items() if file.data.startswith(magic)), None)
            except Undecidable:
                kind = "too large to be read; a source repository has no such file"
            if kind is not None:
                found.append(file.finding(None, kind))
    return found


def readme(rule: Readme, context: ReviewContext) -> list[Violation]:
    found = [file for path, file in context.sources.files.items() if _README.fullmatch(path)]
    if not found:
        return [Violation("", None, "there is no README in the top directory")]
    # Different words are counted, so that one repeated word is not a text.
    word_count = max(len({word.lower() for word in _WORD.findall(file.text)}) for file in found)
    if word_count < rule.min_words:
        return [found[0].finding(None, f"{word_count} different words; at least {rule.min_words} are required")]
    return []


def cmake_target(rule: CMakeTarget, context: ReviewContext) -> list[Violation]:
    if context.is_for_others(("**/*.c", "**/*.cpp")):
        return []
    top = context.sources.files.get("CMakeLists.txt")
    if top is None:
        return [Violation("CMakeLists.txt", None, "the file is missing")]
    _, targets = context.reading
    if rule.target in targets:
        return []
    names = one_line(", ".join(targets[:5]), 200) or "none"
    return [top.finding(None, f"no target {rule.target} that makes a file; those that do are: {names}")]


CHECKS: dict[type[Any], Check] = {
    **coderules.CHECKS,
    Files: files,
    Untouched: untouched,
    Artefacts: artefacts,
    Readme: readme,
    CMakeTarget: cmake_target,
    HistoryRule: history,
}


def review(
    problem: Problem, submission: Submission, readers: PointReaders | None = None, *, base: str | None = None
) -> ReviewResult:
    """Review a submission by the ``review.toml`` of its problem, without running its program.

    C and C++ are compiled in the sandbox, by the submission's own build where it has one.

        readers: Without one a criterion is estimated from features of the text where it names one.
        base: The commit that the author started from; it and earlier commits are left out of the history.

    Raises: PackageError: ``review.toml`` cannot be used.
    """
    rules = load_review(problem.review) if problem.review is not None else ReviewRules()
    named = [rule.files for rule in rules.rules if type(rule) in coderules.CHECKS]
    context = ReviewContext(problem, submission, base, named)
    result = ReviewResult(problem.id, submission.digest, rules.digest, None, judge=__version__)
    result.rules = [_check_rule(rule, context) for rule in rules.rules]
    result.criteria, failed = judge_criteria(rules.criteria, context, readers)
    result.score = review_score(result.rules, result.criteria)
    try:
        links = len(context.sources.links)
        notes = [f"{links} links and special files were not read"] if links else []
    except Undecidable as reason:
        notes = [str(reason)]
    if not (rules.rules or rules.criteria):
        notes = ["the problem has no review.toml, so nothing was reviewed"]
    result.notes = notes + failed
    return result


def _check_rule(rule: Rule, context: ReviewContext) -> RuleResult:
    result = RuleResult(rule.id, rule.kind, rule.text, "passed", disqualifies=rule.disqualifies)
    try:
        found = list(dict.fromkeys(CHECKS[type(rule)](rule, context)))
    except Undecidable as reason:
        result.outcome, result.reason = "error", str(reason)
        return result
    except (OSError, RecursionError, MemoryError) as error:
        # A check that crashed has not shown that the rule is kept.
        result.outcome, result.reason = "error", f"the check failed ({type(error).__name__}: {error})"[:300]
        return result
    if found:
        result.outcome = "failed"
        result.findings, result.more = found[:MAX_FINDINGS], max(0, len(found) - MAX_FINDINGS)
    return result


def encode(result: ReviewResult) -> bytes:
    """The result as JSON, with its counts under "over"."""
    document = msgspec.to_builtins(result)
    document["over"] = {
        "rules": len(result.rules),
        "passed": result.passed,
        "errors": sum(rule.outcome == "error" for rule in result.rules),
        "criteria": len(result.criteria),
        "scored": result.scored,
    }
    document["complete"] = result.complete
    document["disqualified"] = result.disqualified
    return msgspec.json.encode(document)
