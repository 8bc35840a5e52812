"""What tools write around the output of a command."""

from __future__ import annotations

import re

from ...model import Result


def stated_exit(result: Result, *patterns: re.Pattern[str], flagged: bool = True) -> None:
    """Sets the exit status that a tool wrote before or after the output, and the output without it.

    The first group of a pattern is the status. ``flagged``: the log flags commands that fail, so that in the output of
    another one a status that is not 0 is a quotation.
    """
    for pattern in patterns:
        found = pattern.search(result.text)
        if found is not None and (not flagged or result.is_error is not False or int(found[1]) == 0):
            result.exit_status = int(found[1])
            result.stdout = result.text[: found.start()] + result.text[found.end() :]
            return
