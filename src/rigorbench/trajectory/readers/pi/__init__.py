"""Pi (pi-coding-agent)."""
