#!/bin/bash
# rigorbench-canary 0fb976a3-21ed-47ad-b2f8-537f612b79d2
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
