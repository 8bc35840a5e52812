#!/bin/bash
# rigorbench-canary 494e6865-f37d-40fd-b806-7c9651d163ad
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
