// rigorbench-canary 30995173-b7c4-441e-8bd0-91a05f94348c
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

template <template <class, class, class, class> class Map>
struct checks {
  using counted = Map<drive::counted, drive::counted, drive::hasher, drive::matcher>;
  using plain = Map<std::uint64_t, std::uint64_t, std::hash<std::uint64_t>, std::equal_to<>>;
  using pages = Map<std::uint64_t, drive::page, std::hash<std::uint64_t>, std::equal_to<>>;

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

#include "ordered_hash_map.hpp"

int main() { return drive::report(checks<oh::ordered_hash_map>::run); }
