/* The main process waits idly while an orphan in another session burns the processor for it. */
#include "attack.h"
int main(void) {
    if (fork() == 0) {
        setsid();
        if (fork() == 0) for (;;) ;
        _exit(0);
    }
    wait(NULL);
    for (;;) pause();
}
