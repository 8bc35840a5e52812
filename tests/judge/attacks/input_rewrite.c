/* Standard input is the test's data: write to it, cut it, open it again for writing, remove it. */
#include "attack.h"
#include <sys/mman.h>
int main(void) {
    char path[4096] = "";
    TRY(write(0, "x", 1));
    TRY(pwrite(0, "x", 1, 0));
    TRY(ftruncate(0, 0));
    TRY(fallocate(0, 0, 0, 1 << 20));
    fchmod(0, 0777);
    int flags[] = {O_WRONLY, O_RDWR, O_RDWR | O_TRUNC, O_WRONLY | O_APPEND};
    const char *names[] = {"/proc/self/fd/0", "/dev/stdin", "/dev/fd/0", "/proc/thread-self/fd/0"};
    for (size_t n = 0; n < 4; n++)
        for (size_t f = 0; f < 4; f++) {
            int file = open(names[n], flags[f]);
            if (file >= 0) {
                TRY(write(file, "x", 1));
                TRY(ftruncate(file, 0));
                char *map = mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, file, 0);
                if (map != MAP_FAILED) REACHED("mapped for writing");
                close(file);
            }
        }
    if (readlink("/proc/self/fd/0", path, sizeof path - 1) > 0) {
        TRY(unlink(path));
        printf("name %s\n", path);
    }
    TRY(unlink("/proc/self/fd/0"));
    char *map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 0, 0);
    if (map != MAP_FAILED) REACHED("mapped");
    puts("tried");
    return 0;
}
