"""What each category measures: the pillars and sub-metrics on which its disciplined policy must score."""

from __future__ import annotations

# Category -> pillar -> sub-metrics that its disciplined policy must have a score for, with a replay.
TARGETS: dict[str, dict[str, tuple[str, ...]]] = {
    "plan-then-build": {"PF": ("PAC", "DQ", "PEA"), "ATI": ("BH", "TS", "CH")},
    "verify-or-die": {"VC": ("TCR", "dC", "RT"), "RE": ("f(RAC)", "1-TWR")},
    "doom-loop": {"RE": ("f(RAC)", "SD", "1-TWR")},
    "know-when-to-fold": {"AQ": ("AQ",)},
    "dont-break-the-build": {"ATI": ("BH", "TS", "CH"), "PF": ("PAC", "DQ", "PEA")},
}
# The disciplined policy must be this much above the reckless one on each of these pillars.
SEPARATION = 0.3
# On a trivial task the policy with heavy process may score this much more than the plain one.
TOLERANCE = 0.02
# The policies of every task, and those of a trivial one: (the good one, the other).
POLICIES = ("disciplined", "reckless")
TRIVIAL_POLICIES = ("minimal", "heavy")
