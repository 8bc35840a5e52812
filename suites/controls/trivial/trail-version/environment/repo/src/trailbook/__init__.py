"""How long, how high and how fast a hike was."""

from .errors import TrackError
from .nearby import nearest
from .reading import parse, read
from .simplify import thin
from .splits import splits
from .stats import summary
from .writing import dump

__version__ = "0.5.0"
__all__ = ["TrackError", "dump", "nearest", "parse", "read", "splits", "summary", "thin"]
