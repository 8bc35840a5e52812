/* Leaves by two forks and a session of its own; the first process ends at once, the last goes on for ever. */
#include "attack.h"
int main(void) {
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            signal(SIGTERM, SIG_IGN);
            signal(SIGHUP, SIG_IGN);
            close(0), close(1), close(2);
            for (;;) {
                int file = open("/w/survivor", O_CREAT | O_WRONLY | O_APPEND, 0600);
                if (write(file, "x", 1) < 0) sched_yield();
                close(file);
                usleep(1000);
            }
        }
        _exit(0);
    }
    wait(NULL);
    puts("left");
    return 0;
}
