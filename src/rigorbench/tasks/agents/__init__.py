"""The agents that RigorBench knows, as data: one row for each in :mod:`.registry`."""
