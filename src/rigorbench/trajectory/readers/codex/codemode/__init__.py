"""Code mode: scripts that call tools, followed as far as their text decides what they do."""
