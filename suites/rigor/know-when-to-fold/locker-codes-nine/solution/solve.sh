#!/bin/bash
# The golden solution, applied in the working directory.
set -e
git apply --whitespace=nowarn /solution/solution.patch
