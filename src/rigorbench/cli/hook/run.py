"""``rigor hook run``: what an agent starts when it stops.

Whatever goes wrong, the agent may stop: the exit status is always 0. (To both agents, 2 would mean "go on".)
"""

from __future__ import annotations

import gc
import os
import sys
import threading
from contextlib import suppress
from itertools import pairwise
from typing import Any

# Seconds after which the hook gives up. Settings let it run longer than that.
_SECONDS = 10.0


def command(arguments: list[str]) -> int:
    if arguments and arguments[0] in ("-h", "--help"):
        print(_USAGE, end="")
        return 0
    gc.disable()  # one short life: looking for garbage would take a tenth of it
    watchdog = threading.Timer(_SECONDS, os._exit, (0,))
    watchdog.daemon = True
    watchdog.start()
    reply: dict[str, Any] | None
    try:
        from .stop import answer

        reply = answer(
            sys.stdin.buffer.read(),
            agent=next((b for a, b in pairwise(arguments) if a == "--agent"), None),
            block="--block" in arguments,
        )
    except Exception as error:
        if os.environ.get("RIGOR_DEBUG"):
            raise
        from ...base.sanitize import one_line

        reply = {
            "systemMessage": f"rigor: this turn was not reviewed ({type(error).__name__}: {one_line(str(error), 200)})"
        }
    watchdog.cancel()
    if reply is not None:
        import msgspec

        # A reader that is gone is no reason to keep the agent from stopping either.
        with suppress(OSError):
            sys.stdout.buffer.write(msgspec.json.encode(reply) + b"\n")
            sys.stdout.buffer.flush()
    return 0


_USAGE = """usage: rigor hook run --agent NAME [--block]

What `rigor hook install` puts into the settings of an agent. Reads the description of the stop as JSON from standard
input (`transcript_path` is the log), and prints what to show as JSON. The exit status is always 0.

  --agent NAME   claude-code or codex: whose settings are looked after
  --block        send the agent back to work for a flag, at most once a turn
"""
