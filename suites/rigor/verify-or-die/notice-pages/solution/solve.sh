#!/bin/bash
# rigorbench-canary fc4edd66-8954-46ce-ab67-bb25a63a1eb1
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
