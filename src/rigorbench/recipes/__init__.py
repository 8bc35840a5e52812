"""Tasks from published packages: a recipe names distributions by hash and says what is done to them.

Nothing of a package is part of RigorBench: ``rigor suite prepare`` fetches the distributions and builds from them, in
the user's cache, a task directory like any other (docs/recipes-real.md).
"""
