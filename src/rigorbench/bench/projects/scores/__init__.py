"""Scores of a project benchmark: the formulas, and their use on judgements and reviews on disk."""
