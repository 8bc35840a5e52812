// rigorbench-canary b8a9a7c5-2800-409d-bf7a-99652dc62872
#include "rigor_driver.hpp"
#include <cstring>
#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// Counted work, failures at every place, large maps: one line of a case is one check.
#include "run.hpp"

#include "cost.hpp"
#include "memory.hpp"
#include "throwing.hpp"
#include "volume.hpp"

namespace {

template <template <class, class, class> class Map>
struct checks {
  using counted = Map<drive::counted, drive::counted, drive::nearest>;
  using plain = Map<std::uint64_t, std::uint64_t, std::less<std::uint64_t>>;
  using pages = Map<std::uint64_t, drive::page, std::less<std::uint64_t>>;

  static void run(std::istream& in, std::ostream& out) {
    std::string part;
    in >> part;
    if (part == "cost") drive::costs<counted>::run(in, out);
    if (part == "failures") drive::failures<counted>::run(in, out);
    if (part == "volume") return drive::volumes<plain, pages>::run(in, out);
    out << "left " << drive::counted::live << " ghosts " << drive::counted::ghosts << '\n';
  }
};

}  // namespace

#include "stable_map.hpp"

int main() { return drive::report(checks<om::stable_map>::run); }
