// rigorbench-canary 74a1702a-6ecf-460f-ad58-eec864a688ab
#include "register.h"

#include <stdlib.h>
#include <string.h>

/* sample: core, depth | grams, tag.   mark: tag, core, depth. */
enum { SAMPLE_KEY = NAME + 4, SAMPLE = SAMPLE_KEY + 4 + TAG, MARK = TAG + NAME + 4, BATCH = 4096 };

static const struct tree samples = {0, SAMPLE_KEY, 4 + TAG}, marks = {1, MARK, 0};
static const uint32_t BOTTOM = 0xffffffff;

/* Samples of a bulk command that are in memory at a time, and their marks. */
static unsigned char batch[BATCH][SAMPLE], batch_marks[BATCH][MARK];

/* A word in a field of this size, filled up with zeros. */
static void put_word(unsigned char *to, const char *word, size_t size) {
    const size_t length = strnlen(word, size);
    memcpy(to, word, length);
    memset(to + length, 0, size - length);
}

static void sample_key(unsigned char *key, const char *core, uint32_t depth) {
    put_word(key, core, NAME);
    put_big(key + NAME, depth);
}

static void set_value(unsigned char *sample, uint32_t grams, const char *tag) {
    memcpy(sample + SAMPLE_KEY, &grams, sizeof grams);
    put_word(sample + SAMPLE_KEY + 4, tag, TAG);
}

static uint32_t grams_of(const unsigned char *sample) {
    uint32_t grams;
    memcpy(&grams, sample + SAMPLE_KEY, sizeof grams);
    return grams;
}

static void mark_of(unsigned char *mark, const unsigned char *sample) {
    memcpy(mark, sample + SAMPLE_KEY + 4, TAG);
    memcpy(mark + TAG, sample, SAMPLE_KEY);
}

static int by_depth(const void *a, const void *b) {
    const int order = memcmp(a, b, SAMPLE_KEY);
    /* qsort is not stable; of two pieces at one depth the earlier has the lower number, kept where the tag will be. */
    return order ? order : memcmp((const char *)a + SAMPLE - 4, (const char *)b + SAMPLE - 4, 4);
}

static int by_mark(const void *a, const void *b) { return memcmp(a, b, MARK); }

enum result register_add(const char *core, uint32_t depth, uint32_t grams, const char *tag) {
    unsigned char sample[SAMPLE], mark[MARK];
    sample_key(sample, core, depth);
    set_value(sample, grams, tag);
    if (!tree_insert(&samples, sample)) return TAKEN;
    mark_of(mark, sample);
    tree_insert(&marks, mark);
    return OK;
}

static uint32_t step(uint32_t *x) { return *x = *x * 1664525u + 1013904223u; }

uint32_t register_saw(const char *core, uint32_t seed, uint32_t count, const char *tag) {
    uint32_t sawn = 0, x = seed;
    while (count > 0) {
        uint32_t made = 0;
        size_t kept = 0;
        for (; count > 0 && made < BATCH; count--, made++) {
            unsigned char *piece = batch[made];
            sample_key(piece, core, step(&x) / 512);
            const uint32_t grams = 1 + step(&x) / 65536 % 1000, y = step(&x) / 128;
            set_value(piece, grams, "");
            put_big(piece + SAMPLE - 8, y);
            put_big(piece + SAMPLE - 4, made);
        }
        qsort(batch, made, SAMPLE, by_depth);
        for (uint32_t i = 0; i < made; i++) {
            char full[TAG + 1];
            uint32_t y = get_big(batch[i] + SAMPLE - 8);
            size_t length = strlen(tag);
            memcpy(full, tag, length);
            full[length++] = '-';
            for (int letter = 0; letter < 5; letter++, y /= 32) full[length++] = "abcdefghijklmnopqrstuvwxyz234567"[y % 32];
            full[length] = 0;
            set_value(batch[i], grams_of(batch[i]), full);
            if (tree_insert(&samples, batch[i])) mark_of(batch_marks[kept++], batch[i]);
        }
        qsort(batch_marks, kept, MARK, by_mark);
        for (size_t i = 0; i < kept; i++) tree_insert(&marks, batch_marks[i]);
        sawn += (uint32_t)kept;
    }
    return sawn;
}

enum result register_take(const char *core, uint32_t depth, uint32_t *grams) {
    unsigned char sample[SAMPLE], mark[MARK];
    sample_key(sample, core, depth);
    if (!tree_find(&samples, sample)) return NONE;
    const uint32_t weight = grams_of(sample);
    if (weight < *grams) return TOO_LITTLE;
    *grams = weight - *grams;
    if (*grams > 0) {
        memcpy(sample + SAMPLE_KEY, grams, sizeof *grams);
        tree_set(&samples, sample);
    } else {
        mark_of(mark, sample);
        tree_erase(&samples, sample);
        tree_erase(&marks, mark);
    }
    return OK;
}

enum result register_tag(const char *core, uint32_t depth, const char *tag) {
    unsigned char sample[SAMPLE], mark[MARK];
    sample_key(sample, core, depth);
    if (!tree_find(&samples, sample)) return NONE;
    mark_of(mark, sample);
    tree_erase(&marks, mark);
    set_value(sample, grams_of(sample), tag);
    tree_set(&samples, sample);
    mark_of(mark, sample);
    tree_insert(&marks, mark);
    return OK;
}

/* Takes up to BATCH samples of a range out of both trees, into `batch`; returns how many. */
static size_t take_out(const char *core, uint32_t from, uint32_t to) {
    unsigned char low[SAMPLE_KEY], high[SAMPLE_KEY];
    sample_key(low, core, from);
    sample_key(high, core, to);
    const size_t count = tree_list(&samples, low, high, BATCH, batch[0]);
    for (size_t i = 0; i < count; i++) {
        mark_of(batch_marks[i], batch[i]);
        tree_erase(&samples, batch[i]);
    }
    qsort(batch_marks, count, MARK, by_mark);
    for (size_t i = 0; i < count; i++) tree_erase(&marks, batch_marks[i]);
    return count;
}

enum result register_rename(const char *from, const char *to) {
    if (register_weigh(from, 0, BOTTOM).count == 0) return NONE;
    if (register_weigh(to, 0, BOTTOM).count > 0) return TAKEN;
    size_t count;
    while ((count = take_out(from, 0, BOTTOM)) > 0) {
        for (size_t i = 0; i < count; i++) {
            sample_key(batch[i], to, get_big(batch[i] + NAME));
            tree_insert(&samples, batch[i]);
            mark_of(batch_marks[i], batch[i]);
        }
        qsort(batch_marks, count, MARK, by_mark);
        for (size_t i = 0; i < count; i++) tree_insert(&marks, batch_marks[i]);
    }
    return OK;
}

struct sum register_melt(const char *core, uint32_t from, uint32_t to) {
    const struct sum melted = register_weigh(core, from, to);
    while (take_out(core, from, to) > 0) {
    }
    return melted;
}

enum result register_show(const char *core, uint32_t depth, struct sample *shown) {
    unsigned char sample[SAMPLE];
    sample_key(sample, core, depth);
    if (!tree_find(&samples, sample)) return NONE;
    shown->grams = grams_of(sample);
    memcpy(shown->tag, sample + SAMPLE_KEY + 4, TAG);
    shown->tag[TAG] = 0;
    return OK;
}

struct sum register_weigh(const char *core, uint32_t from, uint32_t to) {
    unsigned char low[SAMPLE_KEY], high[SAMPLE_KEY];
    sample_key(low, core, from);
    sample_key(high, core, to);
    return tree_sum(&samples, low, high);
}

uint32_t register_find(const char *prefix, uint32_t most, struct mark *shown) {
    unsigned char low[MARK] = {0}, high[MARK];
    memset(high, 0xff, sizeof high);
    memcpy(low, prefix, strlen(prefix));
    memcpy(high, prefix, strlen(prefix));
    const size_t count = tree_list(&marks, low, high, most, batch_marks[0]);
    for (size_t i = 0; i < count; i++) {
        memset(&shown[i], 0, sizeof shown[i]);
        memcpy(shown[i].tag, batch_marks[i], TAG);
        memcpy(shown[i].core, batch_marks[i] + TAG, NAME);
        shown[i].depth = get_big(batch_marks[i] + TAG + NAME);
    }
    return tree_sum(&marks, low, high).count;
}

int register_next(char *core) {
    unsigned char low[SAMPLE_KEY], high[SAMPLE_KEY], found[SAMPLE];
    sample_key(low, core, *core ? BOTTOM : 0);
    memset(high, 0xff, sizeof high);
    if (tree_list(&samples, low, high, 1, found) == 0) return 0;
    memcpy(core, found, NAME);
    core[NAME] = 0;
    return 1;
}
