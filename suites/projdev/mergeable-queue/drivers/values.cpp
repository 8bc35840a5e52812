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

// Commands on queues of the kinds of elements that are hard to keep: no default, no copy, no assignment, counted lives.
#include "run.hpp"

#include "elements.hpp"
#include "script.hpp"

namespace {

template <template <class, class> class Queue, class Empty>
struct values {
  template <class Made, class Element, class Before>
  static void with(std::istream& in, std::ostream& out, const std::vector<Before>& orders) {
    using queue = Queue<Element, Before>;
    static_assert(std::is_nothrow_move_constructible_v<queue> && std::is_nothrow_move_assignable_v<queue>);
    static_assert(noexcept(std::declval<queue&>().swap(std::declval<queue&>())));
    drive::script<queue, Made, Before, Empty>(orders, out).run(in);
  }

  // Queues that all have the same order.
  template <class Made, class Element, class Before>
  static void same(std::istream& in, std::ostream& out, std::size_t queues, const Before& order) {
    with<Made, Element>(in, out, std::vector<Before>(queues, order));
  }

  static void run(std::istream& in, std::ostream& out) {
    std::string kind;
    std::size_t queues = 0;
    in >> kind >> queues;
    if (kind == "records") {
      std::vector<drive::nearest> orders;
      for (std::int64_t centre = 0; orders.size() < queues && in >> centre;) orders.emplace_back(centre);
      with<drive::records, drive::counted>(in, out, orders);
    }
    if (kind == "singles") {
      same<drive::singles, drive::single>(in, out, queues, drive::singles::before(drive::single_before));
    }
    if (kind == "texts") same<drive::texts, std::string>(in, out, queues, std::less<std::string>());
    if (kind == "wides") same<drive::wides, drive::wide>(in, out, queues, std::less<drive::wide>());
    out << "left " << drive::counted::live << " ghosts " << drive::counted::ghosts << '\n';
  }
};

}  // namespace

#include "merge_queue.hpp"

int main() { return drive::report(values<mq::merge_queue, mq::empty_queue>::run); }
