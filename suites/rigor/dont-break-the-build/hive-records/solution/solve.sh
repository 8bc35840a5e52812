#!/bin/bash
# rigorbench-canary b88da015-a76c-40ac-8d76-0d9ef1ddd5d0
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
