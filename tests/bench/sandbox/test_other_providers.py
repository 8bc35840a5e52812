"""``--sandbox podman`` goes to the provider of the package inspect-podman: one command in it, from a local image."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from sources import text_file

IMAGE = "localhost/rigor-test:1"
COMPOSE = f"""
services:
  default:
    image: {IMAGE}
    command: sleep 3600
    network_mode: none
"""
# What podman may do differs between machines: no limit above our own, and the runtime that copes with most kernels.
SETTINGS = """
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[engine]
cgroup_manager = "cgroupfs"
"""
EVAL = text_file("other_providers.eval.txt")


@pytest.mark.slow(reason="an evaluation with a container engine: about 20 s")
def test_podman_through_inspects_provider(tmp_path: Path) -> None:
    busybox = shutil.which("busybox")
    scripts = Path(sys.executable).parent
    missing = [name for name in ("inspect_ai", "inspect_podman") if importlib.util.find_spec(name) is None]
    missing += [name for name in ("podman", "busybox") if shutil.which(name) is None]
    if missing or busybox is None:
        pytest.skip(f"not installed: {', '.join(missing)}")
    (tmp_path / "containers.conf").write_text(SETTINGS + ('runtime = "runc"\n' if shutil.which("runc") else ""))
    (tmp_path / "compose.yaml").write_text(COMPOSE)
    environment = {**os.environ, "CONTAINERS_CONF": str(tmp_path / "containers.conf"), "HOME": str(tmp_path)}
    environment["PATH"] = f"{scripts}:{environment['PATH']}"
    with tarfile.open(tmp_path / "image.tar", "w") as image:
        image.add(busybox, "bin/busybox")
        for name in ("sh", "sleep", "ls", "cat"):
            link = tarfile.TarInfo(f"bin/{name}")
            link.type, link.linkname = tarfile.SYMTYPE, "busybox"
            image.addfile(link)
    made = subprocess.run(
        ["podman", "import", str(tmp_path / "image.tar"), IMAGE], env=environment, capture_output=True, check=False
    )
    first = ["podman", "run", "--rm", "--network", "none", IMAGE, "sh", "-c", "exit 0"]
    tried = subprocess.run(first, env=environment, capture_output=True, timeout=120, check=False)
    if made.returncode or tried.returncode:
        pytest.skip(f"podman does not work on this machine: {(made.stderr + tried.stderr).decode()[-300:]}")
    command = [sys.executable, "-c", EVAL, str(tmp_path / "compose.yaml"), str(tmp_path / "logs")]
    done = subprocess.run(command, env=environment, capture_output=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert json.loads(done.stdout.splitlines()[-1]) == ["success", [3, "in podman\n"]]
