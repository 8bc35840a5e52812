"""Code review: rules decided on compiled C and C++ and on parse trees, and criteria rated by a reader."""
