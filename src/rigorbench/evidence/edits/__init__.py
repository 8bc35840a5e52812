"""Edits: by tools, by the shell, by scripts; and what each does to code and tests."""
