"""What every other package uses: text made safe, files, JSON lines, processes, packaged data, cache, version."""
