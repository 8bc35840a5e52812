"""Cleans the readings of river gauges."""

from .errors import GaugeError, Reject
from .pipeline import Pipeline, load_pipeline
from .report import Report
from .runner import Job, run

__all__ = ["GaugeError", "Job", "Pipeline", "Reject", "Report", "load_pipeline", "run"]
