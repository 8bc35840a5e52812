"""The Outcome score of a run: what the work gained, times what it kept."""

from __future__ import annotations


def outcome_score(fail_to_pass: float | None, features: float | None, kept: float | None) -> float | None:
    """The Outcome score, in [0, 1]: 0 for doing nothing, 1 exactly for a task that is solved.

    The paper names test pass rate, feature completeness and absence of regressions. The first two are what the work
    gained and are averaged; the third is a condition of their worth and multiplies them. Tests that pass on the starter
    are no gain: otherwise doing nothing would have a score.

    Args:
        fail_to_pass: share passed of the hidden tests that fail on the starter; None: there is none, and no score.
        features: share met of the requirements that the starter does not meet; None: the task lists none.
        kept: share still passing of the tests that pass on the starter; None: there is none to keep.
    """
    if fail_to_pass is None:
        return None
    gained = fail_to_pass if features is None else (fail_to_pass + features) / 2
    return round(gained * (1.0 if kept is None else kept), 6)
