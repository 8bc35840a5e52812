"""Facts about a session that are neither good nor bad by themselves: checks, the words of the pillars and the proof of
what a reader says rest on them.

An observation is a function of the work that returns the events that show it (none: it does not hold), True or False
where no single event does, or None where the log cannot show it.
"""

from __future__ import annotations

from .planning import (
    looked_around,
    plan_before_edit,
    read_tests,
    reproduction,
    tried_after_last_edit,
    unread,
)
from .recovery import BLIND, blind_streak, may_be_green, only_in_tests
from .verification import (
    BROAD,
    broad_test_after_last_edit,
    check_after_last_edit,
    existing_tests_after_last_edit,
    red_green,
    red_then_green,
    static_check_after_last_edit,
    test_after_last_edit,
    tests_added,
    unreported,
)

__all__ = [
    "BLIND",
    "BROAD",
    "blind_streak",
    "broad_test_after_last_edit",
    "check_after_last_edit",
    "existing_tests_after_last_edit",
    "looked_around",
    "may_be_green",
    "only_in_tests",
    "plan_before_edit",
    "read_tests",
    "red_green",
    "red_then_green",
    "reproduction",
    "static_check_after_last_edit",
    "test_after_last_edit",
    "tests_added",
    "tried_after_last_edit",
    "unread",
    "unreported",
]
