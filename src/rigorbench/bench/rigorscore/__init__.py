"""Metrics: from evidence to sub-metrics, pillars and the RigorScore. Nothing here parses text."""
