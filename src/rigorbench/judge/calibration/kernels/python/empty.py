"""Nothing: what the interpreter itself needs."""
