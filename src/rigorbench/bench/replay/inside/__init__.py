"""Programs that run inside the sandbox, under the project's own interpreter (Python 3.8 and later, no dependencies).

Nothing here is imported by RigorBench itself.
"""
