"""Aider: the chat history, a Markdown file in the repository."""
