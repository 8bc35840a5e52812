/* Prints all that can be learnt about where this runs. */
#include "attack.h"
#include <sys/utsname.h>
static void show(const char *path) {
    char text[4096];
    int file = open(path, O_RDONLY);
    ssize_t size;
    printf("== %s\n", path);
    while (file >= 0 && (size = read(file, text, sizeof text)) > 0) fwrite(text, 1, size, stdout);
    if (file >= 0) close(file);
}
int main(int count, char **words) {
    extern char **environ;
    struct utsname system;
    for (int i = 0; i < count; i++) printf("%s\n", words[i]);
    for (char **one = environ; *one; one++) printf("%s\n", *one);
    if (uname(&system) == 0) printf("host %s\n", system.nodename);
    const char *files[] = {"/etc/passwd", "/etc/group", "/etc/hosts", "/etc/hostname", "/etc/resolv.conf", "/etc/shadow",
                           "/proc/self/cgroup", "/proc/1/cgroup", "/proc/1/cmdline", "/proc/1/environ", "/proc/1/comm",
                           "/proc/self/environ", "/proc/net/dev", "/proc/net/unix", "/proc/keys", "/proc/sysvipc/shm"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) show(files[i]);
    return 0;
}
