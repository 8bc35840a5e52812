"""Projects, which the judge decides on: where a run submits, what it submitted, and the outcome."""
