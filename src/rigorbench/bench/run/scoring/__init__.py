"""Scores runs that have ended, each in a process of its own, and takes the answers of readers in."""
