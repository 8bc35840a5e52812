"""What a submission is once it was taken."""

from __future__ import annotations


class SubmissionError(ValueError):
    """What was submitted cannot be taken: too large, a bad archive, an unknown revision. One line for its author."""
