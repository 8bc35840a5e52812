"""All tables of the report, in their order. A new one is a module with a ``TABLE``, and a line here and in the docs."""

from __future__ import annotations

from . import (
    abstention,
    agreement,
    by_category,
    consumption,
    departures,
    main_results,
    pillars,
    pooled_pillars,
    relative,
    review,
    review_tasks,
    submetrics,
    suite,
    survey,
)
from .spec import TableSpec

TABLES: tuple[TableSpec, ...] = (
    survey.TABLE,
    suite.TABLE,
    main_results.TABLE,
    pooled_pillars.TABLE,
    by_category.TABLE,
    pillars.TABLE,
    abstention.TABLE,
    agreement.TABLE,
    submetrics.TABLE,
    relative.TABLE,
    departures.TABLE,
    consumption.TABLE,
    review.TABLE,
    review_tasks.TABLE,
)
