"""``rigor hook``: reviews a session whenever its agent stops, or while it runs."""

from __future__ import annotations


def command(arguments: list[str]) -> int:
    if arguments[:1] == ["run"]:  # at every stop of an agent: without what the other actions need
        from .run import command as run

        return run(arguments[1:])
    from ..common import act
    from .install import parser_of_actions

    return act(parser_of_actions(), arguments)
