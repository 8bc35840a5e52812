#!/bin/bash
# rigorbench-canary 09b246fd-3e65-44d2-9959-70aa526cbaba
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
