"""Two programs for the sandbox of the outcome: the tests run in one process, the code under test in another.

The side of the tests is ``proxies.py`` (with ``references.py``, ``stand_ins.py`` and ``comparisons.py``), that of the
code ``under_test.py``; both use ``streams.py`` and ``values.py``. All are shown in the sandbox beside each other, as
files, without the rest of this package.
"""
