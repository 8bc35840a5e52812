/* Memory that belongs to no process's data: files in memory, pipes' buffers, sockets' queues; and other stocks. */
#include "attack.h"
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/socket.h>
int main(int count, char **words) {
    const char *how = count > 1 ? words[1] : "memfd";
    static char block[1 << 20];
    long made = 0;
    if (!strcmp(how, "memfd"))
        for (; made < 900; made++) {
            int file = memfd_create("x", 0);
            if (file < 0 || write(file, block, sizeof block) != sizeof block) break;
        }
    if (!strcmp(how, "pipes"))
        for (int ends[2]; made < 400 && pipe(ends) == 0; made++) {
            fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
            fcntl(ends[1], F_SETFL, O_NONBLOCK);
            while (write(ends[1], block, sizeof block) > 0) ;
        }
    if (!strcmp(how, "sockets"))
        for (int ends[2]; made < 400 && socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0; made++) {
            fcntl(ends[1], F_SETFL, O_NONBLOCK);
            while (write(ends[1], block, sizeof block) > 0) ;
        }
    if (!strcmp(how, "inotify"))
        for (; made < 5000 && inotify_init() >= 0; made++) ;
    if (!strcmp(how, "files"))
        for (; made < 100000 && dup(0) >= 0; made++) ;
    printf("%ld\n", made);
    return 0;
}
