#!/bin/bash
# rigorbench-canary 8bb17905-9785-497e-a2b7-93817dec10f2
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
