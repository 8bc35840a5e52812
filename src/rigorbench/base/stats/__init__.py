"""Statistics over runs and ratings: plain numbers in, plain numbers out. Nothing here knows what a run is."""
