/* Standard output without end; by other routes than write(1) with an argument: through a child, or a new opening. */
#include "attack.h"
int main(int count, char **words) {
    static char block[65536];
    int file = 1;
    memset(block, 'a', sizeof block);
    if (count > 1 && !strcmp(words[1], "stderr")) file = 2;
    if (count > 1 && !strcmp(words[1], "child") && fork()) for (;;) pause();
    if (count > 1 && !strcmp(words[1], "reopen")) file = open("/dev/stdout", O_WRONLY);
    for (;;)
        if (write(file, block, sizeof block) < 0) return 3;
}
