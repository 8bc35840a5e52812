"""The race office's side of the chip timing."""

from .chip import Finish, read_times, start_file
from .entries import read_entries
from .errors import EntryError
from .register import Register, Runner
from .results import ranking, suspicious

__all__ = [
    "EntryError",
    "Finish",
    "Register",
    "Runner",
    "ranking",
    "read_entries",
    "read_times",
    "start_file",
    "suspicious",
]
