"""Programs that rewrite the files they are given, and the options that decide whether they do."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

_LOOKS_ONLY = ("--check", "--diff", "--dry-run", "-d", "-l", "-n", "--help", "--version", "--list-different")


_REPAIRS = ("--fix", "--unsafe-fixes", "--fix-only", "--apply", "-a", "-A", "--autocorrect", "--autocorrect-all")


class Formatter(Struct, frozen=True):
    """When a program rewrites files: with one of ``needs`` (always, if there are none), and none of ``looks_only``.

    ``repairs``: with one of these options it changes more than layout.
    """

    needs: tuple[str, ...] = ()
    looks_only: tuple[str, ...] = _LOOKS_ONLY
    repairs: tuple[str, ...] = (
        "--fix",
        "--unsafe-fixes",
        "--fix-only",
        "--apply",
        "-a",
        "-A",
        "--autocorrect",
        "--autocorrect-all",
    )

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
    "djlint": Formatter(("--reformat",)),
    **dict.fromkeys(("autopep8", "yapf", "clang-format"), Formatter(("-i", "--in-place"))),
    **dict.fromkeys(("prettier", "biome"), Formatter(("--write", "-w", "--apply", "--fix"))),
    **dict.fromkeys(("eslint", "stylelint", "oxlint", "standard"), Formatter(("--fix",))),
    **dict.fromkeys(("gofmt", "goimports", "gofumpt", "shfmt"), Formatter(("-w",), ("-d",))),
    **dict.fromkeys(
        ("rubocop", "standardrb"),
        Formatter(("-a", "-A", "--autocorrect", "--autocorrect-all", "--auto-correct", "--fix")),
    ),
}
