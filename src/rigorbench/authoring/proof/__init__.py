"""The proof of tasks: their starters, golden solutions, near misses, faults and policies, run in the sandbox."""
