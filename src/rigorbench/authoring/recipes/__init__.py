"""Tasks from published packages: a recipe names distributions by hash and keeps patches that make a task of them.

``rigor suite prepare`` fetches the distributions and builds from them, in the user's cache, a task directory like any
other (docs/recipes-real.md).
"""
