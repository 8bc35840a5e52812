#!/bin/bash
# rigorbench-canary dcf43a30-c62b-48d7-8a0c-a9c8db4f6414
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
