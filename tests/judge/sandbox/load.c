/* Known loads to be measured: "cpu SECONDS", "memory MIB", "processes N SECONDS MIB", "threads N SECONDS MIB". */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static double seconds;
static long mebibytes;
static void *load(void *unused) {
    struct timespec now;
    volatile char *block = malloc(mebibytes << 20);
    for (long at = 0; at < mebibytes << 20; at += 4096) block[at] = 1;
    volatile double x = 1;
    do {
        for (int i = 0; i < 100000; i++) x = x * 1.0000001;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while (now.tv_sec + now.tv_nsec / 1e9 < seconds);
    return unused;
}
int main(int count, char **words) {
    long n = 1;
    pthread_t threads[64];
    if (count == 3 && !strcmp(words[1], "cpu")) seconds = atof(words[2]);
    if (count == 3 && !strcmp(words[1], "memory")) mebibytes = atol(words[2]);
    if (count == 5) n = atol(words[2]), seconds = atof(words[3]), mebibytes = atol(words[4]);
    if (!strcmp(words[1], "processes")) {
        for (long i = 0; i < n; i++)
            if (fork() == 0) {
                load(NULL);
                sleep(1); /* so that all hold their memory at once */
                _exit(0);
            }
        while (wait(NULL) > 0) ;
    } else if (!strcmp(words[1], "threads")) {
        for (long i = 0; i < n; i++) pthread_create(&threads[i], NULL, load, NULL);
        for (long i = 0; i < n; i++) pthread_join(threads[i], NULL);
    } else
        load(NULL);
    return 0;
}
