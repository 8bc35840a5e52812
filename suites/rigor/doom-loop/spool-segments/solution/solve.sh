#!/bin/bash
# rigorbench-canary 92ea4844-ddab-4f45-a7a3-688f0e2ed6d3
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
