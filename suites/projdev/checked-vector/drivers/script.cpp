// rigorbench-canary ff6c925b-e7ec-441b-b728-dfa192fd87f2
#include "rigor_driver.hpp"
#include <iostream>
#include <iterator>
#include <limits>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// Commands on vectors of a kind of element: numbers, or elements that need care.
#include "run.hpp"

#include "elements.hpp"
#include "script.hpp"

namespace {

template <template <class> class Vector, class BadIndex, class InvalidIterator>
struct scripts {
  template <class Made>
  static void with(std::istream& in, std::ostream& out) {
    using vector = Vector<typename Made::type>;
    static_assert(std::is_nothrow_move_constructible_v<vector> && std::is_nothrow_move_assignable_v<vector>);
    static_assert(noexcept(std::declval<vector&>().swap(std::declval<vector&>())));
    static_assert(std::is_convertible_v<typename vector::iterator, typename vector::const_iterator>);
    static_assert(!std::is_convertible_v<typename vector::const_iterator, typename vector::iterator>);
    drive::script<Made, vector, BadIndex, InvalidIterator>(out).run(in);
  }

  static void run(std::istream& in, std::ostream& out) {
    std::string kind;
    in >> kind;
    if (kind == "numbers") return with<drive::numbers>(in, out);
    if (kind == "records") with<drive::records>(in, out);
    if (kind == "singles") with<drive::singles>(in, out);
    if (kind == "texts") with<drive::texts>(in, out);
    if (kind == "wides") with<drive::wides>(in, out);
    out << "left " << drive::counted::live << " ghosts " << drive::counted::ghosts;
    out << " misaligned " << drive::wide::misaligned << '\n';
  }
};

}  // namespace

#include "checked_vector.hpp"

int main() { return drive::report(scripts<cv::checked_vector, cv::bad_index, cv::invalid_iterator>::run); }
