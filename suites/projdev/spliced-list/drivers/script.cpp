// rigorbench-canary a25b6a18-b249-4263-8654-8ba6031f129a
#include "rigor_driver.hpp"
#include <iostream>
#include <iterator>
#include <limits>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <list>

// Commands on lists of a kind of element: numbers, or elements that need care.
#include "run.hpp"

#include "elements.hpp"
#include "script.hpp"

namespace {

template <template <class> class List, class EmptyList, class InvalidIterator>
struct scripts {
  template <class Made>
  static void with(std::istream& in, std::ostream& out) {
    using list = List<typename Made::type>;
    static_assert(std::is_nothrow_move_constructible_v<list> && std::is_nothrow_move_assignable_v<list>);
    static_assert(noexcept(std::declval<list&>().swap(std::declval<list&>())));
    static_assert(std::is_convertible_v<typename list::iterator, typename list::const_iterator>);
    static_assert(!std::is_convertible_v<typename list::const_iterator, typename list::iterator>);
    drive::script<Made, list, EmptyList, InvalidIterator>(out).run(in);
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

#include "spliced_list.hpp"

int main() { return drive::report(scripts<sl::spliced_list, sl::empty_list, sl::invalid_iterator>::run); }
