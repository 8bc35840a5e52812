/* The page allocator's interface. STATEMENT.md says what each function does. */
#ifndef PAGES_H
#define PAGES_H

#include <stddef.h>

/* Blocks have 2^0 to 2^ZONE_MAX_ORDER frames. */
enum { ZONE_MAX_ORDER = 12 };

/* Results below 0: an argument is wrong; there is no such free block. */
enum { ZONE_BAD = -1, ZONE_NONE = -2 };

/* Bytes of the records that a zone of so many frames gets. */
#define ZONE_RECORDS(frames) ((size_t)65536 + (size_t)16 * (size_t)(frames))

struct zone;

struct zone *zone_open(long frames, void *records, size_t bytes);
long zone_take(struct zone *zone, int order);
int zone_take_at(struct zone *zone, long first, int order);
int zone_give(struct zone *zone, long first);
int zone_shrink(struct zone *zone, long first, int order);
int zone_find(const struct zone *zone, long frame, long *first, int *order);
long zone_count(const struct zone *zone, int order);

#endif
