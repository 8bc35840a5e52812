/* Out of the root directory, into other namespaces, up to other rights. */
#include "attack.h"
#include <sys/sysmacros.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
int main(void) {
    mkdir("/w/jail", 0777);
    TRY(chroot("/w/jail"));
    TRY(chroot("."));
    int kinds[] = {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP};
    for (int i = 0; i < 7; i++) {
        TRY(unshare(kinds[i]));
        TRY(unshare(CLONE_NEWUSER | kinds[i]));
        long child = syscall(SYS_clone, kinds[i] | SIGCHLD, 0, 0, 0, 0);
        if (child == 0) _exit(0);
        if (child > 0) REACHED("a namespace by clone");
    }
    const char *places[] = {"mnt", "pid", "net", "user", "ipc", "uts", "cgroup"};
    char path[100];
    for (int i = 0; i < 7; i++) {
        snprintf(path, sizeof path, "/proc/1/ns/%s", places[i]);
        int file = open(path, O_RDONLY);
        if (file >= 0) TRY(setns(file, 0));
    }
    TRY(setuid(0));
    TRY(setgid(0));
    TRY(setresuid(0, 0, 0));
    TRY(setgroups(0, NULL));
    TRY(syscall(SYS_pivot_root, "/w", "/w"));
    TRY(mount("proc", "/w", "proc", 0, NULL));
    TRY(syscall(SYS_open_tree, -100, "/", 1));
    TRY(syscall(SYS_bpf, 0, NULL, 0));
    TRY(syscall(SYS_perf_event_open, NULL, 0, 0, -1, 0));
    TRY(syscall(SYS_userfaultfd, 0));
    TRY(syscall(SYS_io_uring_setup, 4, NULL));
    TRY(syscall(SYS_keyctl, 0, -3, 1));
    TRY(syscall(SYS_add_key, "user", "x", "y", 1, -4));
    TRY(mknod("/w/device", S_IFBLK | 0666, makedev(254, 0)));
    TRY(mknod("/w/device", S_IFCHR | 0666, makedev(1, 1)));
    TRY(chown("/w/jail", 0, 0));
    TRY(sethostname("x", 1));
    TRY(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, 21, 0, 0));
    puts("tried");
    return 0;
}
