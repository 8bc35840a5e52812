"""``rigor trends``: how flags, and grades of readers, develop by week, project, model, agent and cost."""

from __future__ import annotations

from .common import add_json, console, parser, write_json
from .pages import add_page, check_page_options, write_page
from .rows import add_choice, nothing, read_rows

SCHEMA = "rigor-trends/1"
_EPILOG = """examples:
  rigor trends                          all your sessions on this machine
  rigor trends --since 12w --by model   do the models of the last twelve weeks differ?
  rigor trends logs/ --html trends.html --open
"""


def command(arguments: list[str]) -> int:
    from ..report.history.trends import KINDS

    p = parser(
        "trends", "Flags, and the median grade of what was read, by week, project, model, agent and cost.", _EPILOG
    )
    add_choice(p)
    p.add_argument("--by", choices=KINDS, action="append", help="group by this only; may be repeated (default: all)")
    add_page(p, "write a page")
    add_json(p)
    args = p.parse_args(arguments)
    check_page_options(args)
    found = read_rows(args)
    if not found.rows:
        return nothing(found, args)
    kinds = tuple(dict.fromkeys(args.by or KINDS))
    if args.html is not None:
        from ..report.history.trends_page import render_trends

        write_page(render_trends(found.rows, kinds), args.html, show=args.open)
    if args.json:
        from ..report.history.trends import trends

        write_json({"schema": SCHEMA, "trends": trends(found.rows, kinds)})
    elif args.html is None:
        from ..report.history.trends import trends
        from ..report.history.trends_text import print_trends

        print_trends(trends(found.rows, kinds), console())
    return 1 if found.failed else 0
