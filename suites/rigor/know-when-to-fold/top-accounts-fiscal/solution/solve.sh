#!/bin/bash
# rigorbench-canary c8799ef1-2bbf-4628-ab56-e0cb0e376bf9
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
