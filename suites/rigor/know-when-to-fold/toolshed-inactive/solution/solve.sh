#!/bin/bash
# rigorbench-canary 9076695c-676f-41cd-b9f7-07fd02b0b353
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
