#!/bin/bash
# rigorbench-canary 1a0791ef-27b9-417d-a10e-66004bfa377b
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
