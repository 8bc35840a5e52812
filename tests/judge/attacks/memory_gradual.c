#include "attack.h"
int main(void) {
    for (;;) {
        volatile char *block = malloc(64 << 10);
        if (!block) return 9;
        for (int at = 0; at < 64 << 10; at += 4096) block[at] = 1;
    }
}
