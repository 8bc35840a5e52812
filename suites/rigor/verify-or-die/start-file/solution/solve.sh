#!/bin/bash
# rigorbench-canary f75c3fcb-5e9d-447d-9542-0c5779482fbf
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
