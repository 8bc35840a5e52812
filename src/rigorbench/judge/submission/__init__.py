"""Taking in a submission: its files are checked and unpacked so that nothing in them can do harm."""

from __future__ import annotations

from ..judgement import Submission, SubmissionError
from .take import from_archive, from_bytes, from_git, from_path, take

__all__ = ["Submission", "SubmissionError", "from_archive", "from_bytes", "from_git", "from_path", "take"]
