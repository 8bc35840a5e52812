"""``rigor completion``: a script with which a shell completes commands, options and names."""

from __future__ import annotations

import sys

from ..common import parser, unknown

SHELLS = ("bash", "zsh", "fish")
_EPILOG = """examples:
  rigor completion bash > ~/.local/share/bash-completion/completions/rigor
  rigor completion zsh > ~/.zfunc/_rigor          with fpath+=~/.zfunc before compinit in ~/.zshrc
  rigor completion fish > ~/.config/fish/completions/rigor.fish
The script knows the options of this version; write it again after an update.
"""


def command(arguments: list[str]) -> int:
    p = parser("completion", "Print the script with which a shell completes what you type after `rigor`.", _EPILOG)
    p.add_argument("shell", metavar="SHELL", help=", ".join(SHELLS))
    shell = p.parse_args(arguments).shell
    if shell not in SHELLS:
        raise unknown("shell", shell, SHELLS)
    from . import shells
    from .tree import described

    sys.stdout.write({"bash": shells.bash, "zsh": shells.zsh, "fish": shells.fish}[shell](described()))
    sys.stdout.flush()
    return 0
