"""Problem packages: the Kattis 2025-09 layout plus four keys; import, export, proof."""
