// rigorbench-canary 74a1702a-6ecf-460f-ad58-eec864a688ab
/* B+ trees over pages. Keys and values have fixed sizes; keys are ordered as strings of bytes. */
#ifndef TREE_H
#define TREE_H

#include <stddef.h>
#include <stdint.h>

struct tree {
    int number;    /* which root it has */
    size_t key;    /* bytes; the last four are a depth */
    size_t value;  /* bytes; the first four, where there are any, are a weight */
};

struct sum {
    uint64_t total;
    uint32_t count, most, depth; /* `most` the largest weight, `depth` the smallest that has it */
};

/* An entry is its key, then its value. */
int tree_find(const struct tree *t, unsigned char *entry);          /* fills in the value */
int tree_insert(const struct tree *t, const unsigned char *entry);  /* 0: there is one of this key */
int tree_set(const struct tree *t, const unsigned char *entry);     /* a new value for a key that is there */
int tree_erase(const struct tree *t, const unsigned char *key);
struct sum tree_sum(const struct tree *t, const unsigned char *low, const unsigned char *high); /* both included */
/* Copies up to `most` entries of a range, in order; returns how many. */
size_t tree_list(const struct tree *t, const unsigned char *low, const unsigned char *high, size_t most, unsigned char *out);

void put_big(unsigned char *to, uint32_t number);
uint32_t get_big(const unsigned char *from);

#endif
