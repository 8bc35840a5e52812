"""From the words of a command to the command they run: wrappers, nested scripts, working directories."""

from __future__ import annotations

import posixpath

from .tables import programs
from .types import Command, Redirect
from .values import join, set_options
from .words import Input, Words
from .wrappers import is_shell, program_name, unwrap

_MAX_NESTED = 5
_MAX_COMMANDS = 2_000  # of one line


class Commands(Words):
    """Adds commands to ``out``; ``cwd``, ``errexit`` and ``pipefail`` move along."""

    def run(self) -> None:
        """Parses the source and walks it; :class:`.walk.Line` does it."""
        raise TypeError(f"{type(self).__name__} has no structure to walk")

    def add(
        self, words: list[str], env: dict[str, str], text: str, redirects: list[Redirect], stdin: Input | None
    ) -> None:
        if len(self.out) >= _MAX_COMMANDS:
            return
        unwrapped = unwrap(words)
        env = {**env, **unwrapped.env} if unwrapped.env else env
        cwd = self.cwd
        if unwrapped.directory:
            cwd = join(cwd, unwrapped.directory)
        command = Command(program="", text=text, wrappers=unwrapped.wrappers, cwd=cwd, env=env, redirects=redirects)
        if stdin is not None:
            command.stdin, command.stdin_literal = stdin
        script = unwrapped.script
        if script is not None:
            if self.nested < _MAX_NESTED:
                self.nested_script(script, command, unwrapped.pipefail, unwrapped.errexit)
            return
        words = unwrapped.words
        program = program_name(words[0])
        if not program:
            return
        command.program, command.path, command.args = program, words[0], words[1:]
        if is_shell(program) and stdin is not None and (not command.args or command.args[0] in ("-s", "-", "-x", "-e")):
            self.out.append(command)
            self.feed_shell(len(self.out) - 1)
            return
        if (options := programs().directories.get(program)) is not None:
            self.directory_option(command, options)
        elif program in programs().change_directory:
            self.change_directory(command)
        elif program == "set":
            self.errexit, self.pipefail = set_options(command.args, self.errexit, self.pipefail)
        self.out.append(command)

    def nested_script(self, script: str, outer: Command, pipefail: bool, errexit: bool) -> None:
        """Commands of ``bash -c SCRIPT``: they inherit from the command around them."""
        line = type(self)(script, self.nested + 1)
        line.cwd, line.pipefail, line.errexit = outer.cwd, pipefail, errexit
        line.variables = self.variables
        line.run()
        single = len(line.out) == 1
        for i, c in enumerate(line.out):
            c.wrappers = outer.wrappers + c.wrappers
            c.env = {**outer.env, **c.env} if outer.env else c.env
            c.background = c.background or outer.background
            for r in outer.redirects:
                c.redirects.append(Redirect(">>", r.target) if i and r.operator == ">" else r)
            if c.stdin is None:
                c.stdin, c.stdin_literal = outer.stdin, outer.stdin_literal
            if single and outer.text:
                c.text = outer.text
        if outer.wrappers and outer.wrappers[-1] == "eval":
            self.cwd = line.cwd
        self.out.extend(line.out)

    def feed_shell(self, index: int) -> None:
        """``bash <<EOF``: replaces the shell at ``index`` by the commands it is fed."""
        shell = self.out[index]
        script = shell.stdin
        if script is None or self.nested >= _MAX_NESTED or shell.args[:1] not in ([], ["-s"], ["-"], ["-x"], ["-e"]):
            return
        tail = self.out[index + 1 :]
        del self.out[index:]
        outer = Command(
            program="",
            wrappers=[*shell.wrappers, shell.program],
            cwd=shell.cwd,
            env=shell.env,
            redirects=shell.redirects,
            background=shell.background,
        )
        self.nested_script(script, outer, False, shell.args[:1] == ["-e"])
        for c in self.out[index:]:
            c.piped_into = c.piped_into or shell.piped_into
            if shell.status != "exact" and c.status != "none":
                c.status = shell.status
        self.out.extend(tail)

    def directory_option(self, command: Command, options: frozenset[str]) -> None:
        args = command.args
        for i, arg in enumerate(args):
            name, equals, value = arg.partition("=")
            if name in options:
                value = value if equals else args[i + 1] if i + 1 < len(args) else ""
                if value.endswith((".toml", ".xml")):
                    value = posixpath.dirname(value)
                if value:
                    command.cwd = join(command.cwd, value)
            elif (
                command.program in ("git", "go") and not arg.startswith("-") and args[i - 1 : i] not in (["-C"], ["-c"])
            ):
                break

    def change_directory(self, command: Command) -> None:
        args = [a for a in command.args if a not in ("-P", "-L", "--", "-Path", "/d")]
        before = self.cwd
        if command.program == "popd" or args[:1] == ["-"]:
            self.cwd = self.previous_cwd
        elif not args:
            self.cwd = "~"
        elif "$" in args[0] or "`" in args[0]:
            # Unknown; mostly the top of the repository, where the call itself runs.
            self.cwd = None
        else:
            self.cwd = join(self.cwd, args[0])
        self.previous_cwd = before
        command.cwd = self.cwd
