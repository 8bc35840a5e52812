/* Arguments: a TCP and UDP port and an abstract and a named socket that somebody outside listens at. */
#include "attack.h"
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
static void reach(const char *host, int port, int kind) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
    inet_pton(AF_INET, host, &to.sin_addr);
    int file = socket(AF_INET, kind, 0);
    if (file >= 0) REACHED("a socket for %s", host);
    if (file >= 0 && connect(file, (void *)&to, sizeof to) == 0 && send(file, "x", 1, MSG_NOSIGNAL) == 1)
        REACHED("%s port %d kind %d", host, port, kind);
    close(file);
}
int main(int count, char **words) {
    int port = count > 1 ? atoi(words[1]) : 80;
    const char *hosts[] = {"127.0.0.1", "8.8.8.8", "169.254.169.254", "10.0.0.1", "255.255.255.255"};
    for (int i = 0; i < 5; i++) {
        reach(hosts[i], port, SOCK_STREAM);
        if (i) reach(hosts[i], 53, SOCK_DGRAM);
        else reach(hosts[i], port, SOCK_DGRAM);
    }
    for (int i = 2; i < count && i < 4; i++) {
        struct sockaddr_un to = {.sun_family = AF_UNIX};
        strncpy(to.sun_path + (i == 2), words[i], sizeof to.sun_path - 2);
        int file = socket(AF_UNIX, SOCK_STREAM, 0);
        TRY(connect(file, (void *)&to, offsetof(struct sockaddr_un, sun_path) + strlen(words[i]) + (i == 2)));
    }
    TRY(socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
    TRY(socket(AF_PACKET, SOCK_RAW, 0));
    TRY(socket(AF_NETLINK, SOCK_RAW, 0));
    TRY(socket(AF_INET6, SOCK_STREAM, 0));
    struct ifaddrs *all = NULL;
    if (getifaddrs(&all) == 0)
        for (struct ifaddrs *one = all; one; one = one->ifa_next)
            if (strcmp(one->ifa_name, "lo")) REACHED("interface %s", one->ifa_name);
    puts("tried");
    return 0;
}
