"""What a submission's program finds of this machine: an image of its language, and no file that others may open."""

from __future__ import annotations

import os
import re
import shutil

import pytest
from judge_engine_builders import Bench

from rigorbench.judge.engine import Judge

pytestmark = pytest.mark.bwrap

LOOK = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
int main(void) {
  struct stat s;
  char page[4096];
  struct iovec all = {page, sizeof page};
  const char *shared[] = {"/usr/lib", "/usr/lib/x86_64-linux-gnu/libc.so.6", "/dev/null", "/dev/zero", "/code/main"};
  for (int n = 0; n < 5; n++)
    if (stat(shared[n], &s) == 0) fprintf(stderr, "inode %lu:%lu\n", (long)s.st_dev, (long)s.st_ino);
  const char *absent[] = {"/usr/bin/python3", "/usr/bin/gcc", "/usr/bin/bc",
                          "/bin/sh", "/usr/share", "/run/judge/host/usr"};
  for (int n = 0; n < 6; n++) if (access(absent[n], F_OK) == 0) fprintf(stderr, "found %s\n", absent[n]);
  if (dlopen("libgmp.so.10", RTLD_NOW) || dlopen("libsqlite3.so.0", RTLD_NOW)) fprintf(stderr, "found a library\n");
  int file = open("/code/main", O_RDONLY);
  if (preadv2(file, &all, 1, 0, 8) > 0) fprintf(stderr, "found what is in memory\n");
  fprintf(stderr, "fadvise %d\n", posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED));
  return 1;
}
"""


def test_a_c_program_finds_a_c_library_and_nothing_that_another_process_can_open(judge_bench: Bench) -> None:
    if os.geteuid() != 0 or shutil.which("gcc") is None:
        pytest.skip("device files of its own need root; and gcc")
    problem = judge_bench.problem([("\n", "\n")] * 2)
    submission = judge_bench.submit(LOOK, name="main.c", language="c")
    with Judge() as judge:
        points = [point for group in judge.judge(problem, submission).groups for point in group.points]
    seen = points[0].details
    assert "found" not in seen
    assert "fadvise 0" in seen
    inodes = {tuple(map(int, pair)) for pair in re.findall(r"inode (\d+):(\d+)", seen)}
    assert len(inodes) == 5
    host = [os.stat(path) for path in ("/usr/lib", "/dev/null", "/dev/zero", *_libraries())]
    assert inodes.isdisjoint((one.st_dev, one.st_ino) for one in host)


def _libraries() -> list[str]:
    return [path for path in ("/lib/x86_64-linux-gnu/libc.so.6", "/lib64/libc.so.6") if os.path.exists(path)]
