#!/bin/bash
# rigorbench-canary 75236c85-2365-4fb5-85a8-e70392fd5c45
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
