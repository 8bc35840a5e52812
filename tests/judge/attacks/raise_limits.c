#include "attack.h"
#include <sys/resource.h>
int main(void) {
    for (int which = 0; which < RLIM_NLIMITS; which++) {
        struct rlimit now;
        if (getrlimit(which, &now)) continue;
        struct rlimit more = {RLIM_INFINITY, RLIM_INFINITY};
        if (now.rlim_max != RLIM_INFINITY && setrlimit(which, &more) == 0) REACHED("limit %d", which);
    }
    FILE *adjust = fopen("/proc/self/oom_score_adj", "w");
    if (adjust && fprintf(adjust, "-1000") > 0 && fflush(adjust) == 0) REACHED("oom_score_adj");
    errno = 0;
    if (nice(-10) != -1 || !errno) REACHED("priority");
    puts("tried");
    return 0;
}
