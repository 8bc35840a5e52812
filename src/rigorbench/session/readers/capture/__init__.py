"""Recorded runs: the journal of the sandbox's recorder and the trees beside it."""

from .reader import READERS as READERS
