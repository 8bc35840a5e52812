/* Counting in a hash map with open addressing: 1.5 million updates of half a million keys. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct slot {
    int64_t key, value;
};

static struct slot *table;
static size_t capacity = 1024, size;

static struct slot *find(struct slot *slots, size_t room, int64_t key) {
    size_t at = (uint64_t)key * 0x9E3779B97F4A7C15u >> 20 & (room - 1);
    while (slots[at].key != -1 && slots[at].key != key) at = (at + 1) & (room - 1);
    return &slots[at];
}

static struct slot *fresh(size_t room) {
    struct slot *slots = malloc(room * sizeof *slots);
    for (size_t i = 0; i < room; i++) slots[i].key = -1, slots[i].value = 0;
    return slots;
}

static int64_t *at(int64_t key) {
    struct slot *found = find(table, capacity, key);
    if (found->key == -1) {
        if (2 * ++size > capacity) {
            struct slot *grown = fresh(2 * capacity);
            for (size_t i = 0; i < capacity; i++)
                if (table[i].key != -1) *find(grown, 2 * capacity, table[i].key) = table[i];
            free(table);
            table = grown;
            capacity *= 2;
            found = find(table, capacity, key);
        }
        found->key = key;
    }
    return &found->value;
}

int main(void) {
    table = fresh(capacity);
    int64_t x = 3, most = 0;
    for (int i = 0; i < 1500000; i++) {
        x = x * 48271 % 2147483647;
        const int64_t value = *at(x % 500009 * 4001) += i & 7;
        if (value > most) most = value;
    }
    printf("%zu %lld\n", size, (long long)most);
    free(table);
    return 0;
}
