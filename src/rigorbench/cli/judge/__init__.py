"""The commands of ``rigor judge``."""
