
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void *volatile kept;
int main(void) {
    kept = malloc(40);
    %s
    puts("3");
    fflush(stdout);
    %s
    return 0;
}
