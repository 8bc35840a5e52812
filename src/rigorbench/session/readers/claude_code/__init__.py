"""Claude Code: sessions on disk, their sub-agents, and stream-json."""

from .reader import READERS as READERS
