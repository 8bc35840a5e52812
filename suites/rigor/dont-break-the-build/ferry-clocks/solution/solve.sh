#!/bin/bash
# rigorbench-canary d7619788-6792-436a-9a75-e76301f25c1e
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
