"""Scoring a corpus: many logs into tables on disk, in bounded memory, from where the last run stopped."""
