// rigorbench-canary 74a1702a-6ecf-460f-ad58-eec864a688ab
#include "tree.h"

#include <string.h>

#include "pages.h"

/* A page: two bytes "is a leaf", two bytes number of entries, four unused, then the entries. An entry of an inner page is a
   key that no key below it is less than, then a struct branch. */
enum { HEAD = 8 };

struct branch {
    struct sum sum;
    uint32_t page;
};

void put_big(unsigned char *to, uint32_t number) {
    for (int i = 3; i >= 0; i--, number >>= 8) to[i] = (unsigned char)number;
}

uint32_t get_big(const unsigned char *from) {
    return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

static int is_leaf(const unsigned char *page) { return page[0]; }

static size_t count_of(const unsigned char *page) { return page[2] | (size_t)page[3] << 8; }

static void set_head(unsigned char *page, int leaf, size_t count) {
    page[0] = (unsigned char)leaf;
    page[1] = 0;
    page[2] = (unsigned char)count;
    page[3] = (unsigned char)(count >> 8);
}

static size_t width(const struct tree *t, int leaf) { return t->key + (leaf ? t->value : sizeof(struct branch)); }

static size_t room(const struct tree *t, int leaf) { return (PAGE - HEAD) / width(t, leaf); }

static unsigned char *entry(const struct tree *t, unsigned char *page, size_t i) {
    return page + HEAD + i * width(t, is_leaf(page));
}

static struct branch branch_at(const struct tree *t, unsigned char *page, size_t i) {
    struct branch branch;
    memcpy(&branch, entry(t, page, i) + t->key, sizeof branch);
    return branch;
}

static void set_branch(const struct tree *t, unsigned char *page, size_t i, struct branch branch) {
    memcpy(entry(t, page, i) + t->key, &branch, sizeof branch);
}

/* The first entry whose key is not less than (`after`: is greater than) this one. */
static size_t place(const struct tree *t, unsigned char *page, const unsigned char *key, int after) {
    size_t low = 0, high = count_of(page);
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (memcmp(entry(t, page, middle), key, t->key) < after) low = middle + 1;
        else high = middle;
    }
    return low;
}

static size_t child(const struct tree *t, unsigned char *page, const unsigned char *key) {
    const size_t i = place(t, page, key, 1);
    return i > 0 ? i - 1 : 0;
}

static void open_gap(const struct tree *t, unsigned char *page, size_t i) {
    const size_t count = count_of(page), size = width(t, is_leaf(page));
    memmove(entry(t, page, i + 1), entry(t, page, i), (count - i) * size);
    set_head(page, is_leaf(page), count + 1);
}

static void close_gap(const struct tree *t, unsigned char *page, size_t i) {
    const size_t count = count_of(page), size = width(t, is_leaf(page));
    memmove(entry(t, page, i), entry(t, page, i + 1), (count - i - 1) * size);
    set_head(page, is_leaf(page), count - 1);
}

static void add(struct sum *to, struct sum more) {
    to->total += more.total;
    to->count += more.count;
    if (more.most > to->most) to->most = more.most, to->depth = more.depth; /* in order: ties stay where they are */
}

static struct sum sum_of_entry(const struct tree *t, const unsigned char *at) {
    struct sum sum = {0, 1, 0, 0};
    if (t->value) {
        memcpy(&sum.most, at + t->key, sizeof sum.most);
        sum.total = sum.most;
        sum.depth = get_big(at + t->key - 4);
    }
    return sum;
}

static struct sum sum_of_page(const struct tree *t, unsigned char *page) {
    struct sum sum = {0, 0, 0, 0};
    for (size_t i = 0; i < count_of(page); i++)
        add(&sum, is_leaf(page) ? sum_of_entry(t, entry(t, page, i)) : branch_at(t, page, i).sum);
    return sum;
}

static unsigned char *leaf_of(const struct tree *t, const unsigned char *key, int change) {
    uint32_t number = *root_of(t->number);
    if (!number) return NULL;
    for (;;) {
        unsigned char *page = page_at(number, change);
        if (is_leaf(page)) return page;
        number = branch_at(t, page, child(t, page, key)).page;
    }
}

int tree_find(const struct tree *t, unsigned char *wanted) {
    unsigned char *page = leaf_of(t, wanted, 0);
    if (!page) return 0;
    const size_t i = place(t, page, wanted, 0);
    if (i == count_of(page) || memcmp(entry(t, page, i), wanted, t->key) != 0) return 0;
    memcpy(wanted, entry(t, page, i), width(t, 1));
    return 1;
}

/* The upper entries of a full page to a new one, so that there is room at `i`; returns its number. What is added at the
   end of a page was probably added in order: then the page stays full. */
static uint32_t split(const struct tree *t, uint32_t number, size_t i) {
    const uint32_t added = page_new();
    unsigned char *page = page_at(number, 1), *upper = page_at(added, 1);
    const int leaf = is_leaf(page);
    const size_t count = count_of(page), keep = i == count ? count - 1 : count / 2;
    set_head(upper, leaf, count - keep);
    memcpy(upper + HEAD, entry(t, page, keep), (count - keep) * width(t, leaf));
    set_head(page, leaf, keep);
    return added;
}

/* Inserts below a page; `upper` becomes the page that was split off it, or 0. */
static int insert(const struct tree *t, uint32_t number, const unsigned char *new, uint32_t *upper) {
    unsigned char *page = page_at(number, 1);
    *upper = 0;
    if (is_leaf(page)) {
        size_t i = place(t, page, new, 0);
        if (i < count_of(page) && memcmp(entry(t, page, i), new, t->key) == 0) return 0;
        if (count_of(page) == room(t, 1)) {
            *upper = split(t, number, i);
            page = page_at(number, 1);
            if (i > count_of(page)) {
                i -= count_of(page);
                page = page_at(*upper, 1);
            }
        }
        open_gap(t, page, i);
        memcpy(entry(t, page, i), new, width(t, 1));
        return 1;
    }
    size_t i = child(t, page, new);
    if (memcmp(new, entry(t, page, i), t->key) < 0) memcpy(entry(t, page, i), new, t->key);
    struct branch below = branch_at(t, page, i), beside;
    if (!insert(t, below.page, new, &beside.page)) return 0;
    below.sum = sum_of_page(t, page_at(below.page, 0));
    page = page_at(number, 1);
    set_branch(t, page, i, below);
    if (!beside.page) return 1;
    if (count_of(page) == room(t, 0)) {
        *upper = split(t, number, ++i);
        page = page_at(number, 1);
        if (i > count_of(page)) {
            i -= count_of(page);
            page = page_at(*upper, 1);
        }
    } else {
        i++;
    }
    unsigned char *split_off = page_at(beside.page, 0);
    beside.sum = sum_of_page(t, split_off);
    open_gap(t, page, i);
    memcpy(entry(t, page, i), entry(t, split_off, 0), t->key);
    set_branch(t, page, i, beside);
    return 1;
}

int tree_insert(const struct tree *t, const unsigned char *new) {
    uint32_t *root = root_of(t->number), upper;
    if (!*root) {
        *root = page_new();
        set_head(page_at(*root, 1), 1, 0);
    }
    if (!insert(t, *root, new, &upper)) return 0;
    if (!upper) return 1;
    const uint32_t above = page_new();
    unsigned char *page = page_at(above, 1);
    set_head(page, 0, 2);
    const uint32_t halves[2] = {*root, upper};
    for (size_t i = 0; i < 2; i++) {
        unsigned char *half = page_at(halves[i], 0);
        memcpy(entry(t, page, i), entry(t, half, 0), t->key);
        set_branch(t, page, i, (struct branch){sum_of_page(t, half), halves[i]});
    }
    *root = above;
    return 1;
}

/* Sets the value below a page. */
static int set(const struct tree *t, uint32_t number, const unsigned char *new) {
    unsigned char *page = page_at(number, 1);
    if (is_leaf(page)) {
        const size_t i = place(t, page, new, 0);
        if (i == count_of(page) || memcmp(entry(t, page, i), new, t->key) != 0) return 0;
        memcpy(entry(t, page, i), new, width(t, 1));
        return 1;
    }
    const size_t i = child(t, page, new);
    struct branch below = branch_at(t, page, i);
    if (!set(t, below.page, new)) return 0;
    below.sum = sum_of_page(t, page_at(below.page, 0));
    set_branch(t, page_at(number, 1), i, below);
    return 1;
}

int tree_set(const struct tree *t, const unsigned char *new) {
    const uint32_t root = *root_of(t->number);
    return root && set(t, root, new);
}

/* Joins child i + 1 to child i of a page, if both together leave room for growth. */
static int join(const struct tree *t, unsigned char *page, size_t i) {
    if (i + 1 >= count_of(page)) return 0;
    struct branch left = branch_at(t, page, i), right = branch_at(t, page, i + 1);
    unsigned char *lower = page_at(left.page, 1), *upper = page_at(right.page, 0);
    const size_t count = count_of(lower), more = count_of(upper);
    if (count + more > room(t, is_leaf(lower)) * 3 / 4) return 0;
    memcpy(entry(t, lower, count), entry(t, upper, 0), more * width(t, is_leaf(lower)));
    set_head(lower, is_leaf(lower), count + more);
    page_free(right.page);
    left.sum = sum_of_page(t, lower);
    set_branch(t, page, i, left);
    close_gap(t, page, i + 1);
    return 1;
}

static int erase(const struct tree *t, uint32_t number, const unsigned char *key) {
    unsigned char *page = page_at(number, 1);
    if (is_leaf(page)) {
        const size_t i = place(t, page, key, 0);
        if (i == count_of(page) || memcmp(entry(t, page, i), key, t->key) != 0) return 0;
        close_gap(t, page, i);
        return 1;
    }
    const size_t i = child(t, page, key);
    struct branch below = branch_at(t, page, i);
    if (!erase(t, below.page, key)) return 0;
    unsigned char *lower = page_at(below.page, 0);
    const size_t left = count_of(lower), full = room(t, is_leaf(lower));
    below.sum = sum_of_page(t, lower);
    page = page_at(number, 1);
    set_branch(t, page, i, below);
    if (left == 0) {
        page_free(below.page);
        close_gap(t, page, i);
    } else if (left <= full / 3 && !join(t, page, i) && i > 0) {
        join(t, page, i - 1);
    }
    return 1;
}

int tree_erase(const struct tree *t, const unsigned char *key) {
    uint32_t *root = root_of(t->number);
    if (!*root || !erase(t, *root, key)) return 0;
    for (;;) {
        unsigned char *page = page_at(*root, 0);
        if (count_of(page) > (is_leaf(page) ? 0u : 1u)) return 1;
        const uint32_t old = *root;
        *root = is_leaf(page) || count_of(page) == 0 ? 0 : branch_at(t, page, 0).page;
        page_free(old);
        if (!*root) return 1;
    }
}

static void sum_below(const struct tree *t, uint32_t number, const unsigned char *low, const unsigned char *high, struct sum *sum) {
    unsigned char *page = page_at(number, 0);
    size_t i = is_leaf(page) ? place(t, page, low, 0) : child(t, page, low);
    for (; i < count_of(page) && memcmp(entry(t, page, i), high, t->key) <= 0; i++) {
        if (is_leaf(page)) {
            add(sum, sum_of_entry(t, entry(t, page, i)));
            continue;
        }
        const struct branch below = branch_at(t, page, i);
        const int from_low = memcmp(low, entry(t, page, i), t->key) <= 0;
        const int to_high = i + 1 < count_of(page) && memcmp(entry(t, page, i + 1), high, t->key) <= 0;
        if (from_low && to_high) {
            add(sum, below.sum);
        } else {
            sum_below(t, below.page, low, high, sum);
            page = page_at(number, 0);
        }
    }
}

struct sum tree_sum(const struct tree *t, const unsigned char *low, const unsigned char *high) {
    struct sum sum = {0, 0, 0, 0};
    if (*root_of(t->number)) sum_below(t, *root_of(t->number), low, high, &sum);
    return sum;
}

static size_t list_below(const struct tree *t, uint32_t number, const unsigned char *low, const unsigned char *high, size_t most,
                         unsigned char *out) {
    unsigned char *page = page_at(number, 0);
    size_t found = 0, i = is_leaf(page) ? place(t, page, low, 0) : child(t, page, low);
    for (; found < most && i < count_of(page) && memcmp(entry(t, page, i), high, t->key) <= 0; i++) {
        if (is_leaf(page)) {
            memcpy(out + found++ * width(t, 1), entry(t, page, i), width(t, 1));
        } else {
            found += list_below(t, branch_at(t, page, i).page, low, high, most - found, out + found * width(t, 1));
            page = page_at(number, 0);
        }
    }
    return found;
}

size_t tree_list(const struct tree *t, const unsigned char *low, const unsigned char *high, size_t most, unsigned char *out) {
    const uint32_t root = *root_of(t->number);
    return root ? list_below(t, root, low, high, most, out) : 0;
}
