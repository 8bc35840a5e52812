#!/bin/bash
# rigorbench-canary 16f26722-3f6f-4c87-965f-93530e43ec40
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
