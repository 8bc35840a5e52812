"""Commits: content and message."""
