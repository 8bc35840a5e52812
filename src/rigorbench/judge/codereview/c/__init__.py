"""C and C++: tokens, preprocessing, names, and the constructs that a rule can forbid."""
