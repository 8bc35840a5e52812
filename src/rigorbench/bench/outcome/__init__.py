"""The outcome of a run: hidden tests and regressions, run on its final tree under a grader that signs its results."""
