"""Judging a submission: test points, checkers, interactors, groups, verdicts."""
