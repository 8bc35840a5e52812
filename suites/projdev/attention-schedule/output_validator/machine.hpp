// rigorbench-canary 0d86b03a-d5c5-459a-82db-0d5736010225
// The machine that attention is scheduled on: a large slow memory, a small fast one, two units that work side by side.
// STATEMENT.md describes it. The judge uses its own copy of this file.
#ifndef ATT_MACHINE_HPP
#define ATT_MACHINE_HPP

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace att {

struct Problem {
  int n = 0;         // rows of Q, K, V and O
  int d = 0;         // their columns
  int capacity = 0;  // cells of the fast memory
  int latency = 0;   // time that every transfer takes in addition
  int rate = 0;      // multiplications in a unit of time
  bool causal = false;
  friend bool operator==(const Problem&, const Problem&) = default;
};

enum class Matrix { q, k, v, o, scratch };

// A call of one of the machine's functions.
struct Operation {
  enum Kind { load, store, release, filled, product_transposed, accumulate, mask, row_max, row_sum, exp_minus, scale, divide, add, maximum };
  Kind kind;
  std::array<int, 5> numbers;  // in the order of the parameters
  double value = 0;            // of filled
};

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Machine {
 public:
  using Tile = int;
  using Time = std::int64_t;

  Machine(const Problem& problem, std::uint64_t seed) : problem_(problem), state_(seed) {
    for (int m = 0; m < 5; ++m) slow_[m].assign(std::size_t(problem.n) * columns(Matrix(m)), 0.0);
    for (int m = 0; m < 3; ++m) {
      for (double& value : slow_[m]) value = draw() * (m == 2 ? 1 : 9);
    }
    room_[0] = problem.capacity;
  }

  // A copy can be used to try something; the machine itself cannot be replaced.
  Machine(const Machine&) = default;
  Machine& operator=(const Machine&) = delete;

  const Problem& problem() const { return problem_; }

  // -- transfers --

  Tile load(Matrix matrix, int row, int rows, int column = 0, int count = -1) {
    note({Operation::load, {int(matrix), row, rows, column, count}});
    if (count < 0) count = columns(matrix);
    check_place(matrix, row, rows, column, count);
    const Tile made = make(rows, count);
    Data& tile = tiles_.at(made);
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < count; ++c) tile.at(r, c) = cell(matrix, row + r, column + c);
    }
    // What was stored before has arrived: there is only one unit for transfers.
    run(transfer_, tile.begin, problem_.latency + tile.size(), {&tile});
    return made;
  }

  void store(Tile source, Matrix matrix, int row, int column = 0) {
    note({Operation::store, {source, int(matrix), row, column}});
    if (matrix != Matrix::o && matrix != Matrix::scratch) throw Failure("only O and scratch can be written");
    Data& tile = use(source);
    check_place(matrix, row, tile.rows, column, tile.columns);
    for (int r = 0; r < tile.rows; ++r) {
      for (int c = 0; c < tile.columns; ++c) cell(matrix, row + r, column + c) = tile.at(r, c);
    }
    run(transfer_, 0, problem_.latency + tile.size(), {&tile});
  }

  // The tile's cells can be used again once everything that uses the tile is done.
  void release(Tile tile) {
    note({Operation::release, {tile}});
    const Data& old = use(tile);
    room_[old.ready] += old.size();
    tiles_.erase(tile);
  }

  // -- computation --

  Tile filled(int rows, int columns, double value) {
    note({Operation::filled, {rows, columns}, value});
    if (rows < 1 || columns < 1) throw Failure("a tile has at least one row and one column");
    const Tile made = make(rows, columns);
    Data& tile = tiles_.at(made);
    std::fill(tile.cells.begin(), tile.cells.end(), value);
    run(compute_, tile.begin, simple(tile), {&tile});
    return made;
  }

  // a times b transposed
  Tile product_transposed(Tile left, Tile right) {
    note({Operation::product_transposed, {left, right}});
    if (use(left).columns != use(right).columns) throw Failure("product_transposed: the columns differ");
    const Tile made = make(use(left).rows, use(right).rows);
    Data &a = use(left), &b = use(right), &c = use(made);
    for (int i = 0; i < c.rows; ++i) {
      for (int j = 0; j < c.columns; ++j) {
        double sum = 0;
        for (int x = 0; x < a.columns; ++x) sum += a.at(i, x) * b.at(j, x);
        c.at(i, j) = sum;
      }
    }
    run(compute_, c.begin, products(c, a.columns), {&a, &b, &c});
    return made;
  }

  // c += a times b
  void accumulate(Tile target, Tile left, Tile right) {
    note({Operation::accumulate, {target, left, right}});
    Data &c = use(target), &a = use(left), &b = use(right);
    if (a.columns != b.rows || a.rows != c.rows || b.columns != c.columns) throw Failure("accumulate: the shapes do not fit");
    for (int i = 0; i < c.rows; ++i) {
      for (int x = 0; x < a.columns; ++x) {
        const double by = a.at(i, x);
        for (int j = 0; j < c.columns; ++j) c.at(i, j) += by * b.at(x, j);
      }
    }
    run(compute_, 0, products(c, a.columns), {&a, &b, &c});
  }

  // Entries whose column (of the whole matrix of scores) is larger than their row become minus infinity.
  void mask(Tile target, int first_row, int first_column) {
    note({Operation::mask, {target, first_row, first_column}});
    Data& tile = use(target);
    for (int r = 0; r < tile.rows; ++r) {
      for (int c = 0; c < tile.columns; ++c) {
        if (first_column + c > first_row + r) tile.at(r, c) = -std::numeric_limits<double>::infinity();
      }
    }
    run(compute_, 0, simple(tile), {&tile});
  }

  Tile row_max(Tile source) {
    note({Operation::row_max, {source}});
    return reduce(source, -std::numeric_limits<double>::infinity(), [](double a, double b) { return std::max(a, b); });
  }
  Tile row_sum(Tile source) {
    note({Operation::row_sum, {source}});
    return reduce(source, 0, [](double a, double b) { return a + b; });
  }

  // a = exp(a - column), a *= column, a /= column: entry by entry, with the entry of the same row of a column
  void exp_minus(Tile a, Tile column) {
    note({Operation::exp_minus, {a, column}});
    by_row(a, column, [](double x, double y) { return std::exp(x - y); });
  }
  void scale(Tile a, Tile column) {
    note({Operation::scale, {a, column}});
    by_row(a, column, [](double x, double y) { return x * y; });
  }
  void divide(Tile a, Tile column) {
    note({Operation::divide, {a, column}});
    by_row(a, column, [](double x, double y) { return x / y; });
  }

  // a += b, a = max(a, b): entry by entry, for tiles of the same shape
  void add(Tile a, Tile b) {
    note({Operation::add, {a, b}});
    entry_by_entry(a, b, [](double x, double y) { return x + y; });
  }
  void maximum(Tile a, Tile b) {
    note({Operation::maximum, {a, b}});
    entry_by_entry(a, b, [](double x, double y) { return std::max(x, y); });
  }

  // -- for the judge --

  Time finished() const { return std::max(transfer_, compute_); }

  // All calls so far, also those that failed. The judge repeats them on a machine of its own, whose time counts.
  const std::vector<Operation>& operations() const { return operations_; }

  void repeat(const Operation& operation) {
    const auto& [kind, n, value] = operation;
    switch (kind) {
      case Operation::load: load(Matrix(n[0]), n[1], n[2], n[3], n[4]); break;
      case Operation::store: store(n[0], Matrix(n[1]), n[2], n[3]); break;
      case Operation::release: release(n[0]); break;
      case Operation::filled: filled(n[0], n[1], value); break;
      case Operation::product_transposed: product_transposed(n[0], n[1]); break;
      case Operation::accumulate: accumulate(n[0], n[1], n[2]); break;
      case Operation::mask: mask(n[0], n[1], n[2]); break;
      case Operation::row_max: row_max(n[0]); break;
      case Operation::row_sum: row_sum(n[0]); break;
      case Operation::exp_minus: exp_minus(n[0], n[1]); break;
      case Operation::scale: scale(n[0], n[1]); break;
      case Operation::divide: divide(n[0], n[1]); break;
      case Operation::add: add(n[0], n[1]); break;
      case Operation::maximum: maximum(n[0], n[1]); break;
    }
  }

  // The largest difference between O and the right result for the matrices of another machine, as it was given; infinity if O has something
  // that is no number, or if the problem is another one.
  double error(const Machine& given) const {
    if (problem_ != given.problem_) return std::numeric_limits<double>::infinity();
    const int n = problem_.n, d = problem_.d;
    double most = 0;
    std::vector<double> weights(n);
    for (int i = 0; i < n; ++i) {
      const int end = problem_.causal ? i + 1 : n;
      double top = -std::numeric_limits<double>::infinity(), sum = 0;
      for (int j = 0; j < end; ++j) {
        weights[j] = 0;
        for (int x = 0; x < d; ++x) weights[j] += given.slow_[0][std::size_t(i) * d + x] * given.slow_[1][std::size_t(j) * d + x];
        top = std::max(top, weights[j]);
      }
      for (int j = 0; j < end; ++j) sum += weights[j] = std::exp(weights[j] - top);
      std::vector<double> right(d, 0.0);
      for (int j = 0; j < end; ++j) {
        for (int x = 0; x < d; ++x) right[x] += weights[j] / sum * given.slow_[2][std::size_t(j) * d + x];
      }
      for (int x = 0; x < d; ++x) {
        const double off = std::abs(slow_[3][std::size_t(i) * d + x] - right[x]);
        most = off <= most ? most : std::isnan(off) ? std::numeric_limits<double>::infinity() : off;
      }
    }
    return most;
  }

 private:
  void note(const Operation& operation) { operations_.push_back(operation); }

  struct Data {
    int rows = 0, columns = 0;
    Time begin = 0;  // when its cells are there
    Time ready = 0;  // when the last operation with it is done
    std::vector<double> cells;
    int size() const { return rows * columns; }
    double& at(int row, int column) { return cells[std::size_t(row) * columns + column]; }
  };

  int columns(Matrix matrix) const { return matrix == Matrix::scratch ? problem_.n : problem_.d; }
  double& cell(Matrix matrix, int row, int column) {
    return slow_[int(matrix)][std::size_t(row) * columns(matrix) + column];
  }
  void check_place(Matrix matrix, int row, int rows, int column, int count) const {
    if (rows < 1 || count < 1 || row < 0 || column < 0 || row > problem_.n - rows || column > columns(matrix) - count) {
      throw Failure("a transfer outside of the matrix: rows " + std::to_string(row) + " to " + std::to_string(row + rows - 1));
    }
  }

  Data& use(Tile tile) {
    const auto found = tiles_.find(tile);
    if (found == tiles_.end()) throw Failure("there is no tile " + std::to_string(tile));
    return found->second;
  }

  // A tile in the cells that become free first.
  Tile make(int rows, int columns) {
    std::int64_t wanted = std::int64_t(rows) * columns;
    Time begin = 0;
    while (wanted > 0) {
      if (room_.empty()) throw Failure("the fast memory is full: a tile of " + std::to_string(rows) + " x " + std::to_string(columns));
      const auto first = room_.begin();
      const std::int64_t some = std::min(wanted, first->second);
      begin = std::max(begin, first->first);
      wanted -= some;
      first->second -= some;
      if (first->second == 0) room_.erase(first);
    }
    Data& tile = tiles_[++last_];
    tile.rows = rows;
    tile.columns = columns;
    tile.begin = begin;
    tile.cells.assign(std::size_t(rows) * columns, 0.0);
    return last_;
  }

  // An operation begins when its unit has done what it was given before, and all its tiles are ready.
  void run(Time& unit, Time earliest, Time takes, std::initializer_list<Data*> tiles) {
    Time begin = std::max(unit, earliest);
    for (const Data* tile : tiles) begin = std::max(begin, tile->ready);
    unit = begin + takes;
    for (Data* tile : tiles) tile->ready = unit;
  }
  Time simple(const Data& tile) const { return 4 + (tile.size() + 7) / 8; }
  Time products(const Data& target, int depth) const {
    return 4 + (Time(target.size()) * depth + problem_.rate - 1) / problem_.rate;
  }

  template <class Combine>
  Tile reduce(Tile source, double start, Combine combine) {
    const Tile made = make(use(source).rows, 1);
    Data &a = use(source), &b = use(made);
    for (int r = 0; r < a.rows; ++r) {
      double value = start;
      for (int c = 0; c < a.columns; ++c) value = combine(value, a.at(r, c));
      b.at(r, 0) = value;
    }
    run(compute_, b.begin, simple(a), {&a, &b});
    return made;
  }

  template <class Change>
  void by_row(Tile target, Tile column, Change change) {
    Data &a = use(target), &b = use(column);
    if (b.columns != 1 || a.rows != b.rows) throw Failure("a column with as many rows is needed");
    for (int r = 0; r < a.rows; ++r) {
      for (int c = 0; c < a.columns; ++c) a.at(r, c) = change(a.at(r, c), b.at(r, 0));
    }
    run(compute_, 0, simple(a), {&a, &b});
  }

  template <class Change>
  void entry_by_entry(Tile target, Tile other, Change change) {
    Data &a = use(target), &b = use(other);
    if (a.rows != b.rows || a.columns != b.columns) throw Failure("the shapes differ");
    for (std::size_t i = 0; i < a.cells.size(); ++i) a.cells[i] = change(a.cells[i], b.cells[i]);
    run(compute_, 0, simple(a), {&a, &b});
  }

  double draw() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return double(std::int64_t((state_ >> 33) % 2001) - 1000) / 1000;
  }

  Problem problem_;
  std::uint64_t state_;
  std::vector<double> slow_[5];
  std::map<Tile, Data> tiles_;
  std::map<Time, std::int64_t> room_;  // free cells by the time from which they are free
  Tile last_ = 0;
  Time transfer_ = 0, compute_ = 0;
  std::vector<Operation> operations_;
};

}  // namespace att

#endif  // ATT_MACHINE_HPP
