
#include <cstdio>
#include "machine.hpp"
using att::Matrix;
static int failed(void (*what)(att::Machine&)) {
  att::Machine machine({4, 2, 20, 10, 2, false}, 1);
  try {
    what(machine);
  } catch (const att::Failure&) {
    return -1;
  }
  return int(machine.finished());
}
static void product(att::Machine& m) { m.product_transposed(m.load(Matrix::q, 0, 2), m.load(Matrix::k, 0, 2)); }
int main() {
  // a load of 4 cells: 10 + 4
  std::printf("%d\n", failed([](att::Machine& m) { m.load(Matrix::q, 0, 2); }));
  // a second one runs after it, and the product (4 + 4 * 2 / 2) after both
  std::printf("%d\n", failed(product));
  // a load beside the computation: 28 + 14 is later than 28 + 8
  std::printf("%d\n", failed([](att::Machine& m) {
    product(m);
    m.load(Matrix::v, 0, 2);
  }));
  // a load that has to wait for the cells of q, which are free at 45
  std::printf("%d\n", failed([](att::Machine& m) {
    const int q = m.load(Matrix::q, 0, 4), k = m.load(Matrix::k, 0, 2);
    m.product_transposed(k, k);
    m.row_sum(q);
    m.release(q);
    m.load(Matrix::v, 0, 4);
  }));
  // 24 cells of 20; a row outside of the matrix; K is not writable; a tile that was released
  std::printf("%d\n", failed([](att::Machine& m) { m.filled(6, 4, 0); }));
  std::printf("%d\n", failed([](att::Machine& m) { m.load(Matrix::q, 3, 2); }));
  std::printf("%d\n", failed([](att::Machine& m) { m.store(m.filled(1, 2, 0), Matrix::k, 0); }));
  std::printf("%d\n", failed([](att::Machine& m) { int t = m.filled(1, 2, 0); m.release(t); m.add(t, t); }));
}
