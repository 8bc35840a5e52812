#!/bin/bash
# rigorbench-canary 25d6844b-db80-4b52-b74c-ca39ec3e26f6
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
