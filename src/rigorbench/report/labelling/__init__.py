"""The local page on which people label what judges judge."""
