#!/bin/bash
# rigorbench-canary e2044cdf-c7cc-441f-9559-685ec2612ed1
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
