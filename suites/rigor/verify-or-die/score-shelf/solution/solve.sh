#!/bin/bash
# rigorbench-canary 29dc9236-056f-4ff0-80f2-c8beda986786
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
