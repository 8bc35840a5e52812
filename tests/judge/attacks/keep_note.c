/* Leaves what it can on the directories themselves, and prints what is there: a next run must find what the first did. */
#include "attack.h"
#include <sys/ioctl.h>
int main(void) {
    const char *places[] = {"/w", "/tmp"};
    for (int i = 0; i < 2; i++) {
        struct stat status;
        struct timespec times[2] = {{123456, 789}, {987654, 321}};
        int directory = open(places[i], O_RDONLY), note = 0x88, kept = -1;
        stat(places[i], &status);
        printf("%o %lld.%ld", (unsigned)status.st_mode, (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
        ioctl(directory, 0x80087601, &kept); /* the version, as lsattr -v shows it */
        printf(" %d\n", kept);
        ioctl(directory, 0x40087602, &note);
        ioctl(directory, 0x40086602, &note); /* flags, as chattr sets them */
        utimensat(AT_FDCWD, places[i], times, 0);
        chmod(places[i], 0750);
    }
    return 0;
}
