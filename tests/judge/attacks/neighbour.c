/* Two of these run at once in two cells, one told to listen and one to look for the other. */
#include "attack.h"
#include <dirent.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
int main(int count, char **words) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    strcpy(name.sun_path + 1, "rigor-judge-neighbour");
    socklen_t size = offsetof(struct sockaddr_un, sun_path) + 22;
    int file = socket(AF_UNIX, SOCK_STREAM, 0);
    if (count > 1 && !strcmp(words[1], "listen")) {
        if (bind(file, (void *)&name, size) || listen(file, 5)) return 4;
        close(open("/w/neighbour-was-here", O_CREAT | O_WRONLY, 0666));
        close(open("/tmp/neighbour-was-here", O_CREAT | O_WRONLY, 0666));
        puts("listening");
        fflush(stdout);
        for (;;) pause();
    }
    TRY(connect(file, (void *)&name, size));
    TRY(access("/w/neighbour-was-here", F_OK));
    TRY(access("/tmp/neighbour-was-here", F_OK));
    DIR *all = opendir("/proc");
    for (struct dirent *one; all && (one = readdir(all));)
        if (atoi(one->d_name) > 1 && atoi(one->d_name) != getpid()) REACHED("process %s", one->d_name);
    for (int pid = 2; pid < 33000; pid++)
        if (pid != getpid() && kill(pid, 9) == 0) REACHED("killed %d", pid);
    TRY(kill(-1, 9));
    puts("tried");
    return 0;
}
