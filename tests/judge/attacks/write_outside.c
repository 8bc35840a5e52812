#include "attack.h"
#include <sys/mount.h>
int main(int count, char **words) {
    const char *places[] = {"/", "/usr", "/usr/local", "/usr/lib", "/bin", "/lib", "/etc", "/dev", "/dev/shm", "/run",
                            "/run/judge", "/code", "/var", "/proc", "/proc/sys/kernel", "/sys", "/home", "/root"};
    const char *files[] = {"/etc/passwd", "/etc/ld.so.preload", "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger",
                           "/proc/sys/kernel/hostname", "/proc/sys/vm/drop_caches", "/usr/bin/env", "/proc/1/oom_score_adj",
                           "/proc/1/comm", "/proc/1/clear_refs", "/proc/1/mem", "/code/artefact"};
    char path[4096];
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%s/rigor-attack", places[i]);
        TRY(open(path, O_CREAT | O_WRONLY, 0666));
        TRY(mkdir(path, 0777));
        TRY(symlink("/etc/passwd", path));
        TRY(mkfifo(path, 0666));
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (open(files[i], O_WRONLY) >= 0) REACHED("%s", files[i]);
        if (open(files[i], O_WRONLY | O_CREAT | O_APPEND, 0666) >= 0) REACHED("%s, to append", files[i]);
        if (chmod(files[i], 0644) == 0) REACHED("%s, its mode", files[i]);
        if (unlink(files[i]) == 0) REACHED("%s, to remove", files[i]);
    }
    for (int i = 1; i < count; i++) {
        TRY(open(words[i], O_WRONLY | O_CREAT, 0666));
        TRY(link(words[i], "/w/linked"));
        TRY(rename(words[i], "/w/renamed"));
    }
    TRY(mount("none", "/w", "tmpfs", 0, ""));
    TRY(umount2("/usr", MNT_DETACH));
    TRY(mount("", "/", NULL, MS_REMOUNT | MS_BIND, NULL));
    puts("tried");
    return 0;
}
