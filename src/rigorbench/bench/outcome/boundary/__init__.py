"""Two programs for the sandbox of the outcome: the tests run in one process, the code under test in another.

Neither imports the other or anything of this package: each is shown in the sandbox as a single file.
"""
