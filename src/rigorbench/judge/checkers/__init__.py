"""Built-in comparisons of an output with the answer."""
