/* What the attack programs share. A line "REACHED ..." on standard output says that something forbidden worked. */
#ifndef ATTACK_H
#define ATTACK_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define REACHED(...) (printf("REACHED "), printf(__VA_ARGS__), printf("\n"), fflush(stdout))
#define TRY(call) do { errno = 0; if ((long)(call) != -1) REACHED("%s", #call); } while (0)
#endif
