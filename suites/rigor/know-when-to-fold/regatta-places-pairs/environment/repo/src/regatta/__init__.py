"""Places, points and the cup of the Lower Lakes rowing league."""

from .api import make_app
from .errors import RegattaError
from .model import Race, Result
from .places import Placed, places

__all__ = ["Placed", "Race", "RegattaError", "Result", "make_app", "places"]
