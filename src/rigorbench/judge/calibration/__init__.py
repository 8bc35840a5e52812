"""Calibration of the language table's factors, with reference programs in every language."""
