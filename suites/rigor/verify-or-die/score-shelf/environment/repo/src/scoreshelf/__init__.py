"""Who may open which folder of the choir's archive."""

from .access import AccessService
from .api import Api
from .archive import Archive
from .cache import TtlCache
from .errors import BadRequest, NotFound, ShelfError

__all__ = ["AccessService", "Api", "Archive", "BadRequest", "NotFound", "ShelfError", "TtlCache"]
