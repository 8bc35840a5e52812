"""Cursor's agent on the command line (stream-json)."""
