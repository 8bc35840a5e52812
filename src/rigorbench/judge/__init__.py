"""The online judge: builds and tests whole projects against hidden tests; verdicts by test point, and code review.

How a submission becomes a verdict:

    submission.take         an archive, a directory or a commit, with limits, becomes a tree of files
    engine.judge            the judging of one submission: build, static validator, test points in order, groups, points
      build/                compiles it in a cell, by the table of languages
      engine.schedule       the order of test points; slots (`resources`) run them in parallel
      engine.trial          one test point on one page: launch (beside an interactor, `interacting`), check, verdict:
      engine.verdicts       how the run ended decides first: limits, crashes, by measurements only,
      engine.checking       then the output, by comparison or the package's checker
      engine.verdicts       from test points to groups to the submission
    codereview.reviewing    rules on the code, the files and the history, beside the points
"""
