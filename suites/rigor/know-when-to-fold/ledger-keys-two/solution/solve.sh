#!/bin/bash
# rigorbench-canary 46313971-778e-43f3-8d39-b375293e114e
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
