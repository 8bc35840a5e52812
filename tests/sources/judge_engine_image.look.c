
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
