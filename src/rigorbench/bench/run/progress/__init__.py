"""The progress of an experiment: the observer's interface, and a bar on the terminal."""
