"""What tools write around the output of a command."""

from __future__ import annotations

import re

from ...model import Result


def stated_exit(result: Result, *patterns: re.Pattern[str]) -> None:
    """Sets the exit status that a tool wrote before or after the output, and the output without it.

    Its first group is the status. Where the log says that the command did not fail, another status than 0 is a
    quotation.
    """
    for pattern in patterns:
        found = pattern.search(result.text)
        if found is not None and (result.is_error is not False or int(found[1]) == 0):
            result.exit_status = int(found[1])
            result.stdout = result.text[: found.start()] + result.text[found.end() :]
            return
