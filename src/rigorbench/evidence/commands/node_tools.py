"""JavaScript's tools: package managers and their scripts, monorepo runners, front-end command lines."""

from __future__ import annotations

import re

from ..shell.types import Command
from .names import kind_of_name
from .programs import Kind, Purpose, Tool, rule, select
from .rule_helpers import asks_for_help, by_name, by_path, plain_test, subcommand


@rule
def node_manager(command: Command, tool: Tool) -> Purpose:
    """npm, yarn, pnpm, bun: the names of the scripts in package.json decide."""
    program = command.program
    sub, rest = subcommand(command.args, tool.valued)
    while program in ("yarn", "pnpm") and sub in ("workspace", "workspaces", "recursive", "multi", "foreach"):
        if sub == "workspace":
            rest = rest[1:]
        sub, rest = subcommand(rest, tool.valued)
    if not sub:
        return Purpose("install" if program == "yarn" and not asks_for_help(command.args) else "probe")
    if program == "bun":
        if sub == "test":
            return select("jest", rest, "bun-test")
        if sub == "build":
            return Purpose("build")
        if "." in sub or "/" in sub:
            return by_path(sub, rest)
    if sub in ("run", "run-script", "rum"):
        name, rest = subcommand(rest, tool.valued)
        if not name:
            return Purpose("probe")
        if "/" in name and program == "bun":
            return by_path(name, rest)
        return _package_script(name, _selecting_words(rest))
    kind = tool.listed(sub)
    if kind == "test":
        return _package_script("test", _selecting_words(rest))
    if kind is None and program != "npm":
        return _package_script(sub, _selecting_words(rest))
    return Purpose(kind or "run")


def _package_script(name: str, extra: list[str]) -> Purpose:
    """The purpose of a script of package.json; ``extra`` selects among its tests."""
    kind: Kind = kind_of_name(name) or "run"
    if kind == "lint" and ("type" in name.lower() or "tsc" in name.lower()):
        kind = "build"  # the TypeScript compiler without output
    if kind == "test":
        return Purpose("test", "npm-script", extra, bool(extra))
    return Purpose(kind)


def _selecting_words(rest: list[str]) -> list[str]:
    """The words that select among a script's tests."""
    return [w for w in select("npm-script", rest).targets if not w.isdigit()]


@rule
def monorepo(command: Command, tool: Tool) -> Purpose:
    """nx, turbo, lerna, rush: ``nx test app``, ``turbo run test --filter=x``."""
    sub, rest = subcommand(command.args)
    if sub in ("run-many", "affected", "run", "exec"):
        words = [word for arg in rest for word in re.split("[=,:]", arg)]
        sub, rest = next((w for w in words if kind_of_name(w)), sub), []
    return by_name("npm-script", sub, rest)


@rule
def framework(command: Command, tool: Tool) -> Purpose:
    """Front-end command lines: ``ng test``, ``react-scripts test``, ``next build``, ``vite``."""
    sub, rest = subcommand(command.args)
    if sub.startswith("test") or sub == "e2e":
        return select("jest", rest, tool.runner)
    return Purpose(tool.kind(sub))


@rule
def deno(command: Command, tool: Tool) -> Purpose:
    sub, rest = subcommand(command.args)
    if sub == "test":
        return plain_test("deno-test", rest)
    if sub == "task":
        return by_name("deno-test", rest[0] if rest else "", rest[1:])
    if sub in ("run", ""):
        target, after = subcommand(rest)
        return by_path(target, after) if target else Purpose("run")
    return Purpose(tool.kind(sub))
