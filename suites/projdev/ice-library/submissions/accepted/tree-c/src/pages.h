// rigorbench-canary 74a1702a-6ecf-460f-ad58-eec864a688ab
/* Pages of a file, through a cache. */
#ifndef PAGES_H
#define PAGES_H

#include <stdint.h>

enum { PAGE = 4096, ROOTS = 2 };

void pages_open(const char *name);
void pages_close(void);

/* The page, valid until some hundred others have been asked for. `change`: it will be written to. */
unsigned char *page_at(uint32_t number, int change);
uint32_t page_new(void); /* its content is undefined */
void page_free(uint32_t number);

/* Page number of a tree's root, 0 for an empty tree. */
uint32_t *root_of(int tree);

/* Ends the program with a message. */
void fail(const char *what);

#endif
