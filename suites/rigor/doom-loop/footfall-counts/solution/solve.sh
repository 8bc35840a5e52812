#!/bin/bash
# rigorbench-canary 0bcdef1a-5cfe-45c7-8a87-d1c060fe4868
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
