#include "attack.h"
int main(void) {
    volatile char *block = malloc(256 << 20);
    for (size_t i = 0; i < 256 << 20; i += 4096) block[i] = 1;
    printf("touched %d\n", block[12345]);
    return 0;
}
