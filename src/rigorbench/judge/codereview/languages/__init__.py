"""Python, Rust, Go, Java and JavaScript: parse trees, imports, and the constructs a rule can forbid."""
