"""A cell: a sandbox that measures the programs that the judge runs. See `rigorbench.sandbox`."""
