"""What box and cell are made with: bubblewrap, control groups, limits, mounts, toolchains."""
