"""The table of programs that run another program, and how to get past each."""

from __future__ import annotations

from typing import NamedTuple


class Wrapper(NamedTuple):
    """How to get past a wrapper: options with a value, positional words to skip, sub-commands that run programs."""

    valued: frozenset[str] = frozenset()
    skip: int = 0
    sub: dict[str, Wrapper] | None = None
    cwd: frozenset[str] = frozenset()
    remote: bool = False  # a container or another machine
    package: bool = False  # the program may be written with a version (ruff@latest)


def wrapper(valued: str = "", skip: int = 0, cwd: str = "", remote: bool = False, package: bool = False) -> Wrapper:
    directories = frozenset(cwd.split())
    return Wrapper(frozenset(valued.split()) | directories, skip, None, directories, remote, package)


def _subs(valued: str = "", cwd: str = "", **sub: Wrapper) -> Wrapper:
    directories = frozenset(cwd.split())
    return Wrapper(frozenset(valued.split()) | directories, 0, sub, directories)


_UV = (
    "--with --with-requirements --with-editable --extra --group --no-group --only-group --package -p --python "
    "--env-file --index --index-url --default-index --extra-index-url -i --cache-dir --config-file --color --link-mode "
    "--no-extra --refresh-package --upgrade-package -P --resolution --prerelease --exclude-newer -f --find-links "
    "--from --spec -w"
)
_UV_RUN = wrapper(_UV, cwd="--directory --project", package=True)
_DOCKER_EXEC = wrapper("-e --env -u --user --env-file --detach-keys --index", 1, cwd="-w --workdir", remote=True)
_DOCKER_RUN = wrapper(
    "-e --env -u --user --env-file -v --volume --name --network --net -p --publish --platform --entrypoint --mount "
    "-m --memory --cpus -h --hostname --add-host --label -l --gpus --shm-size --ulimit --tmpfs --cap-add --pull "
    "--security-opt --restart --log-driver --link --volumes-from --device --ipc --pid --dns --cidfile",
    1,
    cwd="-w --workdir",
    remote=True,
)
_COMPOSE = _subs(
    "-f --file -p --project-name --profile --env-file --ansi --parallel",
    exec=_DOCKER_EXEC,
    run=_DOCKER_RUN,
)
_DOCKER = _subs("-H --host -c --context -l --log-level --config", exec=_DOCKER_EXEC, run=_DOCKER_RUN, compose=_COMPOSE)
_KUBECTL_EXEC = wrapper("-c --container -n --namespace --context --kubeconfig", 1, remote=True)
_CONDA = _subs(run=wrapper("-n --name -p --prefix", cwd="--cwd"))
_MISE_EXEC = wrapper("-c --command -j --jobs -C --cd")
WRAPPERS: dict[str, Wrapper] = {
    "sudo": wrapper("-u --user -g --group -h --host -p --prompt -C -R -T -U -r -t", cwd="-D --chdir"),
    "doas": wrapper("-u -C"),
    "env": wrapper("-u --unset", cwd="-C --chdir"),
    "cross-env": wrapper(),
    "time": wrapper("-f --format -o --output"),
    "timeout": wrapper("-s --signal -k --kill-after", 1),
    "gtimeout": wrapper("-s --signal -k --kill-after", 1),
    "nice": wrapper("-n --adjustment"),
    "ionice": wrapper("-c -n --class --classdata"),
    "chrt": wrapper("", 1),
    "taskset": wrapper("", 1),
    "nohup": wrapper(),
    "setsid": wrapper(),
    "stdbuf": wrapper("-i -o -e --input --output --error"),
    "unbuffer": wrapper(),
    "chronic": wrapper(),
    "winpty": wrapper(),
    "xvfb-run": wrapper("-n --server-num -s --server-args -e --error-file -f --auth-file -w --wait -p "
        "--xauth-protocol"),
    "dbus-run-session": wrapper(),
    "exec": wrapper("-a"),
    "command": wrapper(),
    "builtin": wrapper(),
    "strace": wrapper("-o -e -p -s -P -E"),
    "valgrind": wrapper(),
    "flock": wrapper("-w --timeout -E", 1),
    "chroot": wrapper("", 1),
    "gosu": wrapper("", 1),
    "parallel": wrapper("-j --jobs -a --arg-file --delay --timeout --results --joblog -N -n -d -L -S"),
    "watchexec": wrapper("-e --exts -w --watch -i --ignore -d --debounce -f --filter -s --signal"),
    "entr": wrapper(),
    "systemd-run": wrapper("-p --property -u --unit -t --slice --uid --gid -E --setenv --working-directory"),
    "firejail": wrapper(),
    "faketime": wrapper("-f -m --exclude-monotonic", 1),
    "lima": wrapper(remote=True),
    "wsl": wrapper("-d --distribution -u --user", cwd="--cd"),
    "devcontainer": _subs(exec=wrapper("--workspace-folder --config --docker-path --container-id --id-label",
        remote=True)),
    "uv": _subs("--config-file --cache-dir -p --python", cwd="--directory --project", run=_UV_RUN, x=_UV_RUN),
    "uvx": wrapper(_UV, package=True),
    "pipx": _subs(run=wrapper("--spec --python --pip-args --index-url", package=True)),
    "poetry": _subs("-P", cwd="-C --directory --project", run=wrapper()),
    "pipenv": _subs("--python", run=wrapper()),
    "pdm": _subs("-c --config", cwd="-p --project", run=wrapper("-p --project --env-file", cwd="")),
    "rye": _subs(run=wrapper("-f --list")),
    "hatch": _subs("-e --env", run=wrapper("-e --env"), env=_subs(run=wrapper("-e --env"))),
    "pixi": _subs(run=wrapper("-e --environment --manifest-path")),
    "conda": _CONDA,
    "mamba": _CONDA,
    "micromamba": _CONDA,
    "npx": wrapper("-p --package -w --workspace", package=True),
    "bunx": wrapper("-p --package", package=True),
    "npm": _subs("-w --workspace --loglevel", cwd="--prefix -C", exec=wrapper("-p --package -w "
        "--workspace"), x=wrapper("-p")),
    "pnpm": _subs(
        "-F --filter", cwd="-C --dir", exec=wrapper("-F --filter"), dlx=wrapper("--package", package=True)
    ),
    "yarn": _subs("", cwd="--cwd", exec=wrapper(), dlx=wrapper("-p --package", package=True), node=wrapper()),
    "bun": _subs("", cwd="--cwd", x=wrapper("-p --package", package=True)),
    "bundle": _subs(exec=wrapper("--gemfile")),
    "rbenv": _subs(exec=wrapper()),
    "pyenv": _subs(exec=wrapper()),
    "asdf": _subs(exec=wrapper()),
    "nvm": _subs(exec=wrapper("", 1)),
    "fnm": _subs(exec=wrapper("--using")),
    "volta": _subs(run=wrapper("--node --npm --yarn")),
    "spring": wrapper(),
    "dotenv": wrapper("-e -f --file -c -v"),
    "dotenvx": _subs(run=wrapper("-f --env-file")),
    "doppler": _subs(run=wrapper("-p --project -c --config")),
    "infisical": _subs(run=wrapper("--env --path")),
    "op": _subs(run=wrapper("--env-file")),
    "direnv": _subs(exec=wrapper("", 1)),
    "mise": _subs("", cwd="-C --cd", exec=_MISE_EXEC, x=_MISE_EXEC),
    "rtx": _subs(exec=_MISE_EXEC, x=_MISE_EXEC),
    "docker": _DOCKER,
    "podman": _DOCKER,
    "nerdctl": _DOCKER,
    "docker-compose": _COMPOSE,
    "podman-compose": _COMPOSE,
    "kubectl": _subs("-n --namespace --context --kubeconfig", exec=_KUBECTL_EXEC),
    "oc": _subs("-n --namespace", exec=_KUBECTL_EXEC),
    "xargs": wrapper(
        "-I -i -n --max-args -P --max-procs -L --max-lines -d --delimiter -a --arg-file -s --max-chars -E --replace"
    ),
    "coverage": _subs("--rcfile", run=wrapper("--rcfile --source --omit --include --data-file --context "
        "--concurrency")),
}  # fmt: skip
# Tools that `yarn X`, `pnpm X` and `bun run X` find in node_modules/.bin; any other X is a script of package.json.
NODE_TOOLS = frozenset(
    "jest vitest mocha ava tap playwright cypress tsc eslint prettier biome webpack vite rollup esbuild tsup nx "
    "turbo lerna "
    "ts-node tsx c8 nyc karma wdio oxlint stylelint next nuxt astro svelte-check vue-tsc tsd xo standard".split()
)
SHELLS = frozenset(("bash", "sh", "zsh", "dash", "ksh", "ash", "fish"))
