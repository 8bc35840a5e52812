"""Claude Code: persisted sessions, sub-agents and stream-json."""
