"""``rigor suite prepare``: writes the files of a task that follow from its other files."""

from __future__ import annotations

import sys
from pathlib import Path

from ..common import existing_directory, message, parser

_EPILOG = """examples:
  rigor suite prepare suites/rigor/*/*/
"""


def command(arguments: list[str]) -> int:
    p = parser(
        "suite prepare",
        "Write the files that follow from the rest of a task: build_repo.py and, if they are missing, Dockerfile, "
        "test.sh and solve.sh; a canary in the task file, and the same in every hidden file. Then report what prevents "
        "Harbor from running the task.",
        _EPILOG,
    )
    p.add_argument("task", nargs="+", type=existing_directory, metavar="TASK", help="directory with a task.toml")
    args = p.parse_args(arguments)
    from ...authoring.harbor import check_task
    from ...authoring.prepare import prepare_task
    from ...tasks.task import TaskError

    failed = False
    for directory in args.task:
        try:
            for name in prepare_task(directory):
                print(f"{Path(directory) / name}: written")
            for problem in check_task(directory):
                failed = True
                message(problem)
        except TaskError as error:
            failed = True
            message(str(error))
        except OSError as error:
            failed = True
            message(f"{error.filename or directory}: {error.strerror or error}")
    sys.stdout.flush()
    return 1 if failed else 0
