// rigorbench-canary ff6c925b-e7ec-441b-b728-dfa192fd87f2
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

// Counted work, failures at every place, large vectors: one line of a case is one check.
#include "run.hpp"

#include "cost.hpp"
#include "memory.hpp"
#include "throwing.hpp"
#include "volume.hpp"

namespace {

template <template <class> class Vector>
struct checks {
  static void run(std::istream& in, std::ostream& out) {
    std::string part;
    in >> part;
    if (part == "cost") drive::costs<Vector<drive::counted>>::run(in, out);
    if (part == "failures") drive::failures<Vector<drive::counted>>::run(in, out);
    if (part == "volume") return drive::volumes<Vector<std::uint64_t>, Vector<drive::page>>::run(in, out);
    out << "left " << drive::counted::live << " ghosts " << drive::counted::ghosts << '\n';
  }
};

}  // namespace

#include "checked_vector.hpp"

int main() { return drive::report(checks<cv::checked_vector>::run); }
