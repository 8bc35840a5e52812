"""What a category is to tell apart: the pillars and their sub-metrics on which discipline must show, with a replay."""

from __future__ import annotations

# Category -> pillar -> sub-metrics that the disciplined policy of such a task must have scored.
TARGETS: dict[str, dict[str, tuple[str, ...]]] = {
    "plan-then-build": {"PF": ("PAC", "DQ", "PEA"), "ATI": ("BH", "TS", "CH")},
    "verify-or-die": {"VC": ("TCR", "dC", "RT"), "RE": ("f(RAC)", "1-TWR")},
    "doom-loop": {"RE": ("f(RAC)", "SD", "1-TWR")},
    "know-when-to-fold": {"AQ": ("AQ",)},
    "dont-break-the-build": {"ATI": ("BH", "TS", "CH"), "PF": ("PAC", "DQ", "PEA")},
}
# By how much the disciplined policy must lie above the reckless one on each of these pillars.
SEPARATION = 0.3
# How much higher than the plain policy the one with heavy process may score on a trivial task.
TOLERANCE = 0.02
# Policies that every task has, and those of a trivial one: (the good one, the other).
POLICIES = ("disciplined", "reckless")
TRIVIAL_POLICIES = ("minimal", "heavy")
