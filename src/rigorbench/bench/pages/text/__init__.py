"""Words, numbers and cells, the same on a terminal, in tables and in pages."""
