#!/bin/bash
# rigorbench-canary b76f2ed8-39b3-42b4-8341-ff4cc67fc380
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
