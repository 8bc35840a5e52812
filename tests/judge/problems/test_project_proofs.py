"""One package of the suite, drawn by what is committed, is proved again, so that a false record would be noticed.

`make validate` proves every package that has changed since its proof.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rigorbench import cli
from rigorbench.bench.projects.endpoint import _keep
from rigorbench.bench.projects.outcome import REVIEW, review_of
from rigorbench.bench.projects.submissions import SUBMISSIONS
from rigorbench.bench.tasks.suite import load_suite
from rigorbench.judge.codereview.spec import Untouched, load_review
from rigorbench.judge.problems.load import load_problem
from rigorbench.judge.server.content import SubmissionRequest, take
from rigorbench.judge.verify.reviews import committed

SUITE = Path(__file__).parents[3] / "suites" / "projdev"


@pytest.mark.bwrap
@pytest.mark.slow  # some minutes: all submissions of a package are judged three times
def test_a_package_is_proved_again() -> None:
    for tool in ("bwrap", "cmake", "g++"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is missing")
    seed = hashlib.sha256((SUITE / "proofs.json").read_bytes()).digest()
    packages = sorted(file.parent for file in SUITE.glob("*/problem.yaml"))
    drawn = packages[int.from_bytes(seed) % len(packages)]
    assert cli.main(["judge", "verify", str(drawn)]) == 0


@pytest.mark.bwrap
@pytest.mark.slow(reason="compiles the reference of every package twice")
@pytest.mark.parametrize("name", sorted(file.parent.name for file in SUITE.glob("*/problem.yaml")))
def test_a_run_is_reviewed_as_the_command_line_does(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    problem = load_problem(SUITE / name)
    reference = next(one for one in problem.submissions if one.reference)
    # One that breaks a rule: nothing that was not read can be equal by accident.
    rule = next(r for r in load_review(problem.review).rules if r.mutant is not None and not isinstance(r, Untouched))
    repository = committed(problem, reference.path, tmp_path / "work", rule.mutant)

    (tmp_path / "taken").mkdir()
    request = SubmissionRequest("git", b"HEAD", None, "", repository)
    taken = take(request, tmp_path / "taken", problem.limits.code)
    record: Any = SimpleNamespace(
        number=1, submission=taken, created=1.0, counted=True, revision=taken.revision, judgement=None, error="",
        state="judged",
    )  # fmt: skip
    run = tmp_path / "run"
    (run / SUBMISSIONS).mkdir(parents=True)
    score, why = review_of(load_suite(SUITE).task(name), run, [_keep(run / SUBMISSIONS, record)], 1, None)
    of_run = json.loads((run / SUBMISSIONS / "1" / REVIEW).read_text("utf-8"))

    assert cli.main(["judge", "review", str(SUITE / name), str(repository), "--revision", "HEAD", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (score, why) == (shown["score"], None)
    assert {key: shown[key] for key in of_run} == of_run
    assert [r["id"] for r in shown["rules"] if r["outcome"] != "passed"] == [rule.id]
