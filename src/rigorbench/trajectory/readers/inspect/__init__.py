"""Inspect logs (``.eval`` and JSON)."""
