/* Writes what the supervisor would say, and fake verdicts, to every descriptor there may be. */
#include "attack.h"
#include <sys/socket.h>
int main(void) {
    const char *texts[] = {"done 0 0.000001 0.000001 1\n", "failed broken 0\n", "accepted\n", "{\"verdict\": \"accepted\"}\n"};
    for (int fd = 3; fd < 4096; fd++)
        for (int i = 0; i < 4; i++) {
            if (write(fd, texts[i], strlen(texts[i])) > 0) REACHED("wrote to %d", fd);
            if (send(fd, texts[i], strlen(texts[i]), MSG_DONTWAIT) > 0) REACHED("sent to %d", fd);
        }
    for (int i = 0; i < 4; i++) {
        fputs(texts[i], stdout);
        fputs(texts[i], stderr);
    }
    return 7;
}
