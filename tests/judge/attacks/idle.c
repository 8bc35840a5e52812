#include "attack.h"
#include <sys/select.h>
int main(int count, char **words) {
    const char *how = count > 1 ? words[1] : "pause";
    if (!strcmp(how, "sleep")) sleep(1000000);
    if (!strcmp(how, "stop")) raise(SIGSTOP);
    if (!strcmp(how, "stop-parent")) kill(getppid(), SIGSTOP), kill(0, SIGSTOP);
    if (!strcmp(how, "select")) select(0, NULL, NULL, NULL, NULL);
    if (!strcmp(how, "read")) {
        int ends[2];
        char byte;
        if (pipe(ends) == 0 && read(ends[0], &byte, 1)) return 1;
    }
    if (!strcmp(how, "stopped-child")) {
        int child = fork();
        if (child == 0) for (;;) raise(SIGSTOP);
        waitpid(child, NULL, 0);
    }
    if (!strcmp(how, "vfork")) if (vfork() == 0) for (;;) pause();
    for (;;) pause();
}
