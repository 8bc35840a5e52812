// rigorbench-canary 74a1702a-6ecf-460f-ad58-eec864a688ab
/* The register: what each command does, in terms of two trees. Names and tags are C strings. */
#ifndef REGISTER_H
#define REGISTER_H

#include <stdint.h>

#include "tree.h"

enum { TAG = 16, NAME = 12 };
enum result { OK, NONE, TAKEN, TOO_LITTLE };

struct sample {
    uint32_t grams;
    char tag[TAG + 1];
};

struct mark {
    char tag[TAG + 1], core[NAME + 1];
    uint32_t depth;
};

enum result register_add(const char *core, uint32_t depth, uint32_t grams, const char *tag);
uint32_t register_saw(const char *core, uint32_t seed, uint32_t count, const char *tag);
enum result register_take(const char *core, uint32_t depth, uint32_t *grams); /* *grams: then what is left */
enum result register_tag(const char *core, uint32_t depth, const char *tag);
enum result register_rename(const char *from, const char *to);
struct sum register_melt(const char *core, uint32_t from, uint32_t to);
enum result register_show(const char *core, uint32_t depth, struct sample *sample);
struct sum register_weigh(const char *core, uint32_t from, uint32_t to);
uint32_t register_find(const char *prefix, uint32_t most, struct mark *marks); /* all matches; `most` of them shown */
int register_next(char *core); /* the next core by name after this one ("": the first); 0: none */

#endif
