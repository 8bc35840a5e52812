/* The player keeps sets of closed cells of which it knows how many are mined, and closes them under differences: from a set
   and one that contains it follows a third. Where nothing is certain it takes the cell whose densest set is the sparsest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "band.h"

enum { CLOSED = -1, EXPLODED = -2, MINED = -3, MOST_CELLS = 1024, MOST_SETS = 6000 };

typedef struct {
  int size, mines, cells[8];
} set;

static int rows, columns, mines, hidden, over;
static int seen[MOST_CELLS];
static set sets[MOST_SETS];
static int set_count;
static int of_cell[MOST_CELLS][256], of_cell_count[MOST_CELLS];

static void receive(int cell) {
  char word[16];
  int count = 0, ended;
  if (scanf("%15s %d", word, &count) != 2) exit(1);
  if (strcmp(word, "mine") == 0) {
    seen[cell] = EXPLODED;
    ended = count == 0;
  } else {
    for (int i = 0; i < count; ++i) {
      int row, column, number;
      if (scanf("%d %d %d", &row, &column, &number) != 3) exit(1);
      seen[(row - 1) * columns + column - 1] = number;
    }
    hidden -= count;
    ended = hidden == 0;
  }
  if (ended) over = scanf("%15s", word) == 1;
}

static void open_cell(int cell) {
  printf("open %d %d\n", cell / columns + 1, cell % columns + 1);
  fflush(stdout);
  receive(cell);
}

static int contains(const set* more, const set* less) {
  int i = 0;
  for (int j = 0; j < more->size && i < less->size; ++j) i += more->cells[j] == less->cells[i];
  return i == less->size;
}

static int same(const set* a, const set* b) {
  return a->size == b->size && memcmp(a->cells, b->cells, sizeof(int) * (size_t)a->size) == 0;
}

static void add(const set* one) {
  if (one->size == 0 || set_count == MOST_SETS) return;
  const int home = one->cells[0];
  for (int i = 0; i < of_cell_count[home]; ++i) {
    if (same(&sets[of_cell[home][i]], one)) return;
  }
  for (int i = 0; i < one->size; ++i) {
    const int cell = one->cells[i];
    if (of_cell_count[cell] < 256) of_cell[cell][of_cell_count[cell]++] = set_count;
  }
  sets[set_count++] = *one;
}

static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

static void collect(void) {
  set_count = 0;
  memset(of_cell_count, 0, sizeof of_cell_count);
  for (int cell = 0; cell < rows * columns; ++cell) {
    if (seen[cell] <= 0) continue;
    set one = {0, seen[cell], {0}};
    int near[8];
    for (int i = 0, n = neighbours(rows, columns, cell, near); i < n; ++i) {
      if (seen[near[i]] == CLOSED) one.cells[one.size++] = near[i];
      if (seen[near[i]] <= EXPLODED) --one.mines;
    }
    qsort(one.cells, (size_t)one.size, sizeof(int), compare);
    add(&one);
  }
}

static void subtract(const set* more, const set* less) {
  set rest = {0, more->mines - less->mines, {0}};
  for (int j = 0, i = 0; j < more->size; ++j) {
    if (i < less->size && more->cells[j] == less->cells[i]) {
      ++i;
    } else {
      rest.cells[rest.size++] = more->cells[j];
    }
  }
  add(&rest);
}

/* What two sets share has at least so many mines as one has beyond what fits into its rest. */
static void overlap(const set* a, const set* b) {
  set common = {0, 0, {0}}, rest = {0, 0, {0}};
  for (int j = 0, i = 0; j < a->size; ++j) {
    while (i < b->size && b->cells[i] < a->cells[j]) ++i;
    if (i < b->size && b->cells[i] == a->cells[j]) {
      common.cells[common.size++] = a->cells[j];
    } else {
      rest.cells[rest.size++] = a->cells[j];
    }
  }
  if (common.size == 0 || rest.size == 0) return;
  /* At most b's mines are shared; if a needs more than the rest can take beside them, the rest is full. */
  const int shared = b->mines < common.size ? b->mines : common.size;
  if (a->mines - shared == rest.size) {
    rest.mines = rest.size;
    add(&rest);
    common.mines = shared;
    add(&common);
  }
}

static void close_sets(void) {
  for (int i = 0; i < set_count; ++i) {
    for (int k = 0; k < sets[i].size; ++k) {
      const int cell = sets[i].cells[k];
      for (int n = 0; n < of_cell_count[cell] && of_cell[cell][n] < i; ++n) {
        const set *a = &sets[i], *b = &sets[of_cell[cell][n]];
        if (contains(a, b)) {
          subtract(a, b);
        } else if (contains(b, a)) {
          subtract(b, a);
        } else {
          overlap(a, b);
          overlap(b, a);
        }
      }
    }
  }
}

/* Opens what is safe and notes what is mined; whether there was anything of the kind. */
static int settle(void) {
  int found = 0;
  for (int i = 0; i < set_count && !over; ++i) {
    const set one = sets[i];
    if (one.mines != 0 && one.mines != one.size) continue;
    for (int k = 0; k < one.size && !over; ++k) {
      if (seen[one.cells[k]] != CLOSED) continue;
      found = 1;
      if (one.mines == 0) {
        open_cell(one.cells[k]);
      } else {
        seen[one.cells[k]] = MINED;
      }
    }
  }
  return found;
}

static void guess(void) {
  static double density[MOST_CELLS];
  int closed = 0, left = mines, free_cells = 0, best = -1;
  double expected = 0;
  for (int cell = 0; cell < rows * columns; ++cell) {
    left -= seen[cell] <= EXPLODED;
    closed += seen[cell] == CLOSED;
    density[cell] = -1;
    for (int n = 0; n < of_cell_count[cell]; ++n) {
      const set* one = &sets[of_cell[cell][n]];
      const double here = (double)one->mines / one->size;
      if (here > density[cell]) density[cell] = here;
    }
    if (seen[cell] == CLOSED && density[cell] < 0) ++free_cells;
    if (seen[cell] == CLOSED && density[cell] > 0) expected += 0.8 * density[cell];
  }
  double outside = free_cells > 0 ? (left - expected) / free_cells : 1;
  if (outside < 0.05) outside = 0.05;
  for (int cell = 0; cell < rows * columns; ++cell) {
    if (seen[cell] != CLOSED) continue;
    if (density[cell] < 0) density[cell] = outside;
    if (best < 0 || density[cell] < density[best]) best = cell;
  }
  if (best < 0 || density[best] * 0.1 > (1 - density[best]) * 0.5 * hidden / (rows * columns - mines)) {
    puts("stop");
    fflush(stdout);
    char word[16];
    over = scanf("%15s", word) == 1;
    return;
  }
  open_cell(best);
}

void play(void) {
  int games = 0;
  char word[16];
  if (scanf("%d", &games) != 1) return;
  while (scanf("%15s", word) == 1 && strcmp(word, "game") == 0) {
    int lives = 0;
    if (scanf("%d %d %d %d", &rows, &columns, &mines, &lives) != 4) exit(1);
    for (int cell = 0; cell < rows * columns; ++cell) seen[cell] = CLOSED;
    hidden = rows * columns - mines;
    over = 0;
    receive(-1);
    while (!over) {
      collect();
      close_sets();
      if (!settle() && !over) guess();
    }
  }
}
