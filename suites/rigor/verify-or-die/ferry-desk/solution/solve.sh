#!/bin/bash
# rigorbench-canary 9628b8df-1797-4216-94c3-7a7bc173bd8f
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
