// rigorbench-canary 62ca5553-4657-4d84-81b4-2ec70a7e17ce
/* A buddy system with an index of bitmaps for each order. README.md describes it. */
#include "pages.h"

#include <stdint.h>
#include <string.h>

enum { ORDERS = ZONE_MAX_ORDER + 1, LEVELS = 4, WORD = 64 };

/* A set of numbers from 0 to some end. Bit i of a level says whether word i of the level below has a bit. */
struct set {
  uint64_t *level[LEVELS];
  long count;
};

/* What a frame is: 0 inside a block, else the first frame of a block of `order`. */
enum { FREE = 0x40, TAKEN = 0x80, ORDER_MASK = 0x3F };

struct zone {
  long frames;
  unsigned char *heads;
  struct set free_blocks[ORDERS]; /* block numbers: first frame >> order */
};

/* -- sets -- */

static size_t set_room(long end, uint64_t *room, struct set *set) {
  size_t used = 0;
  for (int level = 0; level < LEVELS; ++level) {
    long words = (end + WORD - 1) / WORD;
    if (words == 0) words = 1;
    if (set != NULL) set->level[level] = room + used;
    used += (size_t)words;
    end = words;
  }
  return used;
}

static void set_add(struct set *set, long number) {
  ++set->count;
  for (int level = 0; level < LEVELS; ++level) {
    uint64_t *word = &set->level[level][number / WORD];
    uint64_t before = *word;
    *word |= UINT64_C(1) << (number % WORD);
    if (before != 0) return;
    number /= WORD;
  }
}

static void set_remove(struct set *set, long number) {
  --set->count;
  for (int level = 0; level < LEVELS; ++level) {
    uint64_t *word = &set->level[level][number / WORD];
    *word &= ~(UINT64_C(1) << (number % WORD));
    if (*word != 0) return;
    number /= WORD;
  }
}

/* The smallest number of a set that is not empty. */
static long set_first(const struct set *set) {
  long number = 0;
  for (int level = LEVELS - 1; level >= 0; --level) {
    number = number * WORD + (WORD - 1 - __builtin_clzll(set->level[level][number]));
  }
  return number;
}

/* -- blocks -- */

static int valid_order(int order) { return order >= 0 && order <= ZONE_MAX_ORDER; }

static void add_free(struct zone *zone, long first, int order) {
  zone->heads[first] = (unsigned char)(FREE | order);
  set_add(&zone->free_blocks[order], first >> order);
}

static void remove_free(struct zone *zone, long first, int order) {
  zone->heads[first] = 0;
  set_remove(&zone->free_blocks[order], first >> order);
}

/* The order of the taken block that begins at a frame; -1: none does. */
static int taken_order(const struct zone *zone, long first) {
  if (first < 0 || first >= zone->frames || !(zone->heads[first] & TAKEN)) return -1;
  return zone->heads[first] & ORDER_MASK;
}

/* The first frame of the block that has this frame. */
static long head_of(const struct zone *zone, long frame) {
  for (int order = 0; order <= ZONE_MAX_ORDER; ++order) {
    long head = (frame >> order) << order;
    if (zone->heads[head] != 0 && (zone->heads[head] & ORDER_MASK) >= order) return head;
  }
  return frame; /* not reached: every frame is in a block */
}

/* Halve a block that is in no set until `wanted` is left; the halves beside it become free. */
static void split(struct zone *zone, long first, int order, long wanted, int wanted_order) {
  while (order > wanted_order) {
    --order;
    long upper = first + (1L << order);
    if (wanted < upper) {
      add_free(zone, upper, order);
    } else {
      add_free(zone, first, order);
      first = upper;
    }
  }
  zone->heads[first] = (unsigned char)(TAKEN | order);
}

struct zone *zone_open(long frames, void *records, size_t bytes) {
  uintptr_t start = ((uintptr_t)records + 15) & ~(uintptr_t)15;
  size_t lost = start - (uintptr_t)records;
  struct zone *zone = (struct zone *)start;
  uint64_t *room = (uint64_t *)(zone + 1);
  size_t words = 0;
  for (int order = 0; order < ORDERS; ++order) words += set_room(frames >> order, room, NULL);
  if (lost + sizeof *zone + words * sizeof *room + (size_t)frames > bytes) return NULL;
  memset(zone, 0, sizeof *zone + words * sizeof *room + (size_t)frames);
  zone->frames = frames;
  zone->heads = (unsigned char *)(room + words);
  for (int order = 0; order < ORDERS; ++order) room += set_room(frames >> order, room, &zone->free_blocks[order]);
  for (long first = 0; first < frames;) {
    int order = ZONE_MAX_ORDER;
    while (first % (1L << order) != 0 || first + (1L << order) > frames) --order;
    add_free(zone, first, order);
    first += 1L << order;
  }
  return zone;
}

long zone_take(struct zone *zone, int order) {
  if (!valid_order(order)) return ZONE_BAD;
  for (int found = order; found < ORDERS; ++found) {
    if (zone->free_blocks[found].count == 0) continue;
    long first = set_first(&zone->free_blocks[found]) << found;
    remove_free(zone, first, found);
    split(zone, first, found, first, order);
    return first;
  }
  return ZONE_NONE;
}

int zone_take_at(struct zone *zone, long first, int order) {
  if (!valid_order(order) || first < 0 || first % (1L << order) != 0) return ZONE_BAD;
  if (first + (1L << order) > zone->frames) return ZONE_BAD;
  long head = head_of(zone, first);
  int found = zone->heads[head] & ORDER_MASK;
  if (zone->heads[head] & TAKEN || found < order) return ZONE_NONE;
  remove_free(zone, head, found);
  split(zone, head, found, first, order);
  return 0;
}

int zone_give(struct zone *zone, long first) {
  const int given = taken_order(zone, first);
  if (given < 0) return ZONE_BAD;
  int order = given;
  zone->heads[first] = 0;
  while (order < ZONE_MAX_ORDER) {
    long buddy = first ^ (1L << order);
    if (buddy >= zone->frames || zone->heads[buddy] != (FREE | order)) break;
    remove_free(zone, buddy, order);
    if (buddy < first) first = buddy;
    ++order;
  }
  add_free(zone, first, order);
  return given;
}

int zone_shrink(struct zone *zone, long first, int order) {
  const int before = taken_order(zone, first);
  if (before < 0 || !valid_order(order) || order > before) return ZONE_BAD;
  split(zone, first, before, first, order);
  return before;
}

int zone_find(const struct zone *zone, long frame, long *first, int *order) {
  if (frame < 0 || frame >= zone->frames) return ZONE_BAD;
  *first = head_of(zone, frame);
  *order = zone->heads[*first] & ORDER_MASK;
  return zone->heads[*first] & TAKEN ? 1 : 0;
}

long zone_count(const struct zone *zone, int order) {
  return valid_order(order) ? zone->free_blocks[order].count : ZONE_BAD;
}
