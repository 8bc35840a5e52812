// rigorbench-canary 4b5084c6-e651-48cc-9b25-0a9ac5dcd7d9
// Commands on queues of numbers, smallest or greatest first.
#include "run.hpp"

#include "elements.hpp"
#include "script.hpp"

namespace {

template <template <class, class> class Queue, class Empty>
struct numbers {
  template <class Before>
  static void with(std::istream& in, std::ostream& out, std::size_t queues) {
    drive::script<Queue<std::int64_t, Before>, drive::ordered_numbers<Before>, Empty>(queues, Before(), out).run(in);
  }

  static void run(std::istream& in, std::ostream& out) {
    std::string order;
    std::size_t queues = 0;
    in >> order >> queues;
    if (order == "smallest") with<std::less<std::int64_t>>(in, out, queues);
    if (order == "greatest") with<std::greater<>>(in, out, queues);
  }
};

}  // namespace

#include "merge_queue.hpp"

int main() { return drive::report(numbers<mq::merge_queue, mq::empty_queue>::run); }
