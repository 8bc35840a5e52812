#!/bin/bash
# rigorbench-canary 26af7af7-75b0-4011-a030-b55b686593ba
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
