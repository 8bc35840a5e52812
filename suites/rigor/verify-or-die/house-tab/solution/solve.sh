#!/bin/bash
# rigorbench-canary e25f60ca-71f0-4cda-bf22-1b803e1ed215
# The golden solution, applied in the working directory.
set -e
git apply --whitespace=nowarn /solution/solution.patch
