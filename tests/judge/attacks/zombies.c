/* Children that nobody buries, and orphans by the hundred. */
#include "attack.h"
#include <sys/prctl.h>
int main(int count, char **words) {
    long made = 0;
    if (count > 1 && !strcmp(words[1], "orphans"))
        for (; made < 300; made++) {
            if (fork() == 0) {
                if (fork() == 0) usleep(1000);
                _exit(0);
            }
            wait(NULL);
        }
    else {
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        prctl(PR_SET_PDEATHSIG, 0);
        for (int child; made < 100000 && (child = fork()) >= 0; made++)
            if (child == 0) _exit(0);
    }
    printf("%ld\n", made);
    return 0;
}
