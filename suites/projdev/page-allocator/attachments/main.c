/* Reads commands, calls the page allocator, and writes what it answers. The judge puts its own copy of this file in place. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pages.h"

enum { SLOTS = 4, GUARD = 64, GUARD_BYTE = 0xA7 };

struct slot {
  struct zone *zone;
  long frames;
  unsigned char *memory; /* GUARD bytes, the records, GUARD bytes */
  size_t bytes;
  long *held; /* first frames of the blocks that storms have taken */
  long held_count;
};

static struct slot slots[SLOTS];

static void fail(const char *what) {
  printf("broken: %s\n", what);
  exit(3);
}

/* -- storms: many commands, drawn from a seed -- */

static uint64_t draw_state;
static uint64_t digest;

static long below(long end) {
  draw_state = draw_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (long)((draw_state >> 33) % (uint64_t)end);
}

static void note(long value) {
  digest = (digest ^ (uint64_t)value) * UINT64_C(0x100000001B3) + UINT64_C(0x9E3779B97F4A7C15);
}

static void hold(struct slot *slot, long first) {
  if (slot->held_count == slot->frames) fail("more blocks than frames");
  slot->held[slot->held_count++] = first;
}

static void storm_find(struct slot *slot) {
  long first = -1;
  int order = -1;
  note(zone_find(slot->zone, below(slot->frames), &first, &order));
  note(first);
  note(order);
}

static void storm_take_at(struct slot *slot, int top) {
  int order = (int)below(top + 1);
  long first = (below(slot->frames) >> order) << order;
  int result = zone_take_at(slot->zone, first, order);
  note(result);
  if (result == 0) hold(slot, first);
}

static void storm_take(struct slot *slot, int top) {
  int order = 0;
  while (order < top && below(2) == 1) ++order;
  long first = zone_take(slot->zone, order);
  note(first);
  if (first >= 0) hold(slot, first);
}

static void storm_give(struct slot *slot) {
  long index = below(slot->held_count);
  note(zone_give(slot->zone, slot->held[index]));
  slot->held[index] = slot->held[--slot->held_count];
}

static void storm(struct slot *slot, long seed, long count, int top, long fill) {
  draw_state = (uint64_t)seed;
  digest = UINT64_C(0xCBF29CE484222325);
  for (; count > 0; --count) {
    long what = below(128);
    if (what < 4) {
      storm_find(slot);
    } else if (what < 8 && slot->held_count > 0) {
      long index = below(slot->held_count);
      note(zone_shrink(slot->zone, slot->held[index], (int)below(ZONE_MAX_ORDER + 1)));
    } else if (what < 12) {
      storm_take_at(slot, top);
    } else if (below(100) < fill || slot->held_count == 0) {
      storm_take(slot, top);
    } else {
      storm_give(slot);
    }
  }
  printf("storm %016llx %ld\n", (unsigned long long)digest, slot->held_count);
}

/* -- single commands -- */

static void open_zone(struct slot *slot, long frames) {
  free(slot->memory);
  free(slot->held);
  slot->frames = frames;
  slot->bytes = ZONE_RECORDS(frames);
  slot->memory = malloc(slot->bytes + 2 * GUARD);
  slot->held = malloc((size_t)frames * sizeof *slot->held);
  slot->held_count = 0;
  if (slot->memory == NULL || slot->held == NULL) fail("no memory for the records");
  memset(slot->memory, GUARD_BYTE, slot->bytes + 2 * GUARD);
  slot->zone = zone_open(frames, slot->memory + GUARD, slot->bytes);
  if (slot->zone == NULL) fail("the zone cannot be opened");
  puts("ok");
}

static void check_guards(const struct slot *slot) {
  for (size_t i = 0; slot->memory != NULL && i < GUARD; ++i) {
    if (slot->memory[i] != GUARD_BYTE || slot->memory[GUARD + slot->bytes + i] != GUARD_BYTE) {
      fail("something was written outside the records");
    }
  }
}

static void say(const char *word, long result) {
  if (result == ZONE_BAD) {
    puts("bad");
  } else if (result == ZONE_NONE) {
    puts("none");
  } else if (word == NULL) {
    puts("ok");
  } else {
    printf("%s %ld\n", word, result);
  }
}

static void say_find(struct slot *slot, long frame) {
  long first = -1;
  int order = -1;
  int taken = zone_find(slot->zone, frame, &first, &order);
  if (taken < 0) {
    puts("bad");
  } else {
    printf("%s %ld %d\n", taken == 1 ? "taken" : "free", first, order);
  }
}

static void say_counts(struct slot *slot) {
  for (int order = 0; order <= ZONE_MAX_ORDER; ++order) {
    printf("%ld%c", zone_count(slot->zone, order), order < ZONE_MAX_ORDER ? ' ' : '\n');
  }
}

int main(void) {
  char name[16];
  long number = 0, a[4];
  while (scanf("%15s %ld", name, &number) == 2) {
    struct slot *slot = &slots[number];
    long *end = a + (strcmp(name, "storm") == 0 ? 4 : strcmp(name, "at") == 0 || strcmp(name, "shrink") == 0 ? 2 : strcmp(name, "counts") == 0 ? 0 : 1);
    for (long *at = a; at < end; ++at) {
      if (scanf("%ld", at) != 1) fail("a number is missing");
    }
    if (strcmp(name, "open") == 0) open_zone(slot, a[0]);
    else if (strcmp(name, "take") == 0) say("at", zone_take(slot->zone, (int)a[0]));
    else if (strcmp(name, "at") == 0) say(NULL, zone_take_at(slot->zone, a[0], (int)a[1]));
    else if (strcmp(name, "give") == 0) say("order", zone_give(slot->zone, a[0]));
    else if (strcmp(name, "shrink") == 0) say("order", zone_shrink(slot->zone, a[0], (int)a[1]));
    else if (strcmp(name, "find") == 0) say_find(slot, a[0]);
    else if (strcmp(name, "count") == 0) say("free", zone_count(slot->zone, (int)a[0]));
    else if (strcmp(name, "counts") == 0) say_counts(slot);
    else if (strcmp(name, "storm") == 0) storm(slot, a[0], a[1], (int)a[2], a[3]);
    else fail("an unknown command");
    for (int i = 0; i < SLOTS; ++i) check_guards(&slots[i]);
  }
  return 0;
}
