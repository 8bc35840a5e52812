/* The supervisor, process 1: look into it, change it, signal it. */
#include "attack.h"
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/uio.h>
int main(void) {
    const char *files[] = {"environ", "mem", "maps", "auxv", "fd/0", "fd/3", "io", "stack", "syscall", "pagemap"};
    char path[100], byte;
    for (int i = 0; i < 10; i++) {
        snprintf(path, sizeof path, "/proc/1/%s", files[i]);
        int file = open(path, O_RDONLY);
        if (file >= 0 && read(file, &byte, 1) > 0) REACHED("%s", path);
        if (file >= 0) close(file);
    }
    TRY(readlink("/proc/1/exe", path, 1));
    TRY(readlink("/proc/1/cwd", path, 1));
    for (int fd = 0; fd < 20; fd++) {
        snprintf(path, sizeof path, "/proc/1/fd/%d", fd);
        TRY(readlink(path, path, sizeof path));
    }
    TRY(ptrace(PTRACE_ATTACH, 1, 0, 0));
    TRY(ptrace(PTRACE_SEIZE, 1, 0, 0));
    struct iovec piece = {path, 1}, there = {(void *)0x400000, 1};
    TRY(process_vm_readv(1, &piece, 1, &there, 1, 0));
    TRY(process_vm_writev(1, &piece, 1, &there, 1, 0));
    struct rlimit none = {0, 0};
    TRY(prlimit(1, RLIMIT_NOFILE, &none, NULL));
    TRY(prlimit(1, RLIMIT_CPU, &none, NULL));
    TRY(prlimit(1, RLIMIT_DATA, &none, NULL));
    TRY(setpriority(PRIO_PROCESS, 1, 19));
    TRY(setpriority(PRIO_USER, 0, 19));
    struct sched_param zero = {0};
    TRY(sched_setscheduler(1, SCHED_IDLE, &zero));
    TRY(syscall(SYS_ioprio_set, 1, 1, 3 << 13));
    cpu_set_t last;
    memset(&last, 0xff, sizeof last);
    TRY(sched_setaffinity(1, sizeof last, &last));
    TRY(sched_setaffinity(0, sizeof last, &last));
    int handle = syscall(SYS_pidfd_open, 1, 0);
    if (handle >= 0)
        for (int fd = 0; fd < 20; fd++) TRY(syscall(SYS_pidfd_getfd, handle, fd, 0));
    for (int number = 1; number < 65; number++) kill(1, number);
    for (int number = 1; number < 65; number++) syscall(SYS_tgkill, 1, 1, number);
    if (handle >= 0) syscall(SYS_pidfd_send_signal, handle, 9, NULL, 0);
    puts("tried");
    return 0;
}
