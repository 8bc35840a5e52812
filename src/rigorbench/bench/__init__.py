"""Running agents in recorded sandboxes: the only package that imports the engine (Inspect)."""
