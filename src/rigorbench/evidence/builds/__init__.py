"""Builds, type checkers and linters: their outcome; and the checks of one shell call."""
