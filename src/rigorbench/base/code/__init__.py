"""Source code of any language: parsing, functions, tests and their assertions."""
