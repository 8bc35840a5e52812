// rigorbench-canary 30995173-b7c4-441e-8bd0-91a05f94348c
#include "rigor_driver.hpp"
#include <functional>
#include <iostream>
#include <iterator>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// Commands on maps of a kind of keys and values: numbers, or such that need care.
#include "run.hpp"

#include "elements.hpp"
#include "script.hpp"

namespace {

template <template <class, class, class, class> class Map, class NoSuchKey, class InvalidIterator>
struct scripts {
  template <class Made>
  static void with(std::istream& in, std::ostream& out) {
    using map = Map<typename Made::key, typename Made::value, typename Made::hash, typename Made::equal>;
    static_assert(std::is_nothrow_move_constructible_v<map> && std::is_nothrow_move_assignable_v<map>);
    static_assert(noexcept(std::declval<map&>().swap(std::declval<map&>())));
    static_assert(std::is_convertible_v<typename map::iterator, typename map::const_iterator>);
    static_assert(!std::is_convertible_v<typename map::const_iterator, typename map::iterator>);
    drive::script<Made, map, NoSuchKey, InvalidIterator>(out).run(in);
  }

  static void run(std::istream& in, std::ostream& out) {
    std::string kind;
    in >> kind;
    if (kind == "numbers") return with<drive::numbers>(in, out);
    if (kind == "records") {
      in >> drive::records::share;
      with<drive::records>(in, out);
    }
    if (kind == "singles") with<drive::singles>(in, out);
    if (kind == "texts") with<drive::texts>(in, out);
    out << "left " << drive::counted::live << " ghosts " << drive::counted::ghosts;
    out << " misaligned " << drive::wide::misaligned << '\n';
  }
};

}  // namespace

#include "ordered_hash_map.hpp"

int main() { return drive::report(scripts<oh::ordered_hash_map, oh::no_such_key, oh::invalid_iterator>::run); }
