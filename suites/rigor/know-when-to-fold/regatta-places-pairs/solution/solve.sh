#!/bin/bash
# rigorbench-canary 46f00b18-5bf4-4fed-a06d-e31c6569e539
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
