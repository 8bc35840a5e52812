#!/bin/bash
# rigorbench-canary dbe818b1-f65a-439e-937f-e5d79fe346f1
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
