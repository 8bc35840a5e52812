"""Replay: builds, tests, coverage and mutants, re-run on the states of a recorded run.

``captured`` reads the states, ``run`` builds and tests each distinct one in the sandbox, ``metrics`` scores what was
found. Nothing is written into the run and nothing reaches the network.
"""
