/* Makes the supervisor its tracer, so that it is told of every stop and must let it go on. */
#include "attack.h"
#include <sys/ptrace.h>
int main(int count, char **words) {
    if (count > 1 && fork() == 0) {
        if (fork() == 0) {
            while (getppid() != 1) usleep(100);
            ptrace(PTRACE_TRACEME, 0, 0, 0);
            raise(SIGUSR1);
            for (;;) raise(SIGSTOP);
        }
        _exit(0);
    }
    if (count == 1) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        raise(SIGUSR1);
        raise(SIGSTOP);
    }
    wait(NULL);
    usleep(20000);
    puts("went on");
    return 0;
}
