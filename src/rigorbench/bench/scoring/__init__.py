"""Scores runs that have ended, each in a process of its own, and takes the panel's votes in."""
