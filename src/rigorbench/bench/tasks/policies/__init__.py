"""Scripted policies: what a "scripted model" says and does, turn by turn."""
