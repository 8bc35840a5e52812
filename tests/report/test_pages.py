"""Templates and the contexts they are given: a name is in both, or in neither."""

from __future__ import annotations

import pytest
from jinja2 import meta, nodes

from rigorbench.bench.pages.experiment.site import BareRunPage, ExperimentPage, RunPage, TaskPage
from rigorbench.bench.pages.leaderboard.pages import EntryPage, LeaderboardPage
from rigorbench.bench.pages.tables.formats import TablesPage
from rigorbench.review.history.trends_view import TrendsPage
from rigorbench.review.pages.html import Page, environment, frame
from rigorbench.review.pages.pages import OverviewPage, SessionPage

PAGES = (
    *(BareRunPage, EntryPage, ExperimentPage, LeaderboardPage, OverviewPage, RunPage),
    *(SessionPage, TablesPage, TaskPage, TrendsPage),
)
# What a template gets from the template that includes it.
INCLUDED = {"icon", "strip", "a", "g", "diff_lines", "diff_size"}


def read(template: str) -> set[str]:
    """The names that a template and those it rests on take from the context."""
    found = environment()
    tree = found.parse(found.loader.get_source(found, template)[0])
    names = meta.find_undeclared_variables(tree) - {macro.name for macro in tree.find_all(nodes.Macro)}
    names -= {name for imported in tree.find_all(nodes.FromImport) for name in imported.names}
    others = {other for other in meta.find_referenced_templates(tree) if other is not None}
    others |= {c.value for extends in tree.find_all(nodes.Extends) for c in extends.template.find_all(nodes.Const)}
    return names.union(*map(read, others))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.__name__)
def test_a_template_reads_the_fields_of_its_page(page: type[Page]) -> None:
    given = {*page.__struct_fields__, *frame((), ())}
    names = read(page.template) - environment().globals.keys() - INCLUDED
    assert names == given


def test_every_kind_of_page_is_known_here() -> None:
    def below(kind: type[Page]) -> set[type[Page]]:
        return {kind}.union(*map(below, kind.__subclasses__()))

    assert below(Page) - {Page} == set(PAGES)
