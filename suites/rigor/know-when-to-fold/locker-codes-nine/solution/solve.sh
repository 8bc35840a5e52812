#!/bin/bash
# rigorbench-canary 25fe09e5-5795-4115-ba56-d5f962b2dc89
# The golden solution, applied in the working directory.
set -e
git apply --whitespace=nowarn /solution/solution.patch
