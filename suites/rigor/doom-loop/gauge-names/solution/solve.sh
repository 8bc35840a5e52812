#!/bin/bash
# rigorbench-canary 2eb04d44-8b7d-4740-9e85-d53e27ead2db
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
