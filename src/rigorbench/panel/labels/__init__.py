"""Answers of people about plans, refusals, commits and error episodes, given without seeing scores."""
