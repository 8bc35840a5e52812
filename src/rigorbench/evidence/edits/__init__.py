"""Edits by tools, the shell and scripts, and what each does to code and tests."""
