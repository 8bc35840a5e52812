/* Tries to read each file that is named on the command line, by every way round. */
#include "attack.h"
int main(int count, char **words) {
    const char *roots[] = {"", "/proc/1/root", "/proc/self/root", "/proc/self/cwd/../../..", "/w/../../../../..",
                           "/proc/1/cwd", "/oldroot", "/newroot", "/code/../..", "/dev/fd/3/../../../.."};
    char path[8192], byte;
    for (int i = 1; i < count; i++)
        for (size_t r = 0; r < sizeof roots / sizeof *roots; r++) {
            snprintf(path, sizeof path, "%s%s", roots[r], words[i]);
            int file = open(path, O_RDONLY);
            if (file >= 0 && read(file, &byte, 1) >= 0) REACHED("%s", path);
            if (file >= 0) close(file);
        }
    puts("tried");
    return 0;
}
