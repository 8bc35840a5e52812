/* The server. Every cell is one byte; a change is undone by a record of (cell, byte before). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "band.h"

enum { MINE = 1, MARKED = 2, OPEN = 4, EXPLODED = 8 };
enum { MOST_CELLS = 250000, MOST_WORDS = 8, LONGEST_LINE = 4096 };

typedef struct {
  int cell;
  unsigned char before, first; /* first: a move begins here */
} record;

static int rows, columns, lives, mine_count, begun;
static int opened, marked, exploded;
static unsigned char cells[MOST_CELLS];
static int queue[MOST_CELLS];
static record* records;
static size_t record_count, record_room;
static int first_of_move;

static void change(int cell, unsigned char to) {
  if (record_count == record_room) {
    record_room = record_room ? 2 * record_room : 1024;
    records = realloc(records, record_room * sizeof *records);
    if (!records) abort();
  }
  records[record_count++] = (record){cell, cells[cell], (unsigned char)first_of_move};
  first_of_move = 0;
  opened += !!(to & OPEN) - !!(cells[cell] & OPEN);
  marked += !!(to & MARKED) - !!(cells[cell] & MARKED);
  exploded += !!(to & EXPLODED) - !!(cells[cell] & EXPLODED);
  cells[cell] = to;
}

static int count_near(int cell, int kinds) {
  int near[8], found = 0;
  for (int i = neighbours(rows, columns, cell, near); i-- > 0;) found += (cells[near[i]] & kinds) != 0;
  return found;
}

static int lost(void) { return exploded >= lives; }
static int won(void) { return opened == rows * columns - mine_count; }

/* Opens one closed cell and its flood; the number of cells opened, or -1 for an explosion. */
static int open_cell(int cell) {
  if (cells[cell] & MINE) {
    change(cell, cells[cell] | EXPLODED);
    return -1;
  }
  int head = 0, tail = 0;
  change(cell, OPEN);
  queue[tail++] = cell;
  while (head < tail) {
    const int here = queue[head++];
    int near[8];
    if (count_near(here, MINE)) continue;
    for (int i = 0, n = neighbours(rows, columns, here, near); i < n; ++i) {
      if (cells[near[i]]) continue; /* no mine here: all that is set says open or marked */
      change(near[i], OPEN);
      queue[tail++] = near[i];
    }
  }
  return tail;
}

static void tell_end(void) {
  if (lost()) {
    puts("lost");
  } else if (won()) {
    puts("won");
  }
}

static void command_open(int cell) {
  first_of_move = 1;
  if (cells[cell] & MARKED) {
    puts("marked");
  } else if (cells[cell] & (OPEN | EXPLODED)) {
    puts("known");
  } else {
    const int count = open_cell(cell);
    if (count < 0) {
      printf("mine %d\n", lives - exploded);
    } else {
      printf("opened %d\n", count);
    }
    tell_end();
  }
}

static void command_mark(int cell) {
  first_of_move = 1;
  if (cells[cell] & (OPEN | EXPLODED)) {
    puts("known");
    return;
  }
  change(cell, cells[cell] ^ MARKED);
  puts(cells[cell] & MARKED ? "marked" : "unmarked");
}

static void command_sweep(int cell) {
  if (!(cells[cell] & OPEN)) {
    puts("closed");
    return;
  }
  const int accounted = count_near(cell, MARKED | EXPLODED);
  if (accounted != count_near(cell, MINE)) {
    printf("no %d\n", accounted);
    return;
  }
  int near[8], safe = 0, bad = 0;
  first_of_move = 1;
  for (int i = 0, n = neighbours(rows, columns, cell, near); i < n && !lost(); ++i) {
    if (cells[near[i]] & (OPEN | EXPLODED | MARKED)) continue;
    const int count = open_cell(near[i]);
    if (count < 0) {
      ++bad;
    } else {
      safe += count;
    }
  }
  printf("swept %d %d\n", safe, bad);
  tell_end();
}

static void command_undo(void) {
  if (record_count == 0) {
    puts("nothing");
    return;
  }
  record last;
  do {
    last = records[--record_count];
    const unsigned char now = cells[last.cell];
    opened -= !!(now & OPEN) - !!(last.before & OPEN);
    marked -= !!(now & MARKED) - !!(last.before & MARKED);
    exploded -= !!(now & EXPLODED) - !!(last.before & EXPLODED);
    cells[last.cell] = last.before;
  } while (!last.first);
  puts("undone");
}

static void command_show(const int at[4]) {
  const int width = at[3] >= at[1] ? at[3] - at[1] + 1 : columns - at[1] + 1 + at[3];
  for (int row = at[0] - 1; row < at[2]; ++row) {
    for (int i = 0; i < width; ++i) {
      const int cell = row * columns + (at[1] - 1 + i) % columns;
      const int number = count_near(cell, MINE);
      putchar(cells[cell] & OPEN ? (number ? '0' + number : '-') : cells[cell] & MARKED ? '?' : cells[cell] & EXPLODED ? '*' : '#');
    }
    putchar('\n');
  }
}

static void begin(int count, char** words) {
  const int made = count == 6;
  rows = atoi(words[1]);
  columns = atoi(words[2]);
  lives = atoi(words[made ? 4 : 3]);
  memset(cells, 0, (size_t)(rows * columns));
  mine_count = opened = marked = exploded = 0;
  record_count = 0;
  begun = 1;
  if (made) {
    unsigned x = (unsigned)strtoul(words[5], NULL, 10);
    for (const int wanted = atoi(words[3]); mine_count < wanted;) {
      x = 1664525u * x + 1013904223u;
      const int cell = (int)(((unsigned long long)x * (unsigned)(rows * columns)) >> 32);
      mine_count += !cells[cell];
      cells[cell] = MINE;
    }
  } else {
    static char line[LONGEST_LINE];
    for (int row = 0; row < rows && fgets(line, sizeof line, stdin); ++row) {
      for (int column = 0; column < columns; ++column) {
        if (line[column] == '*') cells[row * columns + column] = MINE, ++mine_count;
      }
    }
  }
  printf("field %d %d %d\n", rows, columns, mine_count);
}

/* The number that a word is, or 0. */
static int number(const char* word) {
  const size_t length = strlen(word);
  if (length == 0 || length > 9 || word[0] == '0' || strspn(word, "0123456789") != length) return 0;
  return atoi(word);
}

static void answer(char* line) {
  static const struct {
    const char* name;
    int arguments;
  } known[] = {{"open", 2}, {"mark", 2}, {"sweep", 2}, {"undo", 0}, {"state", 0}, {"show", 4}};
  char* words[MOST_WORDS + 1];
  int count = 0, right = 0, at[4] = {0};
  for (char* word = line; count <= MOST_WORDS; ++count) {
    words[count] = word;
    char* space = strchr(word, ' ');
    if (!space) {
      ++count;
      break;
    }
    *space = '\0';
    word = space + 1;
  }
  if (strcmp(words[0], "new") == 0 || strcmp(words[0], "make") == 0) {
    begin(count, words);
    return;
  }
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    right = right || (strcmp(words[0], known[i].name) == 0 && count == known[i].arguments + 1);
  }
  for (int i = 1; right && i < count; ++i) right = (at[i - 1] = number(words[i])) > 0;
  const int shows = strcmp(words[0], "show") == 0;
  if (!right) {
    puts("error command");
  } else if (!begun) {
    puts("error game");
  } else if (strcmp(words[0], "undo") == 0) {
    command_undo();
  } else if (strcmp(words[0], "state") == 0) {
    printf("%s %d %d %d %d\n", lost() ? "lost" : won() ? "won" : "playing", opened, marked, exploded, lives - exploded);
  } else if (!shows && (lost() || won())) {
    puts("error over");
  } else if (at[0] > rows || at[2] > rows || at[1] > columns || at[3] > columns || (shows && at[2] < at[0])) {
    puts("error cell");
  } else if (shows) {
    command_show(at);
  } else {
    const int cell = (at[0] - 1) * columns + at[1] - 1;
    (words[0][0] == 'o' ? command_open : words[0][0] == 'm' ? command_mark : command_sweep)(cell);
  }
}

void serve(void) {
  static char line[LONGEST_LINE];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = '\0';
    answer(line);
    fflush(stdout);
  }
}
