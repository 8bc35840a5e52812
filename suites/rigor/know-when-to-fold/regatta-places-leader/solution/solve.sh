#!/bin/bash
# rigorbench-canary ac6fef2f-da13-4500-8c14-da31ead8493f
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
