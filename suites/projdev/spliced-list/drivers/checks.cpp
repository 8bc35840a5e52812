// rigorbench-canary a25b6a18-b249-4263-8654-8ba6031f129a
#include "rigor_driver.hpp"
#include <algorithm>
#include <cstring>
#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// Counted work, failures at every place, large lists: one line of a case is one check.
#include "run.hpp"

#include "cost.hpp"
#include "memory.hpp"
#include "throwing.hpp"
#include "volume.hpp"

namespace {

template <template <class> class List>
struct checks {
  static void run(std::istream& in, std::ostream& out) {
    std::string part;
    in >> part;
    if (part == "cost") drive::costs<List<drive::counted>>::run(in, out);
    if (part == "failures") drive::failures<List<drive::counted>>::run(in, out);
    if (part == "volume") return drive::volumes<List<std::uint64_t>, List<drive::page>>::run(in, out);
    out << "left " << drive::counted::live << " ghosts " << drive::counted::ghosts << '\n';
  }
};

}  // namespace

#include "spliced_list.hpp"

int main() { return drive::report(checks<sl::spliced_list>::run); }
