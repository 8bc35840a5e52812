// rigorbench-canary 4b5084c6-e651-48cc-9b25-0a9ac5dcd7d9
#include "rigor_driver.hpp"
#include <algorithm>
#include <functional>
#include <iostream>
#include <iterator>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// Commands on queues of numbers, smallest or greatest first.
#include "run.hpp"

#include "elements.hpp"
#include "script.hpp"

namespace {

// An order with a state: compiling the queue once for both directions takes half the time.
struct directed {
  bool greatest;
  bool operator()(std::int64_t a, std::int64_t b) const { return greatest ? a > b : a < b; }
};

template <template <class, class> class Queue, class Empty>
struct numbers {
  static void run(std::istream& in, std::ostream& out) {
    std::string order;
    std::size_t queues = 0;
    in >> order >> queues;
    const std::vector<directed> orders(queues, directed{order == "greatest"});
    drive::script<Queue<std::int64_t, directed>, drive::numbers, directed, Empty>(orders, out).run(in);
  }
};

}  // namespace

#include "merge_queue.hpp"

int main() { return drive::report(numbers<mq::merge_queue, mq::empty_queue>::run); }
