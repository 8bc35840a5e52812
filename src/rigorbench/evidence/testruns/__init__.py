"""Test runs: runners by their output, outcomes, ids of tests, and whether a run can be believed."""
