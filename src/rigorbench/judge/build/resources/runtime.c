/* Linked into programs that have to tell the judge more than their output.
 *
 * RIGOR_RESULTS: the results of a driver of a header problem. Descriptor 3 takes them, descriptor 4 gives a nonce. Both
 * are taken away before any code of the submission runs; what ends without the nonce did not reach the driver's end.
 * RIGOR_CHECKS: reports of the address and leak sanitizers go to descriptor 9, and the last line there says, with the
 * nonce, that the leak check was done: a program that leaves before it is seen.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RESULTS_FD = 3, NONCE_FD = 4, REPORTS_FD = 9, NONCE = 32, HIDDEN_FD = 180 };

static void send_all(int fd, const char *data, size_t size) {
    while (size > 0) {
        ssize_t sent = write(fd, data, size);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return;
        data += sent;
        size -= (size_t)sent;
    }
}

/* The nonce is kept once for each part, for both read it from the same descriptor: who comes first hands it on. */
static int read_nonce(char *nonce) {
    size_t have = 0;
    while (have < NONCE) {
        ssize_t got = read(NONCE_FD, nonce + have, NONCE - have);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        have += (size_t)got;
    }
    return have == NONCE;
}

#ifdef RIGOR_RESULTS

static char results_nonce[NONCE + 2];
static int results_fd = STDOUT_FILENO, with_nonce, finished;
static char pending[1 << 16];
static size_t waiting;

/* For the other part, which starts later. */
__attribute__((visibility("hidden"))) int rigor_nonce(char *copy) {
    if (with_nonce) memcpy(copy, results_nonce + 1, NONCE);
    return with_nonce;
}

static void begin(int count, char **words, char **environment) {
    (void)count, (void)words, (void)environment;
    int hidden = fcntl(RESULTS_FD, F_DUPFD_CLOEXEC, HIDDEN_FD);
    if (hidden < 0) return; /* run by hand: results go to standard output */
    results_fd = hidden;
    close(RESULTS_FD);
    with_nonce = read_nonce(results_nonce + 1);
    results_nonce[0] = results_nonce[NONCE + 1] = '\n';
    close(NONCE_FD);
    dup2(STDERR_FILENO, STDOUT_FILENO);
}

/* Runs before the constructors of every library and of the program. */
__attribute__((section(".preinit_array"), used)) static void (*const at_start)(int, char **, char **) = begin;

static void flush_results(void) {
    send_all(results_fd, pending, waiting);
    waiting = 0;
}

void rigor_write(const void *data, size_t size) {
    if (finished) return;
    if (size > sizeof pending - waiting) flush_results();
    if (size > sizeof pending) {
        send_all(results_fd, data, size);
        return;
    }
    memcpy(pending + waiting, data, size);
    waiting += size;
}

void rigor_finish(void) {
    if (finished) return;
    flush_results();
    finished = 1;
    if (with_nonce) send_all(results_fd, results_nonce, sizeof results_nonce);
    if (results_fd != STDOUT_FILENO) close(results_fd);
}

#endif

#ifdef RIGOR_CHECKS

extern void __sanitizer_set_report_fd(void *fd);
extern int __lsan_do_recoverable_leak_check(void);
__attribute__((weak, visibility("hidden"))) int rigor_nonce(char *copy);

static char checks_nonce[NONCE];
static int reports_fd = -1, has_nonce;

static void check(void) {
    static const char said[] = "\nrigor-checked ";
    __lsan_do_recoverable_leak_check();
    if (reports_fd < 0) return;
    send_all(reports_fd, said, sizeof said - 1);
    if (has_nonce) send_all(reports_fd, checks_nonce, NONCE);
    send_all(reports_fd, "\n", 1);
}

__attribute__((constructor(101))) static void watch(void) {
    if (rigor_nonce) {
        has_nonce = rigor_nonce(checks_nonce);
    } else {
        has_nonce = read_nonce(checks_nonce);
        close(NONCE_FD);
    }
    if (fcntl(REPORTS_FD, F_GETFD) >= 0) {
        reports_fd = fcntl(REPORTS_FD, F_DUPFD_CLOEXEC, HIDDEN_FD + 1);
        close(REPORTS_FD);
        if (reports_fd >= 0) __sanitizer_set_report_fd((void *)(long)reports_fd);
    }
    atexit(check);
}

#endif
