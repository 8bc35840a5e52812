"""A box: a sandbox for agents and hidden tests, whose commands can be recorded. See `rigorbench.sandbox`."""
