"""The bubblewrap sandbox: ``box`` (no engine needed) and ``provider`` (the same for Inspect)."""
