"""What ladders ask besides checks: facts about a session that are neither good nor bad by themselves.

An observation is a function of the work that returns the events that show it (none: it does not hold), True or False
where no single event does, or None where the log cannot show it. Its name in ``grades.toml`` is its function's name
with hyphens.
"""

from __future__ import annotations

from . import integrity  # noqa: F401 -- registers its observations
from .change import changed_production, few_files, more_than_trivial
from .planning import (
    approach_stated,
    looked_around,
    plan_before_edit,
    plan_names_checks,
    read_tests,
    reproduction,
    tried_after_last_edit,
    unread,
)
from .recovery import BLIND, blind_streak, may_be_green, only_in_tests, repaired_in_code
from .registry import all_observations
from .verification import (
    BROAD,
    broad_test_after_last_edit,
    check_after_last_edit,
    existing_tests_after_last_edit,
    prints_otherwise,
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
    "all_observations",
    "approach_stated",
    "blind_streak",
    "broad_test_after_last_edit",
    "changed_production",
    "check_after_last_edit",
    "existing_tests_after_last_edit",
    "few_files",
    "looked_around",
    "may_be_green",
    "more_than_trivial",
    "only_in_tests",
    "plan_before_edit",
    "plan_names_checks",
    "prints_otherwise",
    "read_tests",
    "red_green",
    "red_then_green",
    "repaired_in_code",
    "reproduction",
    "static_check_after_last_edit",
    "test_after_last_edit",
    "tests_added",
    "tried_after_last_edit",
    "unread",
    "unreported",
]
