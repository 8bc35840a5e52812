// A schedule that is right and slow: row after row, with all scores of a row in the fast memory.
#pragma once

#include "machine.hpp"

inline void schedule(att::Machine& machine) {
  const att::Problem& p = machine.problem();
  for (int row = 0; row < p.n; ++row) {
    const int q = machine.load(att::Matrix::q, row, 1);
    for (int j = 0; j < p.n; ++j) {
      const int k = machine.load(att::Matrix::k, j, 1);
      const int score = machine.product_transposed(q, k);
      if (p.causal) machine.mask(score, row, j);
      machine.store(score, att::Matrix::scratch, row, j);
      machine.release(score);
      machine.release(k);
    }
    machine.release(q);
    const int all = machine.load(att::Matrix::scratch, row, 1);
    const int top = machine.row_max(all);
    machine.exp_minus(all, top);
    const int sum = machine.row_sum(all);
    machine.divide(all, sum);
    machine.store(all, att::Matrix::scratch, row);
    for (int tile : {all, top, sum}) machine.release(tile);
    const int out = machine.filled(1, p.d, 0);
    for (int j = 0; j < p.n; ++j) {
      const int weight = machine.load(att::Matrix::scratch, row, 1, j, 1);
      const int v = machine.load(att::Matrix::v, j, 1);
      machine.accumulate(out, weight, v);
      machine.release(weight);
      machine.release(v);
    }
    machine.store(out, att::Matrix::o, row);
    machine.release(out);
  }
}
