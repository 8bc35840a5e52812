"""What everything above rests on: text made safe, files, JSON lines, processes, packaged data, cache, version."""
