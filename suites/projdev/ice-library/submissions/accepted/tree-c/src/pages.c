// rigorbench-canary 74a1702a-6ecf-460f-ad58-eec864a688ab
#include "pages.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CACHED = 256, BUCKETS = 512 };

struct frame {
    uint32_t number; /* 0: unused, since page 0 is never cached */
    int changed, newer, older, next; /* frames by use, and in their bucket; -1 ends a list */
};

static struct {
    uint32_t magic, pages, unused, roots[ROOTS];
} head = {0x31454349, 1, 0, {0, 0}};
static int file, newest, oldest, buckets[BUCKETS];
static struct frame frames[CACHED];
static unsigned char bytes[CACHED][PAGE];

void fail(const char *what) {
    fprintf(stderr, "code: %s\n", what);
    exit(1);
}

static void put(const void *from, size_t size, uint32_t page) {
    if (pwrite(file, from, size, (off_t)page * PAGE) != (ssize_t)size) fail("register.db cannot be written");
}

void pages_open(const char *name) {
    file = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0) fail("register.db cannot be opened");
    const uint32_t magic = head.magic;
    const ssize_t got = pread(file, &head, sizeof head, 0);
    if (got != 0 && (got != (ssize_t)sizeof head || head.magic != magic)) fail("register.db is not ours");
    for (int i = 0; i < BUCKETS; i++) buckets[i] = -1;
    for (int i = 0; i < CACHED; i++) frames[i] = (struct frame){0, 0, i - 1, i + 1 < CACHED ? i + 1 : -1, -1};
    newest = 0;
    oldest = CACHED - 1;
}

void pages_close(void) {
    for (int i = 0; i < CACHED; i++)
        if (frames[i].number && frames[i].changed) put(bytes[i], PAGE, frames[i].number);
    put(&head, sizeof head, 0);
    if (close(file) != 0) fail("register.db cannot be closed");
}

uint32_t *root_of(int tree) { return &head.roots[tree]; }

static void use(int at) {
    struct frame *f = &frames[at];
    if (at == newest) return;
    frames[f->newer].older = f->older;
    if (f->older >= 0) frames[f->older].newer = f->newer;
    else oldest = f->newer;
    f->newer = -1;
    f->older = newest;
    frames[newest].newer = at;
    newest = at;
}

/* A frame for a page that is in none; what was in it has been written. */
static int take_frame(uint32_t number) {
    const int at = oldest;
    struct frame *f = &frames[at];
    if (f->number) {
        int *link = &buckets[f->number % BUCKETS];
        while (*link != at) link = &frames[*link].next;
        *link = f->next;
        if (f->changed) put(bytes[at], PAGE, f->number);
    }
    f->number = number;
    f->changed = 0;
    f->next = buckets[number % BUCKETS];
    buckets[number % BUCKETS] = at;
    use(at);
    return at;
}

static int frame_of(uint32_t number) {
    for (int at = buckets[number % BUCKETS]; at >= 0; at = frames[at].next)
        if (frames[at].number == number) {
            use(at);
            return at;
        }
    return -1;
}

unsigned char *page_at(uint32_t number, int change) {
    int at = frame_of(number);
    if (at < 0) {
        at = take_frame(number);
        if (pread(file, bytes[at], PAGE, (off_t)number * PAGE) != PAGE) fail("register.db is cut off");
    }
    frames[at].changed |= change;
    return bytes[at];
}

uint32_t page_new(void) {
    uint32_t number = head.unused;
    if (number) {
        memcpy(&head.unused, page_at(number, 1), sizeof head.unused);
    } else {
        number = head.pages++;
        frames[take_frame(number)].changed = 1;
    }
    return number;
}

void page_free(uint32_t number) {
    memcpy(page_at(number, 1), &head.unused, sizeof head.unused);
    head.unused = number;
}
