"""Keeps machines, disks and networks as a file says."""

from .apply import apply
from .cloud import Cloud, CloudError
from .errors import GroundworkError
from .language import Resource, parse
from .plan import Step, make_plan
from .state import State, load_state, save_state

__all__ = [
    "Cloud",
    "CloudError",
    "GroundworkError",
    "Resource",
    "State",
    "Step",
    "apply",
    "load_state",
    "make_plan",
    "parse",
    "save_state",
]
