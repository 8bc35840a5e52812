"""Members, visits and loans of a shared tool shed."""

from .errors import ShedError
from .model import Loan, Member, Visit
from .shed import Shed, load, save

__all__ = ["Loan", "Member", "Shed", "ShedError", "Visit", "load", "save"]
