/* No process is over the limit; eight together are. */
#include "attack.h"
int main(void) {
    int ready[2];
    char byte;
    if (pipe(ready)) return 2;
    for (int i = 0; i < 8; i++)
        if (fork() == 0) {
            volatile char *block = malloc(12 << 20);
            for (int at = 0; at < 12 << 20; at += 4096) block[at] = 1;
            if (write(ready[1], "x", 1) != 1) return 2;
            pause();
        }
    for (int i = 0; i < 8; i++)
        if (read(ready[0], &byte, 1) != 1) return 2;
    puts("all eight");
    return 0;
}
