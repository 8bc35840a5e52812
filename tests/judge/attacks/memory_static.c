#include "attack.h"
static char block[256 << 20];
int main(void) {
    for (size_t i = 0; i < sizeof block; i += 4096) block[i] = 1;
    puts("touched");
    return block[12345];
}
