/* The geometry of a band, as a table of neighbours. */
#ifndef BAND_H
#define BAND_H

/* Writes the neighbours of a cell (row by row, left to right as seen from the cell) and returns their number. */
static inline int neighbours(int rows, int columns, int cell, int near[8]) {
  const int row = cell / columns, column = cell % columns;
  int count = 0;
  for (int r = row - 1; r <= row + 1; ++r) {
    if (r < 0 || r >= rows) continue;
    for (int d = -1; d <= 1; ++d) {
      if (r != row || d != 0) near[count++] = r * columns + (column + d + columns) % columns;
    }
  }
  return count;
}

void serve(void);
void play(void);

#endif
