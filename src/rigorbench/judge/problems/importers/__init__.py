"""Import of problem packages of other systems: Polygon and Kattis."""
