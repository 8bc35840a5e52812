/* Fills the disk, in the way that is named. */
#include "attack.h"
#include <sys/mman.h>
static char block[1 << 20];
static void fill(int file, long bytes) {
    for (long done = 0; done < bytes;) {
        long wrote = write(file, block, sizeof block);
        if (wrote <= 0) break;
        done += wrote;
    }
}
int main(int count, char **words) {
    const char *how = count > 1 ? words[1] : "big";
    char name[300];
    if (strcmp(how, "signal")) signal(SIGXFSZ, SIG_IGN);
    memset(block, 'a', sizeof block);
    if (!strcmp(how, "big") || !strcmp(how, "signal")) fill(open("/w/big", O_CREAT | O_WRONLY, 0666), 1L << 40);
    if (!strcmp(how, "tmp")) fill(open("/var/tmp/big", O_CREAT | O_WRONLY, 0666), 1L << 40);
    if (!strcmp(how, "sparse")) {
        int file = open("/w/sparse", O_CREAT | O_WRONLY, 0666);
        if (ftruncate(file, 1L << 40) == 0) REACHED("a file of a terabyte");
        for (long size = 1L << 40; size > 4096 && ftruncate(file, size); size /= 2) ;
        return 0;
    }
    if (!strcmp(how, "allocated")) {
        int file = open("/w/allocated", O_CREAT | O_WRONLY, 0666);
        for (long at = 0; fallocate(file, FALLOC_FL_KEEP_SIZE, at, 256 << 10) == 0; at += 256 << 10) ;
        return 0;
    }
    if (!strcmp(how, "many-big"))
        for (int i = 0; i < 100; i++) {
            snprintf(name, sizeof name, "/w/%d", i);
            fill(open(name, O_CREAT | O_WRONLY, 0666), 1 << 20);
        }
    if (!strcmp(how, "files"))
        for (int i = 0; i < 20000; i++) {
            snprintf(name, sizeof name, "/w/%d", i);
            close(open(name, O_CREAT | O_WRONLY, 0666));
        }
    if (!strcmp(how, "deep")) {
        memset(name, 'd', 200), name[200] = 0;
        if (chdir("/w")) return 5;
        for (int i = 0; i < 900 && mkdir(name, 0700) == 0 && chdir(name) == 0; i++) ;
        return 0;
    }
    if (!strcmp(how, "deleted") || !strcmp(how, "mapped"))
        for (int i = 0; i < 64; i++) {
            snprintf(name, sizeof name, "/w/%d", i);
            int file = open(name, O_CREAT | O_RDWR, 0666);
            unlink(name);
            fill(file, 1 << 20);
            if (!strcmp(how, "mapped")) {
                if (mmap(NULL, 1 << 20, PROT_READ, MAP_SHARED, file, 0) == MAP_FAILED) return 5;
                close(file);
            }
        }
    if (!strcmp(how, "names")) {
        /* Names that a careless caretaker stumbles over. */
        const char *odd[] = {"-rf", " ", "\n", "a\\b", "\xff\xfe", "..a", "$(id)", "*"};
        if (chdir("/w")) return 5;
        for (int i = 0; i < 8; i++) close(open(odd[i], O_CREAT | O_WRONLY, 0));
        if (mkdir("locked", 0700) || mkdir("locked/inner", 0700) || mkdir("locked/inner/more", 0700)) return 5;
        close(open("locked/inner/file", O_CREAT | O_WRONLY, 0));
        if (symlink("/", "root") || symlink("/etc/passwd", "passwd") || symlink("loop", "loop")) return 5;
        if (mkfifo("fifo", 0) || link("passwd", "hard")) return 5;
        if (chmod("locked/inner", 0) || chmod("locked", 0) || chmod("/w", 0) || chmod("/tmp", 0)) return 5;
        return 0;
    }
    puts("filled");
    fflush(stdout);
    for (;;) pause();
}
