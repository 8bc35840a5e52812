#!/bin/bash
# rigorbench-canary a5cf1f82-3377-432f-8c58-e0875a78bd9f
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
