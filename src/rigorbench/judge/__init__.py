"""The online judge: builds and tests whole projects against hidden tests; verdicts by test point, and code review."""
