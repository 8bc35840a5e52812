"""A shell in a running sandbox, for its owner: ``python -m rigorbench.sandbox.box.enter PID``.

It is not limited, filtered or recorded, unlike the sandbox's own commands.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from ..kit import bwrap, syscalls
from ..kit.errors import SandboxError
from . import layout, namespaces, runner


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="enter", description="a shell in a running sandbox")
    parser.add_argument("pid", type=int, help="process 1 of the sandbox, as the host counts")
    parser.add_argument("--root", default="/", help="the directory to start in, as the sandbox sees it")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="what to run (default: a shell)")
    options = parser.parse_args(arguments)
    try:
        inside = namespaces.join(options.pid, bwrap.privileged())
        syscalls.setns(inside.processes, syscalls.CLONE_NEWPID)  # for the child
        child = os.fork()
        if child == 0:
            command = options.command or ["/bin/bash"]
            code = 126
            try:
                runner.enter(inside.entrance)
                runner.become_user(inside.entrance)
                os.chdir(options.root)
                environment = {"PATH": bwrap.SYSTEM_PATH, "HOME": layout.HOME, "USER": layout.USER, "LANG": "C.UTF-8"}
                environment["TERM"] = os.environ.get("TERM", "dumb")
                os.execvpe(command[0], command, environment)
            except OSError as error:
                sys.stderr.write(f"enter: {error}\n")
                sys.stderr.flush()
                code = 127 if isinstance(error, FileNotFoundError) else 126
            finally:
                os._exit(code)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    except (SandboxError, OSError) as error:
        sys.stderr.write(f"enter: the sandbox of process {options.pid} cannot be entered: {error}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main())
