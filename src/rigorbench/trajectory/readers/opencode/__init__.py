"""opencode: its database, exports, older files and JSON stream."""
