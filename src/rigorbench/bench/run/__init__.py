"""Carries out an experiment: plans its runs, makes each with an agent in a recorded sandbox, and scores it."""
