#!/bin/bash
# rigorbench-canary a6db605c-23cd-477f-ad69-5a6d703c19c2
# The golden solution, applied in the working directory. A task that cannot be done has none: nothing is changed.
set -e
if [ -f /solution/solution.patch ]; then
  git apply --whitespace=nowarn /solution/solution.patch
fi
