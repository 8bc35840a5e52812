"""opencode: its databases, the files before them, exports and the JSON stream."""

from .reader import READERS as READERS
