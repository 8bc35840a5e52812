// The geometry of a band: cells are numbered from 0, row by row; its left and its right border touch.
#pragma once

#include <vector>

struct Band {
  int rows = 0, columns = 0;

  int size() const { return rows * columns; }
  int cell(int row, int column) const { return row * columns + column; }
  int row(int cell) const { return cell / columns; }
  int column(int cell) const { return cell % columns; }

  // By rows from above, and from the left within a row.
  template <class Visit>
  void around(int cell, Visit visit) const {
    const int r = row(cell), c = column(cell);
    for (int down = -1; down <= 1; ++down) {
      if (r + down < 0 || r + down >= rows) continue;
      for (int right = -1; right <= 1; ++right) {
        if (down != 0 || right != 0) visit(this->cell(r + down, (c + right + columns) % columns));
      }
    }
  }
};
