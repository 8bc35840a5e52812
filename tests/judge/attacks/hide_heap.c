/* Files in memory hide what a program holds: more than it may, for a few hundredths of a second. */
#include "attack.h"
#include <sys/mman.h>
int main(void) {
    static char piece[1 << 20];
    size_t files = 60 << 20, heap = 110 << 20;
    int file = open("/tmp/f", O_RDWR | O_CREAT, 0600);
    memset(piece, 1, sizeof piece);
    for (int i = 0; i < 60; i++) if (write(file, piece, sizeof piece) < 0) return 1;
    volatile char sum = 0;
    char *seen = mmap(NULL, files, PROT_READ, MAP_SHARED, file, 0);
    for (size_t at = 0; at < files; at += 4096) sum += seen[at];
    usleep(300000);
    munmap(seen, files);
    char *held = mmap(NULL, heap, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(held, 2, heap);
    munmap(held, heap);
    return 0;
}
