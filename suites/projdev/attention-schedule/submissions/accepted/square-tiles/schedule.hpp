// rigorbench-canary 0d86b03a-d5c5-459a-82db-0d5736010225
// Attention with the weights of a block in two passes: first the maxima and sums of all scores, then the weighted rows of V.
#pragma once

#include <algorithm>
#include <limits>

#include "machine.hpp"

namespace two_passes {

using att::Machine;
using att::Matrix;

// The side of a square tile with which everything fits.
inline int side(const att::Problem& p) {
  int size = 1;
  while (size < p.n && 3 * (size + 1) * p.d + (size + 1) * (size + 1) + 4 * (size + 1) <= p.capacity) ++size;
  return size;
}

inline int scores(Machine& machine, int q, int k, int row, int column) {
  const int made = machine.product_transposed(q, k);
  if (machine.problem().causal) machine.mask(made, row, column);
  return made;
}

inline void maxima(Machine& machine, int q, int top, int row, int end, int size) {
  for (int column = 0; column < end; column += size) {
    const int k = machine.load(Matrix::k, column, std::min(size, end - column));
    const int made = scores(machine, q, k, row, column);
    const int largest = machine.row_max(made);
    machine.maximum(top, largest);
    for (int tile : {k, made, largest}) machine.release(tile);
  }
}

inline void weighted(Machine& machine, int q, int top, int row, int end, int size, int rows) {
  const att::Problem& p = machine.problem();
  const int out = machine.filled(rows, p.d, 0), sum = machine.filled(rows, 1, 0);
  for (int column = 0; column < end; column += size) {
    const int columns = std::min(size, end - column);
    const int k = machine.load(Matrix::k, column, columns);
    const int weights = scores(machine, q, k, row, column);
    machine.release(k);
    machine.exp_minus(weights, top);
    const int part = machine.row_sum(weights);
    machine.add(sum, part);
    const int v = machine.load(Matrix::v, column, columns);
    machine.accumulate(out, weights, v);
    for (int tile : {weights, part, v}) machine.release(tile);
  }
  machine.divide(out, sum);
  machine.store(out, Matrix::o, row);
  machine.release(out);
  machine.release(sum);
}

}  // namespace two_passes

inline void schedule(att::Machine& machine) {
  const att::Problem& p = machine.problem();
  const int size = two_passes::side(p);
  for (int row = 0; row < p.n; row += size) {
    const int rows = std::min(size, p.n - row), end = p.causal ? row + rows : p.n;
    const int q = machine.load(att::Matrix::q, row, rows);
    const int top = machine.filled(rows, 1, -std::numeric_limits<double>::infinity());
    two_passes::maxima(machine, q, top, row, end, size);
    two_passes::weighted(machine, q, top, row, end, size, rows);
    machine.release(q);
    machine.release(top);
  }
}
