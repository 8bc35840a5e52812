"""C and C++: tokens, preprocessing, names, and the constructs a rule can forbid."""
