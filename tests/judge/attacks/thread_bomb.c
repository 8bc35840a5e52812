#include "attack.h"
#include <pthread.h>
static void *wait_for_ever(void *nothing) {
    for (;;) pause();
    return nothing;
}
int main(void) {
    pthread_attr_t small;
    long made = 0;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    for (pthread_t thread; made < 100000 && pthread_create(&thread, &small, wait_for_ever, NULL) == 0;) made++;
    printf("%ld\n", made);
    fflush(stdout);
    _exit(0);
}
