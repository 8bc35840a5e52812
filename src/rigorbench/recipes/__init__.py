"""Tasks made from real libraries: a recipe names a distribution and what is done to it."""
