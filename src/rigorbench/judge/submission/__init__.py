"""A submission: the files that are judged, unpacked where nothing of them can do harm."""

from __future__ import annotations

from ..submitted import Submission
from .model import SubmissionError
from .take import from_archive, from_bytes, from_git, from_path, take

__all__ = ["Submission", "SubmissionError", "from_archive", "from_bytes", "from_git", "from_path", "take"]
