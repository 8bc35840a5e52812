/* Not an attack: says what is not as the first program of a cell finds it, or "clean". */
#include "attack.h"
#include <dirent.h>
#include <sys/resource.h>
static int wrong;
#define EXPECT(condition) do { if (!(condition)) { printf("not so: %s\n", #condition); wrong = 1; } } while (0)
static int entries(const char *path) {
    DIR *all = opendir(path);
    int found = 0;
    for (struct dirent *one; all && (one = readdir(all));) {
        if (!strcmp(path, "/proc") ? atoi(one->d_name) > 0 : strcmp(one->d_name, ".") && strcmp(one->d_name, "..")) found++;
    }
    if (all) closedir(all);
    return all ? found : -1;
}
static int lines(const char *path) {
    FILE *file = fopen(path, "r");
    int found = 0;
    for (int c; file && (c = getc(file)) != EOF;) found += c == '\n';
    if (file) fclose(file);
    return found;
}
int main(void) {
    char here[100];
    struct stat status;
    sigset_t blocked;
    struct rlimit files;
    EXPECT(entries("/w") == 0);
    EXPECT(entries("/tmp") == 0);
    EXPECT(entries("/proc") == 2);
    EXPECT(entries("/proc/1") == 0);
    EXPECT(getenv("NUMBERS") == NULL || getpid() == 2);
    EXPECT(lines("/proc/sysvipc/shm") <= 1);
    EXPECT(lines("/proc/sysvipc/msg") <= 1);
    EXPECT(lines("/proc/sysvipc/sem") <= 1);
    EXPECT(getcwd(here, sizeof here) && !strcmp(here, "/w"));
    EXPECT(umask(0) == 022);
    EXPECT(stat("/w", &status) == 0 && (status.st_mode & 07777) == 0700);
    EXPECT(stat("/tmp", &status) == 0 && (status.st_mode & 07777) == 0700);
    EXPECT(sigprocmask(SIG_BLOCK, NULL, &blocked) == 0);
    for (int number = 1; number < 65; number++) {
        struct sigaction action;
        if (sigaction(number, NULL, &action) == 0) EXPECT(action.sa_handler == SIG_DFL);
        if (number != 32 && number != 33) EXPECT(sigismember(&blocked, number) != 1);
    }
    EXPECT(getpriority(PRIO_PROCESS, 0) == 0);
    EXPECT(sched_getscheduler(0) == SCHED_OTHER);
    EXPECT(getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur == 1024);
    EXPECT(getuid() != 0 && getuid() == geteuid() && getgid() == getegid());
    EXPECT(getgroups(0, NULL) <= 1);
    for (int fd = 3; fd < 1024; fd++) EXPECT(fcntl(fd, F_GETFD) == -1);
    EXPECT(getc(stdin) == 'i' && getc(stdin) == 'n' && getc(stdin) == EOF);
    if (!wrong) puts("clean");
    return wrong;
}
