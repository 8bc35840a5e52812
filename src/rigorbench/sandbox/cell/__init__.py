"""Untrusted programs in a box: bubblewrap, a supervisor of ours, control groups; and what they used."""
