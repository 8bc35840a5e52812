"""Messages for the judge's owner about failures that clients do not see: one line each on stderr."""

from __future__ import annotations

import os
import sys
import traceback

from ...base.sanitize import terminal


def log_error(error: Exception) -> None:
    if os.environ.get("RIGOR_DEBUG"):
        traceback.print_exception(error)
    else:
        text = f"judge: {type(error).__name__}: {error} (RIGOR_DEBUG=1 shows where)"
        sys.stderr.write(terminal(text, 500) + "\n")
