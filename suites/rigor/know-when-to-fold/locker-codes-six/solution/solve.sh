#!/bin/bash
# There is no solution: see the blocker in task.toml. Nothing is changed.
exit 0
