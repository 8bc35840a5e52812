/* Leaves what the next run could find: IPC objects, files, attributes, keys, terminals, settings of the directories. */
#include "attack.h"
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/xattr.h>
#include <sys/mman.h>
int main(void) {
    TRY(shmget(4711, 4096, IPC_CREAT | 0666));
    TRY(msgget(4711, IPC_CREAT | 0666));
    TRY(semget(4711, 1, IPC_CREAT | 0666));
    TRY(mq_open("/left", O_CREAT | O_RDWR, 0666, NULL));
    TRY(shm_open("/left", O_CREAT | O_RDWR, 0666));
    TRY(setxattr("/w", "user.left", "x", 1, 0));
    TRY(setxattr("/tmp", "user.left", "x", 1, 0));
    const char *places[] = {"/w/left", "/tmp/left", "/var/tmp/left", "/w/.left"};
    for (int i = 0; i < 4; i++) close(open(places[i], O_CREAT | O_WRONLY, 0666));
    umask(0);
    chmod("/w", 0777), chmod("/tmp", 01777);
    prctl(PR_SET_DUMPABLE, 0);
    puts("left");
    return 0;
}
