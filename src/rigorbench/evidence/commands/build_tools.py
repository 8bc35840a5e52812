"""Builders and task runners: make, cargo, go, Maven, Gradle, CMake, Bazel, docker, just ..."""

from __future__ import annotations

from ..shell.types import Command
from .programs import GO, TEST_PROGRAMS, Kind, Rule, Verdict, kind_of_name, select, words_of
from .rule_helpers import asks, goal_verdict, named, subcommand


def _make(command: Command) -> Verdict:
    program = command.program
    if any(a in ("-n", "--dry-run", "-p", "-q", "--version", "-v", "--help") for a in command.args):
        return Verdict("probe")
    goals: list[str] = []
    skip = False
    for arg in command.args:
        if skip:
            skip = False
        elif arg.startswith("-"):
            skip = arg in ("-C", "-f", "-j", "-I", "-o", "-W", "--directory", "--file", "-l", "-k") and arg != "-k"
        elif arg.isdigit() or "=" in arg:  # the number of `-j 8`, a variable
            continue
        else:
            goals.append(arg)
    return goal_verdict("make" if program in ("gmake", "make") else program, goals, "build")


# They name their tasks after a word of their own: `mise run test`.
_RUN_BEFORE_TASK = frozenset("mise rtx composer pdm deno hatch pipenv poetry rye pixi uv conda".split())


def task_runner(command: Command) -> Verdict:
    """just, task, rake, mise run, invoke, poe, composer ...: the task's name says it."""
    sub, rest = subcommand(command.args, ("-f", "-d", "--justfile", "--taskfile", "--working-directory", "-t", "-C"))
    program = command.program
    if not sub:
        return Verdict("probe" if asks(command.args) or "-l" in command.args or "--list" in command.args else "run")
    if program in _RUN_BEFORE_TASK and sub in ("run", "r", "task", "run-script", "exec"):
        sub, rest = subcommand(rest)
    if program == "mise" and sub in ("install", "use", "i", "u", "upgrade", "trust"):
        return Verdict("install")
    if program == "mise" and sub in ("ls", "list", "which", "where", "env", "doctor", "tasks", "current"):
        return Verdict("probe")
    if program == "composer":
        if sub in ("install", "update", "require", "remove", "dump-autoload", "global", "create-project", "i"):
            return Verdict("install")
        if sub in ("show", "validate", "outdated", "why", "info", "diagnose", "audit"):
            return Verdict("probe")
    if program in ("rake", "rails") and sub.startswith("db:"):
        return Verdict("run")
    return named(program, sub, rest, check_is_test=program in ("rake", "ant", "invoke", "inv"))


def _cargo(command: Command) -> Verdict:
    sub, rest = subcommand(command.args, ("--color", "-C", "-Z", "--config", "--manifest-path"))
    if sub == "nextest":
        kind, after = subcommand(rest)
        return select(TEST_PROGRAMS["cargo-nextest"], after) if kind == "run" else Verdict("probe", collect_only=True)
    if sub in ("test", "t", "tarpaulin", "llvm-cov", "miri", "insta", "careful", "hack"):
        if "--no-run" in rest:
            return Verdict("build")
        if sub == "hack" and "test" not in rest:
            return Verdict("build")
        return select(TEST_PROGRAMS["cargo-nextest"]._replace(name="cargo-test", subs=frozenset(("test",))), rest)
    if sub in ("watch", "xtask", "make"):
        return named("cargo-test", " ".join(rest[:2]), [])
    table: dict[str, Kind] = {
        "clippy": "lint", "fmt": "lint", "deny": "lint", "audit": "lint", "machete": "lint", "udeps": "lint",
        "add": "install", "remove": "install", "install": "install", "fetch": "install", "update": "install",
        "run": "run", "r": "run", "bench": "run", "new": "run", "init": "run", "expand": "probe",
        "tree": "probe", "metadata": "probe", "search": "probe", "version": "probe", "info": "probe",
    }  # fmt: skip
    return Verdict(table.get(sub, "build" if sub else "probe"))


_GO_KINDS: dict[str, Kind] = {
    "build": "build", "vet": "build", "install": "build", "generate": "build", "get": "install", "fmt": "lint",
    "run": "run", "version": "probe", "env": "probe", "list": "probe", "doc": "probe", "tool": "run",
    "clean": "run", "fix": "run",
}  # fmt: skip


def _go(command: Command) -> Verdict:
    sub, rest = subcommand(command.args, ("-C",))
    if sub == "test":
        if "-c" in rest:
            return Verdict("build")
        dashed = ["-" + w.lstrip("-") if w.startswith("-") else w for w in rest]
        return select(GO, dashed)
    if sub == "mod":
        return Verdict("install" if rest[:1] in (["tidy"], ["download"], ["vendor"]) else "run")
    return Verdict(_GO_KINDS.get(sub, "run"))


def _maven(command: Command) -> Verdict:
    goals, selected, skipped = [], [], False
    skip = False
    for arg in command.args:
        if skip:
            skip = False
        elif arg in ("-f", "-pl", "-P", "-s", "-T", "-rf", "--file", "--projects", "--settings", "-gs", "-l"):
            skip = True
        elif arg.startswith(("-Dtest=", "-Dit.test=")):
            selected.append(arg.partition("=")[2])
        elif arg.startswith(("-DskipTests", "-Dmaven.test.skip")) and not arg.endswith("=false"):
            skipped = True
        elif not arg.startswith("-"):
            goals.append(arg)
    kind: Kind = "build" if goals else "probe"
    for goal in goals:
        plugin, _, name = goal.rpartition(":")
        if name in ("test", "verify", "integration-test", "check") and not plugin and not skipped:
            return Verdict("test", "maven", selected, bool(selected))
        if "surefire" in plugin or "failsafe" in plugin:
            return Verdict("test", "maven", selected, bool(selected))
        if any(p in plugin for p in ("checkstyle", "spotless", "pmd", "spotbugs", "fmt", "formatter")):
            kind = "lint"
        elif "dependency" in plugin or "help" in plugin or "versions" in plugin:
            kind = "probe" if "tree" in name or "help" in plugin else "install"
        elif "spring-boot" in plugin or "jetty" in plugin or "quarkus" in plugin:
            kind = "service" if name in ("run", "dev") else "build"
        elif "exec" in plugin:
            kind = "run"
    if selected and kind == "build" and not skipped:
        return Verdict("test", "maven", selected, True)
    return Verdict(kind)


def gradle(command: Command) -> Verdict:
    tasks: list[str] = []
    selected: list[str] = []
    previous = ""
    for arg in command.args:
        if previous == "--tests":
            selected.append(arg)
        elif arg.startswith("--tests="):
            selected.append(arg[8:])
        elif previous not in ("-x", "--exclude-task", "-p", "--project-dir", "-b", "-I", "-c") and not arg.startswith(
            "-"
        ):
            tasks.append(arg.rsplit(":", 1)[-1])
        previous = arg
    if any(a in ("-m", "--dry-run", "--version", "-v", "--status", "--stop") for a in command.args):
        return Verdict("probe")
    kind: Kind = "build" if tasks else "probe"
    for task in tasks:
        words = words_of(task)
        if task in ("tasks", "dependencies", "help", "projects", "properties", "dependencyInsight"):
            kind = "probe"
        elif _gradle_tests(words):
            return Verdict("test", "gradle", selected or [t for t in tasks if t not in ("clean",)], bool(selected))
        elif words[-1:] == ["check"] or kind_of_name(task) == "lint":
            kind = "lint"
        elif words[:1] == ["run"]:
            kind = "run"
        elif words[-1:] == ["run"]:  # bootRun, appRun
            kind = "service"
        elif kind_of_name(task) == "build":
            kind = "build"
    return Verdict(kind)


# compileTestJava, testClasses, cleanTest: work around tests.
_AROUND_TESTS = frozenset("compile assemble process clean generate package prepare list copy bundle merge".split())
_TEST_PRODUCTS = frozenset("classes jar report reports resources fixtures java kotlin groovy scala results".split())


def _gradle_tests(words: list[str]) -> bool:
    """Whether a Gradle task runs tests, by its words: check, verify, test, testDebugUnitTest, integrationTest."""
    if words in (["check"], ["verify"]):
        return True
    if not words or words[0] in _AROUND_TESTS or words[-1] in _TEST_PRODUCTS:
        return False
    return words[-1] in ("test", "tests", "spec", "specs", "e2e") or words[0] in ("test", "tests")


def _build_tool(runner: str, *, target_options: tuple[str, ...] = ()) -> Rule:
    """cmake, ninja, meson, bazel, dune, zig ...: builds, unless a goal says tests."""

    def rule(command: Command) -> Verdict:
        args = command.args
        if asks(args):
            return Verdict("probe")
        goals = [a for a in args if not a.startswith("-")]
        if command.program == "cmake":
            if args[:1] == ["-E"]:
                return Verdict("noop")
            goals = [args[i + 1] for i, a in enumerate(args[:-1]) if a in target_options]
            if "--install" in args:
                return Verdict("install")
        elif command.program == "zig" and goals[:1] not in (["build"], ["test"]):
            return Verdict("run" if goals[:1] == ["run"] else "build")
        elif command.program in ("bazel", "bazelisk", "buck", "buck2"):
            sub = goals[0] if goals else ""
            if sub in ("test", "coverage"):
                return Verdict("test", "bazel", goals[1:], any(":" in g for g in goals[1:]))
            return Verdict("build" if sub == "build" else "probe" if sub in ("query", "info", "cquery") else "run")
        verdict = goal_verdict(runner, goals, "build")
        if command.program == "zig" and verdict.kind == "build" and goals[:1] == ["test"]:
            return Verdict("test", runner, goals[1:], bool(goals[1:]))
        return verdict

    return rule


def _docker(command: Command) -> Verdict:
    args = command.args
    sub, rest = subcommand(
        args, ("-H", "--host", "-c", "--context", "-f", "--file", "-p", "--project-name", "--profile")
    )
    if sub in ("compose", "container", "image", "buildx", "volume", "network", "system"):
        group = sub
        sub, rest = subcommand(rest, ("-f", "--file", "-p", "--project-name", "--profile", "--env-file"))
        if group in ("volume", "system", "network") and sub in ("rm", "prune"):
            return Verdict("service", destructive=group != "network")
    if sub in ("build", "bake"):
        return Verdict("build")
    if sub in (
        "ps",
        "logs",
        "images",
        "inspect",
        "version",
        "info",
        "ls",
        "top",
        "port",
        "config",
        "stats",
        "history",
        "",
    ):
        return Verdict("probe")
    return Verdict("install" if sub == "pull" else "service")


BUILD_RULES: dict[str, Rule] = {
    **dict.fromkeys("make gmake mingw32-make nmake bmake".split(), _make),
    **dict.fromkeys(
        "just task rake mise rtx invoke inv poe composer ant grunt gulp thor fab doit mage earthly dagger nake "
        "jake cargo-make "
        "bit phing robo castor taskipy bb".split(),
        task_runner,
    ),
    **dict.fromkeys("mvn mvnw mvnd".split(), _maven),
    **dict.fromkeys("gradle gradlew".split(), gradle),
    **dict.fromkeys("docker podman nerdctl docker-compose podman-compose".split(), _docker),
    **dict.fromkeys("cargo cross".split(), _cargo),
    "go": _go,
    "cmake": _build_tool("ctest", target_options=("--target", "-t")),
    **dict.fromkeys("ninja samu".split(), _build_tool("ninja")),
    "meson": _build_tool("meson"),
    **dict.fromkeys("bazel bazelisk buck buck2".split(), _build_tool("bazel")),
    "dune": _build_tool("dune"),
    "zig": _build_tool("zig-test"),
}
