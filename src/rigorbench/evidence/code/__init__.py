"""Source text: code units, test functions, assertions, by tree-sitter grammars."""
