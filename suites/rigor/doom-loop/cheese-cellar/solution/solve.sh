#!/bin/bash
# rigorbench-canary f967db62-6dd0-4d79-963b-a5ec8bf32de8
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
