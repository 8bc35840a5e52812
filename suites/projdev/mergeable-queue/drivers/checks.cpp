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

// Counted work, failures at every place, large queues: one line of a case is one check.
#include "run.hpp"

#include "cost.hpp"
#include "memory.hpp"
#include "throwing.hpp"
#include "volume.hpp"

namespace {

template <template <class, class> class Queue>
struct checks {
  static void run(std::istream& in, std::ostream& out) {
    using counting = Queue<drive::counted, drive::asking<drive::counted>>;
    std::string part;
    in >> part;
    if (part == "cost") drive::costs<counting>::run(in, out);
    if (part == "failures") drive::failures<counting>::run(in, out);
    if (part == "volume") return drive::volumes<Queue<std::uint64_t, std::less<std::uint64_t>>>::run(in, out);
    out << "left " << drive::counted::live << " ghosts " << drive::counted::ghosts << '\n';
  }
};

}  // namespace

#include "merge_queue.hpp"

int main() { return drive::report(checks<mq::merge_queue>::run); }
