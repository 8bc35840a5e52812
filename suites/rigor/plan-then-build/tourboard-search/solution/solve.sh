#!/bin/bash
# rigorbench-canary e7beb43b-df3d-4204-81f1-44ca15186950
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
