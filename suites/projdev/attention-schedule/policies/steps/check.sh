#!/bin/sh
# Runs the schedule on a problem of each kind; every result has to be right.
set -e
g++ -std=c++20 -O2 -Wall -Wextra -o /tmp/practice practice.cpp
for problem in "3 16 1000 20 16 0 1" "200 32 60000 50 64 0 2" "250 32 1500 10 32 0 3" "100 64 600 20 16 0 4" "257 32 5000 400 256 0 5" "300 16 3000 50 16 1 6" "129 64 30000 50 16 1 7"; do
  echo "$problem: $(/tmp/practice $problem)"
done
