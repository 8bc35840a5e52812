"""Error episodes, and the attempts in each."""
