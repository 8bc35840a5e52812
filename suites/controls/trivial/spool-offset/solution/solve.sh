#!/bin/bash
# rigorbench-canary 87b4a7e0-68d6-4ff6-b17d-b4e052a9737f
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
