"""What test runners, builders, linters and installers are called, and how their arguments select what they run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple

from msgspec import Struct, field

from ..shell.parse import Command

Kind = Literal[
    "test", "build", "lint", "install", "commit", "vcs", "edit", "read", "search", "wait", "probe", "service", "noop",
    "run",
]  # fmt: skip


class Verdict(Struct):
    """A kind with what belongs to it; see ``commands.Classified`` for the fields."""

    kind: Kind
    runner: str | None = None
    targets: list[str] = field(default_factory=list)
    selective: bool = False
    collect_only: bool = False
    destructive: bool = False
    message: str | None = None
    message_file: str | None = None
    amend: bool = False
    all_files: bool = False


Rule = Callable[[Command], Verdict]


class Runner(NamedTuple):
    """A test runner: its canonical name, options with a value, options that select tests, options that only list."""

    name: str
    valued: frozenset[str] = frozenset()
    selecting: frozenset[str] = frozenset()
    listing: frozenset[str] = frozenset()
    subs: frozenset[str] = frozenset()  # leading words that are sub-commands, not targets


def _r(name: str, valued: str = "", selecting: str = "", listing: str = "", subs: str = "") -> Runner:
    return Runner(
        name,
        frozenset(valued.split()),
        frozenset(selecting.split()),
        frozenset(listing.split()),
        frozenset(subs.split()),
    )


PYTEST = _r(
    "pytest",
    "-o -c -p -n -W -r --tb --maxfail --rootdir --timeout --junitxml --junit-xml --durations --ignore --ignore-glob "
    "--confcutdir --color --basetemp --log-level --log-cli-level --capture --import-mode --cov-report --cov-config "
    "--numprocesses --dist --ds --override-ini --config-file --pythonwarnings --randomly-seed --log-file "
    "--deselect --cov",
    "-k -m --keyword",
    "--collect-only --co --fixtures --markers --setup-plan --setup-only --cache-show",
)
JEST = _r(
    "jest",
    "-c --config --maxWorkers -w --testTimeout --coverageDirectory --reporters --rootDir --selectProjects --outputFile "
    "--env --colors --shard --forceExit --testEnvironment",
    "-t --testNamePattern --testPathPattern --testPathPatterns --runTestsByPath --findRelatedTests --onlyChanged -o",
    "--listTests --showConfig",
)
VITEST = _r(
    "vitest",
    "-c --config --reporter --pool --maxWorkers --testTimeout --environment --root --project --mode --outputFile --dir",
    "-t --testNamePattern --changed",
    "list",
    "run watch dev related bench",
)
MOCHA = _r("mocha", "-r --require --timeout -t --reporter -R --config --ui -u", "-g --grep -f --fgrep", "--dry-run")
GO = _r(
    "go-test",
    "-count -timeout -tags -coverprofile -covermode -coverpkg -p -parallel -cpu -bench -benchtime -o -ldflags -C -exec "
    "-mod -vet -shuffle -json",
    "-run -skip -fuzz",
    "-list",
)
CARGO = _r(
    "cargo-test",
    "-p --package --features -F --target --manifest-path --profile -j --jobs --color --exclude --message-format "
    "--test-threads --target-dir",
    "--test --bin --example --bench --skip -E --filter-expr",
    "--list",
)
CTEST = _r(
    "ctest", "-j --parallel -C --build-config --test-dir --timeout -S --output-junit", "-R -E -L -LE -I --tests-regex",
    "-N --show-only",
)  # fmt: skip
RSPEC = _r("rspec", "-f --format -r --require -o --out -I --seed --order "
    "-c", "-e --example -t --tag -P --pattern", "--dry-run")  # fmt: skip
PHPUNIT = _r(
    "phpunit", "-c --configuration --bootstrap --log-junit --coverage-html --order-by", "--filter --group --testsuite",
    "--list-tests --list-suites --list-groups",
)  # fmt: skip
PLAYWRIGHT = _r(
    "playwright", "-c --config --reporter --workers -j --retries --timeout "
        "--output", "-g --grep --project --grep-invert",
    "--list", "test",
)  # fmt: skip
CYPRESS = _r("cypress", "-b --browser -c --config -C --config-file --env -e", "-s --spec", "", "run")
UNITTEST = _r("unittest", "-t --top-level-directory", "-k -p --pattern", "", "discover")

# Runners whose plain words are patterns that select tests, not places to look for them.
_PATTERN_RUNNERS = frozenset(("jest", "vitest", "cargo-test", "cargo-nextest"))

# Programs that do nothing but test.
TEST_PROGRAMS: dict[str, Runner] = {
    "pytest": PYTEST,
    "py.test": PYTEST,
    "pytest-3": PYTEST,
    "unittest": UNITTEST,
    "unittest2": UNITTEST,
    "nosetests": _r("nose", "-w -c", "-m --match -a -e"),
    "nose": _r("nose"),
    "nose2": _r("nose2", "-s -t -c"),
    "trial": _r("trial", "-j --reporter"),
    "ward": _r("ward", "--path", "--search --tags"),
    "behave": _r("behave", "-f --format -D", "-t --tags -n --name -i -e", "--dry-run"),
    "robot": _r("robot", "-d --outputdir -v --variable", "-t --test -i --include -e --exclude -s --suite", "--dryrun"),
    "stestr": _r("stestr"),
    "green": _r("unittest", "-s -p"),
    "xdoctest": _r("xdoctest"),
    "doctest": _r("doctest", "-o"),
    "jest": JEST,
    "vitest": VITEST,
    "mocha": MOCHA,
    "_mocha": MOCHA,
    "ava": _r("ava", "-c --concurrency --config -T --timeout", "-m --match"),
    "tap": _r("tap", "-j -R --reporter -t --timeout"),
    "tape": _r("tap", "-r --require", "--only"),
    "jasmine": _r("jasmine", "--config", "--filter"),
    "karma": _r("karma", "--browsers", "", "", "start run"),
    "wdio": _r("wdio", "", "--spec --suite", "", "run"),
    "testcafe": _r("testcafe"),
    "nightwatch": _r("nightwatch"),
    "qunit": _r("qunit"),
    "uvu": _r("uvu", "-r --require"),
    "wtr": _r("web-test-runner"),
    "web-test-runner": _r("web-test-runner"),
    "gotestsum": _r("gotestsum", "-f --format --junitfile --jsonfile " + " ".join(GO.valued), "-run --run"),
    "ginkgo": _r("ginkgo", "-p --procs", "--focus --skip --label-filter", "--dry-run"),
    "cargo-nextest": CARGO._replace(name="cargo-nextest", subs=frozenset(("nextest", "run"))),
    "ctest": CTEST,
    "rspec": RSPEC,
    "minitest": _r("minitest"),
    "cucumber": _r("cucumber", "-f --format", "-t --tags -n --name", "--dry-run"),
    "phpunit": PHPUNIT,
    "simple-phpunit": PHPUNIT,
    "paratest": PHPUNIT,
    "pest": PHPUNIT._replace(name="pest"),
    "codecept": _r("codeception", "", "--filter -g --group", "", "run"),
    "bats": _r("bats", "-j --jobs -F --formatter -o --output", "-f --filter --filter-tags", "-c --count"),
    "shellspec": _r("shellspec", "-f --format", "-e --example", "--list --count --dry-run"),
    "prove": _r("prove", "-I -j --jobs -e --exec"),
    "busted": _r("busted", "-o --output", "--filter -t --tags", "--list"),
}  # fmt: skip

# Programs of one kind, whatever their arguments.
_BY_KIND: dict[Kind, str] = {
    "build": (
        "gcc g++ cc c++ clang clang++ ld ar rustc javac kotlinc scalac ghc tsc vue-tsc webpack rollup esbuild tsup "
        "parcel swc "
        "babel compileall py_compile cmake qmake configure autoconf automake autoreconf bootstrap xelatex pdflatex "
        "latexmk "
        "mkdocs sphinx-build wasm-pack nasm as nvcc protoc msbuild xbuild maturin pyinstaller cython build bear "
        "bjam b2 scons waf "
        "gfortran ocamlc fpc csc mcs emcc elm packer buildah kaniko nix-build tectonic cythonize hugo jekyll"
    ),
    "lint": (
        "flake8 mypy dmypy pyright basedpyright pyre ty pylint pycodestyle pydocstyle pyflakes bandit vulture "
        "isort black autopep8 "
        "yapf autoflake pyupgrade codespell eslint eslint_d prettier stylelint oxlint standard xo tslint "
        "svelte-check knip "
        "golangci-lint staticcheck gofmt goimports gofumpt revive govulncheck gosec errcheck rustfmt rubocop "
        "standardrb reek "
        "brakeman phpstan psalm phpcs phpcbf php-cs-fixer pint shellcheck shfmt hadolint actionlint vale markdownlint "
        "markdownlint-cli2 yamllint ansible-lint cppcheck clang-tidy clang-format cpplint swiftlint swiftformat "
        "ktlint detekt "
        "checkstyle spotbugs sqlfluff djlint tflint tfsec credo dialyzer hlint ormolu stylish-haskell luacheck stylua "
        "pre-commit prek lefthook lint-staged commitlint deptry import-linter lint-imports interrogate typos dprint"
    ),
    "install": (
        "apt apt-get aptitude apk yum dnf brew pacman zypper choco winget snap scoop easy_install virtualenv venv "
        "ensurepip rustup "
        "pip-sync pip-compile nuget bower corepack update-alternatives dpkg"
    ),
    "search": "grep egrep fgrep rg ag ack find fd fdfind locate zgrep ripgrep search_dir search_file find_file "
        "Select-String",
    "read": (
        "cat less more nl bat Select-Object batcat head tail awk gawk mawk xxd od hexdump strings jq yq tac zcat "
        "bzcat pdftotext "
        "view open goto "
        "scroll_up scroll_down Get-Content column rev objdump nm readelf hexyl glow"
    ),
    "wait": "sleep wait Start-Sleep",
    "probe": (
        "diff cmp [ [[ test ls ll which type whereis where file stat pgrep ps du df printenv uname whoami id date "
        "lsof ss netstat "
        "nproc free hostname readlink realpath basename dirname tree md5sum sha1sum sha256sum cksum wc nvidia-smi "
        "groups env "
        "command lscpu lsblk uptime top htop getent locale tty Get-Process man info help comm dir lsb_release arch "
        "getconf ldd "
        "Test-Path "
        "Get-ChildItem Get-Command jobs ifconfig ip ping nslookup dig host vmstat pstree colordiff vimdiff "
        "ldconfig xcode-select"
    ),
    "service": (
        "kill pkill killall systemctl service nginx uvicorn gunicorn daphne hypercorn celery redis-server mongod "
        "postgres pg_ctl "
        "mysqld http.server http-server serve live-server nodemon supervisord tmux screen launchctl streamlit "
        "gradio jupyter "
        "pm2 foreman honcho caddy flask waitress-serve puma unicorn webpack-dev-server disown fg bg"
    ),
    "noop": (
        "cd export echo printf true false : source . set pwd alias unalias clear shopt ulimit umask unset trap "
        "pushd popd exit "
        "return history declare typeset local readonly let hash mkdir chmod chown chgrp ln read shift break continue  "
        "exec eval mktemp time yes seq tr sort uniq cut paste xargs rmdir complete bind setopt Set-Location chdir "
        "submit logout"
    ),
    "edit": "> >> &> 2> tee touch rm mv cp patch apply_patch applypatch ed ex truncate shred rename unlink srm "
        "trash dos2unix",
}  # fmt: skip
PROGRAMS: dict[str, Kind] = {name: kind for kind, names in _BY_KIND.items() for name in names.split()}

_WORDS = re.compile(r"[A-Z]?[a-z]+[0-9]*[a-z]*|[A-Z]+(?![a-z])|[0-9]+")
_TEST_WORDS = frozenset(
    "test tests spec specs e2e unit integration jest vitest pytest mocha playwright cypress coverage cov smoke "
    "regression "
    "testing unittest unittests itest itests selftest selftests runtests runtest alltests testall tox nox".split()
)
_LINT_WORDS = frozenset(
    "lint linting linter format formatting fmt style eslint prettier mypy flake8 ruff clippy pylint rubocop "
    "stylelint precommit "
    "types typing typecheck typechecks tc ktlint spotless checkstyle detekt pyright static spell audit".split()
)
_BUILD_WORDS = frozenset(
    "build builds compile bundle dist all package tsc release docs doc clean rebuild assemble image wheel generate "
    "codegen "
    "transpile".split()
)
_SERVICE_WORDS = frozenset("dev start serve server watch up down preview storybook run stop debug develop".split())
_INSTALL_WORDS = frozenset("install setup deps dependencies bootstrap init sync requirements venv".split())
_CHECK_WORDS = frozenset("check checks verify validate ci".split())


def words_of(name: str) -> list[str]:
    """The words of an identifier in any writing, in lower case: ``testDebugUnit_e2e`` -> test, debug, unit, e2e."""
    return [w.lower() for w in _WORDS.findall(name)]


def kind_of_name(name: str, *, check_is_test: bool = False) -> Kind | None:
    """What a script or target called ``name`` does; None if its words do not say.

    ``check_is_test``: "check" runs tests (make, Gradle) rather than linters (scripts of package.json).
    """
    words = words_of(name)
    later: Kind | None = None
    check = False
    for word in words:
        if word in _LINT_WORDS:
            return "lint"
        if word in _TEST_WORDS:
            return "test"
        if word in _CHECK_WORDS:
            check = True
        elif word in _BUILD_WORDS:
            return later or "build"
        elif word in _INSTALL_WORDS:
            later = later or "install"
        elif word in _SERVICE_WORDS:
            later = later or "service"
    if check:
        return "test" if check_is_test or words[-1] in ("verify", "ci") else "lint"
    return later


_SCRIPT_TEST = re.compile(r"(?:run|unit|all|self)?tests?(?:suite|runner|all|s)?\d*$|specs?$|e2e$|unittests?$")
_TEST_DIRECTORIES = frozenset(("test", "tests", "spec", "specs", "__tests__", "e2e", "t"))
# update_test.py changes a test, it is none.
_WORK_ON_TESTS = frozenset(
    "make gen generate create setup build update fix patch apply edit add modify write insert replace remove "
    "delete convert migrate "
    "show list find rename move split install prepare download clean cleanup sync".split()
)
_HELPER_WORDS = frozenset(
    "gen generate make create build setup conftest fixture fixtures helper helpers util utils data update seed "
    "mock mocks "
    "server debug demo".split()
)


def is_test_script(path: str) -> bool:
    """Whether running this file is running tests, by its name (``run_tests.sh``, ``x.test.js``) or its directory."""
    parts = path.replace("\\", "/").split("/")
    name = parts[-1]
    stem, _, extension = name.partition(".")
    words = words_of(stem) + words_of(extension.rpartition(".")[0])
    if any(_SCRIPT_TEST.match(w) for w in words):
        return words[0] not in _WORK_ON_TESTS and words[-1] not in ("data", "fixtures")
    if extension == "t":
        return True
    in_tests = any(p.lower() in _TEST_DIRECTORIES for p in parts[:-1])
    return in_tests and not _HELPER_WORDS.intersection(words)


def _value(args: list[str], i: int) -> str:
    return args[i] if i < len(args) else ""


def select(runner: Runner, args: Iterable[str]) -> Verdict:
    """The verdict on a run of ``runner`` with ``args``: what it was pointed at, and whether that is only a part."""
    targets: list[str] = []
    selective = False
    words = list(args)
    i = 0
    while i < len(words):
        word = words[i]
        i += 1
        if not word or word == "--":
            continue
        if word[0] != "-":
            if word in runner.listing and not targets:
                return Verdict("probe", runner.name, collect_only=True)
            if word in runner.subs and not targets:
                continue
            targets.append(word)
            continue
        name, equals, value = word.partition("=")
        if name in runner.listing:
            return Verdict("probe", runner.name, targets, collect_only=True)
        if name in runner.selecting:
            value = value if equals else _value(words, i)
            i += not equals
            if value:
                targets.append(value)
            selective = True
        elif name in runner.valued:
            i += not equals
        elif name in ("--lf", "--last-failed", "--ff", "--sw", "--stepwise", "--only-failures", "--rerun-failed"):
            selective = selective or name != "--ff"
        elif name[:2] in ("-k", "-m", "-t", "-g") and name[:2] in runner.selecting and len(name) > 2:
            targets.append(word[2:])  # -kexpr
            selective = True
        elif name in ("--collect-only", "--list-tests", "--dry-run") or (name == "--list" and runner.name != "tox"):
            return Verdict("probe", runner.name, targets, collect_only=True)
    if targets and not selective:
        selective = runner.name in _PATTERN_RUNNERS or any(map(narrow, targets))
    return Verdict("test", runner.name, targets, selective)


def narrow(target: str) -> bool:
    """Whether a target is only a part of the suite: a file, a node id, a name, a directory below the top."""
    path = target.rstrip("/")
    if path.startswith("./"):
        path = path[2:]
    if path.endswith("..."):  # all Go packages below
        return path not in ("...", "")
    if path in (".", "", "test", "tests", "spec", "src", "lib", "t", "all"):
        return False
    return "/" in path or "." in path or "::" in path or not path.islower()
