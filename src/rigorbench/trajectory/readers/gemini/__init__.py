"""Gemini CLI: chat files and its JSON stream."""
