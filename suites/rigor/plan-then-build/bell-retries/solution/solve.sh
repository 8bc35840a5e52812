#!/bin/bash
# rigorbench-canary c4ee5eca-3e29-4383-83eb-c5591c6f2030
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
