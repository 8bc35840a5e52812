"""JavaScript's tools: package managers and their scripts, monorepo runners, front-end command lines."""

from __future__ import annotations

from ..shell.types import Command
from .programs import CYPRESS, PLAYWRIGHT, TEST_PROGRAMS, Kind, Rule, Verdict, kind_of_name, select
from .rule_helpers import asks, first, named, plain_test, script, subcommand

_NPM_INSTALL = frozenset(
    "install i ci add uninstall remove rm update up upgrade link import dedupe prune rebuild fetch".split()
)
_NPM_PROBE = frozenset(
    "ls list ll view info outdated audit why explain config get bin root prefix pkg whoami search help".split()
)
_NODE_VALUED = ("--prefix", "-C", "--dir", "--cwd", "-w", "--workspace", "-F", "--filter", "--loglevel")


def _node_manager(command: Command) -> Verdict:
    """npm, yarn, pnpm, bun: scripts of package.json by their names."""
    program = command.program
    sub, rest = subcommand(command.args, _NODE_VALUED)
    while program in ("yarn", "pnpm") and sub in ("workspace", "workspaces", "recursive", "multi", "foreach"):
        if sub == "workspace":
            rest = rest[1:]
        sub, rest = subcommand(rest, _NODE_VALUED)
    if not sub:
        return Verdict("install" if program == "yarn" and not asks(command.args) else "probe")
    if program == "bun":
        if sub == "test":
            return select(TEST_PROGRAMS["jest"]._replace(name="bun-test"), rest)
        if sub == "build":
            return Verdict("build")
        if "." in sub or "/" in sub:
            return script(sub, rest)
    if sub in ("test", "t", "tst", "it", "install-test", "cit"):
        extra = _after_dashes(rest)
        return Verdict("test", "npm-script", extra, bool(extra))
    if sub in ("run", "run-script", "rum"):
        name, rest = subcommand(rest, _NODE_VALUED)
        if not name:
            return Verdict("probe")
        if "/" in name and program == "bun":
            return script(name, rest)
        return _node_script(name, _after_dashes(rest))
    if sub in ("start", "dev", "serve", "preview"):
        return Verdict("service")
    if sub in _NPM_INSTALL:
        return Verdict("install")
    if sub in _NPM_PROBE:
        return Verdict("probe")
    if sub in ("init", "create", "publish", "pack", "version", "login", "cache", "set", "store", "exec", "dlx", "x"):
        return Verdict("run")
    return _node_script(sub, _after_dashes(rest)) if program != "npm" else Verdict("run")


def _node_script(name: str, extra: list[str]) -> Verdict:
    kind: Kind = kind_of_name(name) or "run"
    if kind == "lint" and ("type" in name.lower() or "tsc" in name.lower()):
        kind = "build"  # the TypeScript compiler without output
    if kind == "test":
        return Verdict("test", "npm-script", extra, bool(extra))
    return Verdict(kind)


def _after_dashes(rest: list[str]) -> list[str]:
    """The words that select among a script's tests."""
    targets: list[str] = []
    skip = False
    for i, word in enumerate(rest):
        if skip:
            skip = False
        elif word in ("-t", "-g", "--grep", "--testNamePattern", "--testPathPattern", "--spec", "--filter"):
            targets.extend(rest[i + 1 : i + 2])
            skip = True
        elif word.startswith(("--testPathPattern=", "--testNamePattern=", "--grep=", "--filter=")):
            targets.append(word.partition("=")[2])
        elif not word.startswith("-") and not word.isdigit():
            targets.append(word)
        elif word in ("--prefix", "-w", "--workspace", "-F", "--reporter", "--config", "-c", "--project"):
            skip = True
    return targets


def _monorepo(command: Command) -> Verdict:
    """nx, turbo, lerna, rush: ``nx test app``, ``turbo run test --filter=x``."""
    sub, rest = subcommand(command.args)
    if sub in ("run", "run-many", "affected", "exec"):
        if sub == "run-many" or sub == "affected":
            names = [
                w.partition("=")[2] or (rest[i + 1] if i + 1 < len(rest) else "")
                for i, w in enumerate(rest)
                if w.startswith(("--target", "--targets", "-t"))
            ]
            sub, rest = (names or [""])[0], []
        else:
            sub, rest = subcommand(rest)
            sub = sub.partition(":")[2] if command.program == "nx" and ":" in sub else sub
    return named("npm-script", sub, rest)


def _framework_cli(command: Command) -> Verdict:
    """Front-end command lines: ``ng test``, ``react-scripts test``, ``next build``, ``vite``."""
    sub, rest = subcommand(command.args)
    kinds: dict[str, Kind] = {
        "build": "build", "lint": "lint", "dev": "service", "start": "service", "serve": "service",
        "preview": "service", "check": "build", "optimize": "build", "prepare": "build", "export": "build",
        "generate": "build", "typecheck": "build",
    }  # fmt: skip
    if sub.startswith("test") or sub == "e2e":
        runner = {"ng": "karma", "react-scripts": "jest", "craco": "jest", "playwright": "playwright"}.get(
            command.program, "jest"
        )
        return select(TEST_PROGRAMS["jest"]._replace(name=runner), rest)
    default: Kind = "service" if command.program in ("vite", "next", "nuxt", "astro") else "run"
    return Verdict(kinds.get(sub, default))


def _playwright(command: Command) -> Verdict:
    sub, _ = subcommand(command.args)
    if sub == "test":
        return select(PLAYWRIGHT, command.args)
    return Verdict("install" if sub.startswith("install") else "run")


def _cypress(command: Command) -> Verdict:
    sub, rest = subcommand(command.args)
    if sub == "run":
        return select(CYPRESS, rest)
    return Verdict({"install": "install", "open": "service"}.get(sub, "probe"))  # type: ignore[arg-type]


def _biome(command: Command) -> Verdict:
    sub, _ = subcommand(command.args)
    return Verdict("lint" if sub in ("check", "lint", "format", "ci") else "run")


def _deno(command: Command) -> Verdict:
    sub, rest = subcommand(command.args)
    if sub == "test":
        return plain_test("deno-test", rest)
    if sub == "task":
        return named("deno-test", *first(rest))
    if sub == "run" or sub == "":
        target, after = subcommand(rest)
        return script(target, after) if target else Verdict("run")
    kinds: dict[str, Kind] = {"lint": "lint", "fmt": "lint", "check": "build", "compile": "build", "cache": "install",
                              "install": "install", "add": "install", "info": "probe"}  # fmt: skip
    return Verdict(kinds.get(sub, "run"))


NODE_RULES: dict[str, Rule] = {
    **dict.fromkeys("npm yarn pnpm bun cnpm npm-run-all run-s run-p".split(), _node_manager),
    **dict.fromkeys("nx turbo lerna rush moon wireit".split(), _monorepo),
    **dict.fromkeys(
        "ng react-scripts craco next nuxt vite astro vue-cli-service remix expo gatsby svelte-kit".split(),
        _framework_cli,
    ),
    "deno": _deno,
    "playwright": _playwright,
    "cypress": _cypress,
    "biome": _biome,
}
