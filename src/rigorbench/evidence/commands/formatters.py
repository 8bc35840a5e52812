"""Programs that rewrite the files they are given, and the options that decide whether they do."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ..shell.types import SimpleCommand

_LOOKS_ONLY = (
    "--check", "--check-only", "--diff", "--dry-run", "-d", "-l", "-n", "--help", "--version", "--list-different",
)  # fmt: skip

_REPAIRS = ("--fix", "--unsafe-fixes", "--fix-only", "--apply", "-a", "-A", "--autocorrect", "--autocorrect-all")


class Formatter(Struct, frozen=True):
    """When a program rewrites files: with one of ``needs`` (always, if there are none), and none of ``looks_only``.

    ``repairs``: with one of these options it changes more than layout. ``linter``: it reports what it cannot repair.
    """

    needs: tuple[str, ...] = ()
    looks_only: tuple[str, ...] = _LOOKS_ONLY
    repairs: tuple[str, ...] = _REPAIRS
    linter: bool = False

    def rewrites(self, args: Sequence[str]) -> bool:
        if any(a in self.looks_only for a in args):
            return False
        return not self.needs or any(has_option(args, option) for option in self.needs)

    def layout_only(self, args: Sequence[str]) -> bool:
        return not any(has_option(args, option) for option in self.repairs)


def has_option(args: Sequence[str], option: str) -> bool:
    """Whether an option is given, alone, with ``=value``, or before other letters behind one dash."""
    return any(a == option or (option.startswith("--") and a.startswith(option + "=")) for a in args) or (
        len(option) == 2 and any(a.startswith(option) and not a.startswith("--") and len(a) > 2 for a in args)
    )


# Formatters whose operands are the files that they rewrite.
FORMATTERS: dict[str, Formatter] = {
    **dict.fromkeys(("black", "isort", "rustfmt", "dos2unix"), Formatter()),
    "ruff": Formatter(("format", "--fix", "--unsafe-fixes", "--fix-only")),
    "djlint": Formatter(("--reformat",), linter=True),
    **dict.fromkeys(("autopep8", "yapf", "clang-format"), Formatter(("-i", "--in-place"))),
    **dict.fromkeys(("prettier", "biome"), Formatter(("--write", "-w", "--apply", "--fix"))),
    **dict.fromkeys(("eslint", "stylelint", "oxlint", "standard"), Formatter(("--fix",), linter=True)),
    **dict.fromkeys(("gofmt", "goimports", "gofumpt", "shfmt"), Formatter(("-w",), ("-d",))),
    **dict.fromkeys(
        ("rubocop", "standardrb"),
        Formatter(("-a", "-A", "--autocorrect", "--autocorrect-all", "--auto-correct", "--fix"), linter=True),
    ),
}

# Sub-commands that rewrite files, and what makes them only look.
_SUBCOMMANDS: dict[str, str] = {
    **dict.fromkeys(("cargo", "go", "deno", "zig"), "fmt"),
    **dict.fromkeys(("terraform", "tofu"), "fmt"),
    **dict.fromkeys(("mix", "dart", "flutter", "dotnet"), "format"),
}
_ONLY_CHECKS = (
    *_LOOKS_ONLY,
    "-check", "-diff", "--check-formatted", "--set-exit-if-changed", "--output=none", "--verify-no-changes",
)  # fmt: skip


def formats(command: SimpleCommand) -> bool:
    """Whether a command only changes the layout of files: it checks nothing, and passes whatever the code is like.

    A linter that repairs (``eslint --fix``) reports what it could not repair, and stays a check.
    """
    program, args = command.program, command.args
    formatter = FORMATTERS.get(program)
    if formatter is not None:
        if program in ("biome", "ruff") and "format" not in args[:1]:
            return False  # `check` and `lint` are linters, whatever they write
        return not formatter.linter and formatter.rewrites(args) and formatter.layout_only(args)
    sub = _SUBCOMMANDS.get(program)
    return sub is not None and sub in args[:2] and not any(a in _ONLY_CHECKS for a in args)
