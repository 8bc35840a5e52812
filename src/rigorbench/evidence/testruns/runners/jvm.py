"""Maven Surefire and Gradle."""

from __future__ import annotations

import re

from ....base.patterns import lazy
from .base import KnownRunner, RunnerSummary, distinct, line_at, number

_RUN = lazy(
    r"^(?:\[(?:INFO|WARNING|WARN|ERROR)\] )?Tests run: +(\d+), Failures: +(\d+), Errors: +(\d+), Skipped: +(\d+)(.*)$",
    re.M,
)
_MAVEN_LISTED = lazy(r"^\[ERROR\] +([\w$.]+\.\w+(?:\[[^\]\n]*\])?)(?:[:»]|\(|->| )", re.M)
_MAVEN_INLINE = lazy(
    r"^(?:\[ERROR\] )?(?:([\w$.]+)\.)?(\w+(?:\[[^\]\n]*\])?)(?:\(([\w$.]+)\))? +(?:-- )?Time elapsed: [\d.]+ s"
    r"(?:ec)? +<<< (?:FAILURE|ERROR)!",
    re.M,
)


def read_maven(text: str) -> RunnerSummary | None:
    runs = list(_RUN.finditer(text)) if "Tests run:" in text else []
    # The total of a module has no time; the lines of its classes have one.
    totals = [m for m in runs if "Time elapsed" not in m[5] and " - in " not in m[5]] or runs
    success, failure = "BUILD SUCCESS" in text, "BUILD FAILURE" in text
    if not totals:
        return _maven_without_tests(text, success, failure)
    summary = RunnerSummary("maven", final=True)
    for match in totals:
        total, failed, errors, skipped = (number(match[n]) for n in (1, 2, 3, 4))
        summary.include(passed=max(0, total - failed - errors - skipped), failed=failed, errors=errors, skipped=skipped)
    if summary.failed or summary.errors:
        summary.failing = _maven_failing(text)
    elif failure:
        summary.outcome = "error"
    return summary


def _maven_failing(text: str) -> list[str]:
    names: list[str] = []
    for heading in ("[ERROR] Failures:", "[ERROR] Errors:"):
        at = text.rfind(heading)
        if at >= 0:
            end = text.find("[INFO]", at)
            names += [m[1] for m in _MAVEN_LISTED.finditer(text, at + len(heading), end if end > 0 else len(text))]
    if not names:
        for match in _MAVEN_INLINE.finditer(text) if "<<<" in text else ():
            owner = match[1] or match[3]
            names.append(f"{owner}.{match[2]}" if owner else match[2])
    return distinct(sorted(".".join(n.split(".")[-2:]) for n in names))


def _maven_without_tests(text: str, success: bool, failure: bool) -> RunnerSummary | None:
    words = ("No tests to run", "No tests were executed", "No tests matching pattern")
    if (nothing := RunnerSummary.nothing_ran("maven", text, *words)) is not None:
        return nothing
    if failure or "COMPILATION ERROR" in text:
        reason = "COMPILATION ERROR" if "COMPILATION ERROR" in text else _goal(text)
        return RunnerSummary("maven", outcome="error", never_ran=True, vague=True, reason=reason)
    if success:
        return RunnerSummary("maven", final=False, outcome="unknown", vague=True)
    return None


def _goal(text: str) -> str:
    at = text.find("Failed to execute goal")
    return line_at(text, at if at >= 0 else text.find("BUILD FAILURE"))


_GRADLE_DONE = lazy(r"^(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?", re.M)
_GRADLE_FAILED = lazy(r"^([\w$.]+(?: > [^\n>]+?)+?)(?:\(\))? FAILED$", re.M)
_GRADLE_PASSED = lazy(r"^[\w$.]+(?: > [^\n>]+)+? (PASSED|SKIPPED)$", re.M)
_GRADLE_TASK = lazy(r"^(?:> Task )?:(\S*[tT]est\w*)(?: (FAILED|UP-TO-DATE|FROM-CACHE|NO-SOURCE|SKIPPED))?\s*$", re.M)
_TEST_TASK = lazy(r"(?:^|:)(?:test|\w*[a-z]Test|test(?!Classes)[A-Z]\w*)$")


def read_gradle(text: str) -> RunnerSummary | None:
    success, failure = "BUILD SUCCESSFUL" in text, "BUILD FAILED" in text
    done = list(_GRADLE_DONE.finditer(text)) if "completed" in text else []
    failing = distinct(sorted(m[1] for m in _GRADLE_FAILED.finditer(text))) if " FAILED" in text else []
    failing = [name for name in failing if not name.startswith("Task ")]
    if not (success or failure or done or failing):
        return None
    summary = RunnerSummary("gradle", failing=failing)
    if done or failing or "There were failing tests" in text:
        for match in done:
            failed, skipped = number(match[2]), number(match[3])
            summary.include(passed=max(0, number(match[1]) - failed - skipped), failed=failed, skipped=skipped)
        summary.failed = max(summary.failed or 0, len(failing)) or None
        summary.outcome = "failed" if failing or summary.failed or "There were failing tests" in text else "passed"
        return summary
    if failure:
        wrong = text.find("* What went wrong:")
        summary.reason = line_at(text, wrong + 19) if wrong >= 0 else "BUILD FAILED"
        summary.outcome, summary.never_ran = "error", True
        summary.vague = not any(state == "FAILED" for state in _test_tasks(text))
        return summary
    results = [m[1] for m in _GRADLE_PASSED.finditer(text)] if " PASSED" in text or " SKIPPED" in text else []
    if results:
        summary.include(passed=results.count("PASSED"), failed=0, skipped=results.count("SKIPPED"))
    tasks = _test_tasks(text)
    if tasks and all(state in ("NO-SOURCE", "SKIPPED") for state in tasks):
        summary.outcome, summary.never_ran, summary.reason = "error", True, "the test task had no source"
    elif not results:
        summary.outcome, summary.vague = "passed", not tasks
    return summary


def _test_tasks(text: str) -> list[str | None]:
    """How each task that tests ended (None: it ran through)."""
    return [m[2] for m in _GRADLE_TASK.finditer(text) if _TEST_TASK.search(m[1])]


RUNNERS = (
    KnownRunner(
        "maven",
        read_maven,
        marks=("Tests run: ", "maven-surefire-plugin", "surefire:"),
        aliases=("mvn", "mvnw", "surefire", "failsafe"),
    ),
    KnownRunner(
        "gradle",
        read_gradle,
        marks=(" tests completed", ":test", "Task :", "Test FAILED", "There were failing tests"),
        aliases=("gradlew",),
    ),
)
