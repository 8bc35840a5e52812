"""Scoring a corpus: many logs into tables on disk, in bounded memory, continuing where the last run stopped."""
