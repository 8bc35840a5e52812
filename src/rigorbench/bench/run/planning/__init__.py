"""From a user's request to the runs of an experiment: names, what is missing, the manifest."""
