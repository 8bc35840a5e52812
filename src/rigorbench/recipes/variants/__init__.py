"""Variants of a recipe: another mutation that a seed draws, its issue text, and other names in the code."""
