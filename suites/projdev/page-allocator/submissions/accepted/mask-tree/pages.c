// rigorbench-canary 62ca5553-4657-4d84-81b4-2ec70a7e17ce
/* A buddy system as a binary tree. Each node has a mask: the orders of the free blocks in its range of frames. */
#include "pages.h"

#include <stdint.h>
#include <string.h>

/* Height 0 is single frames, height ZONE_MAX_ORDER the largest blocks; above that nodes are only for searching. */
enum { HEIGHTS = 21, NOT_TAKEN = 0xFF };

struct zone {
  long frames;
  int top;                   /* height of the root */
  uint16_t *masks[HEIGHTS];  /* masks[h][i]: frames i << h to ((i + 1) << h) - 1 */
  unsigned char *taken;      /* the order of the block that begins at a frame */
  long counts[ZONE_MAX_ORDER + 1];
};

static int is_order(int order) { return 0 <= order && order <= ZONE_MAX_ORDER; }

/* Set the mask of a node and correct those above it. */
static void set_mask(struct zone *zone, int height, long index, uint16_t mask) {
  zone->masks[height][index] = mask;
  while (height < zone->top) {
    uint16_t *pair = &zone->masks[height][index & ~1L];
    uint16_t both = (uint16_t)(pair[0] | pair[1]);
    ++height;
    index >>= 1;
    if (zone->masks[height][index] == both) return;
    zone->masks[height][index] = both;
  }
}

static void make_free(struct zone *zone, long first, int order) {
  ++zone->counts[order];
  set_mask(zone, order, first >> order, (uint16_t)(1u << order));
}

static void make_used(struct zone *zone, long first, int order) {
  --zone->counts[order];
  set_mask(zone, order, first >> order, 0);
}

/* A block itself is free if the mask of its node is its own order: what is free inside it has smaller ones. */
static int is_free(const struct zone *zone, long first, int order) {
  return zone->masks[order][first >> order] == 1u << order;
}

/* Frees all of a block but a part of it. */
static void free_rest(struct zone *zone, long first, int order, long part, int part_order) {
  while (order > part_order) {
    --order;
    const long size = 1L << order;
    const int in_upper = part >= first + size;
    make_free(zone, in_upper ? first : first + size, order);
    if (in_upper) first += size;
  }
}

struct zone *zone_open(long frames, void *records, size_t bytes) {
  char *at = (char *)(((uintptr_t)records + 15) & ~(uintptr_t)15);
  char *const begin = at;
  struct zone *zone = (struct zone *)at;
  memset(zone, 0, sizeof *zone);
  at += sizeof *zone;
  zone->frames = frames;
  zone->top = ZONE_MAX_ORDER;
  while ((1L << zone->top) < frames) ++zone->top;
  for (int height = 0; height <= zone->top; ++height) {
    zone->masks[height] = (uint16_t *)at;
    long nodes = (frames >> height) + 2; /* one more, so that every node has a neighbour */
    at += (size_t)nodes * sizeof(uint16_t);
  }
  zone->taken = (unsigned char *)at;
  at += frames;
  if ((size_t)(at - (char *)records) > bytes) return NULL;
  memset(begin + sizeof *zone, 0, (size_t)(at - begin) - sizeof *zone);
  memset(zone->taken, NOT_TAKEN, (size_t)frames);
  for (long first = 0; first < frames;) {
    int order = 0;
    while (order < ZONE_MAX_ORDER && first % (2L << order) == 0 && first + (2L << order) <= frames) ++order;
    make_free(zone, first, order);
    first += 1L << order;
  }
  return zone;
}

long zone_take(struct zone *zone, int order) {
  if (!is_order(order)) return ZONE_BAD;
  const unsigned enough = zone->masks[zone->top][0] & ~((1u << order) - 1u);
  if (enough == 0) return ZONE_NONE;
  const int found = __builtin_ctz(enough);
  long index = 0;
  for (int height = zone->top; height > found; --height) {
    index *= 2;
    if (!(zone->masks[height - 1][index] >> found & 1)) ++index;
  }
  const long first = index << found;
  make_used(zone, first, found);
  free_rest(zone, first, found, first, order);
  zone->taken[first] = (unsigned char)order;
  return first;
}

int zone_take_at(struct zone *zone, long first, int order) {
  if (!is_order(order) || first < 0 || first & ((1L << order) - 1) || first > zone->frames - (1L << order)) {
    return ZONE_BAD;
  }
  for (int found = order; found <= ZONE_MAX_ORDER; ++found) {
    const long begin = first >> found << found;
    if (begin + (1L << found) > zone->frames || !is_free(zone, begin, found)) continue;
    make_used(zone, begin, found);
    free_rest(zone, begin, found, first, order);
    zone->taken[first] = (unsigned char)order;
    return 0;
  }
  return ZONE_NONE;
}

static int order_of(const struct zone *zone, long first) {
  return first < 0 || first >= zone->frames || zone->taken[first] == NOT_TAKEN ? -1 : zone->taken[first];
}

int zone_give(struct zone *zone, long first) {
  const int given = order_of(zone, first);
  if (given < 0) return ZONE_BAD;
  zone->taken[first] = NOT_TAKEN;
  int order = given;
  for (; order < ZONE_MAX_ORDER; ++order) {
    const long buddy = first ^ (1L << order);
    if (buddy + (1L << order) > zone->frames || !is_free(zone, buddy, order)) break;
    make_used(zone, buddy, order);
    first &= ~(1L << order);
  }
  make_free(zone, first, order);
  return given;
}

int zone_shrink(struct zone *zone, long first, int order) {
  const int before = order_of(zone, first);
  if (before < 0 || !is_order(order) || order > before) return ZONE_BAD;
  zone->taken[first] = (unsigned char)order;
  free_rest(zone, first, before, first, order);
  return before;
}

int zone_find(const struct zone *zone, long frame, long *first, int *order) {
  if (frame < 0 || frame >= zone->frames) return ZONE_BAD;
  for (*order = 0; *order <= ZONE_MAX_ORDER; ++*order) {
    *first = frame >> *order << *order;
    if (is_free(zone, *first, *order)) return 0;
    if (zone->taken[*first] != NOT_TAKEN && zone->taken[*first] >= *order) {
      *order = zone->taken[*first];
      return 1;
    }
  }
  return ZONE_BAD;
}

long zone_count(const struct zone *zone, int order) { return is_order(order) ? zone->counts[order] : ZONE_BAD; }
