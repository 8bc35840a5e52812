// rigorbench-canary 0d86b03a-d5c5-459a-82db-0d5736010225
// The slow time of a problem: one row of Q with one row of K and V at a time, running sums, nothing at the same time as anything else.
#pragma once

#include "machine.hpp"

inline void schedule(att::Machine& machine) {
  const att::Problem& p = machine.problem();
  for (int row = 0; row < p.n; ++row) {
    const int q = machine.load(att::Matrix::q, row, 1);
    int top = -1, sum = -1, out = -1;
    for (int j = 0; j < p.n; ++j) {
      const int k = machine.load(att::Matrix::k, j, 1);
      const int score = machine.product_transposed(q, k);
      machine.release(k);
      if (p.causal) machine.mask(score, row, j);
      const int now = machine.row_max(score);
      if (top >= 0) machine.maximum(now, top);
      machine.exp_minus(score, now);
      if (top < 0) {
        out = machine.filled(1, p.d, 0);
        sum = machine.filled(1, 1, 0);
      } else {
        machine.exp_minus(top, now);
        machine.scale(out, top);
        machine.scale(sum, top);
        machine.release(top);
      }
      top = now;
      machine.add(sum, score);
      const int v = machine.load(att::Matrix::v, j, 1);
      machine.accumulate(out, score, v);
      machine.release(v);
      machine.release(score);
    }
    machine.divide(out, sum);
    machine.store(out, att::Matrix::o, row);
    for (int tile : {q, top, sum, out}) machine.release(tile);
  }
}
