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
    project_course,
    project_failures,
    project_hints,
    project_relations,
    project_verdicts,
    projects,
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
    projects.TABLE,
    project_course.TABLE,
    project_verdicts.TABLE,
    project_failures.TABLE,
    project_hints.TABLE,
    project_relations.TABLE,
    review.TABLE,
    review_tasks.TABLE,
)
