// rigorbench-canary 30995173-b7c4-441e-8bd0-91a05f94348c
// Carries out a case's commands on a row of maps and of iterators, and writes what they return.
#ifndef SCRIPT_HPP
#define SCRIPT_HPP

#include <cstdint>
#include <istream>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace drive {

// Like all code of the drivers it comes before the submission's header, so that no macro of a submission can change it.
template <class Made, class Map, class NoSuchKey, class InvalidIterator>
class script {
 public:
  using key = typename Made::key;
  using value = typename Made::value;
  using pair = typename Map::value_type;
  using iterator = typename Map::iterator;
  using constant = typename Map::const_iterator;
  static constexpr bool copies = std::is_copy_constructible_v<key> && std::is_copy_constructible_v<value>;
  static constexpr bool plain = std::is_arithmetic_v<value>;

  explicit script(std::ostream& out) : out_(out) {}

  void run(std::istream& in) {
    std::size_t maps = 0;
    in >> maps;
    for (std::size_t i = 0; i < maps; ++i) maps_.push_back(std::make_unique<Map>(Made::hashing(), Made::equality()));
    // Line by line: what an exception leaves of a line is not read.
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
      std::istringstream rest(line);
      std::string word;
      std::size_t at = 0;
      rest >> word >> at;
      try {
        if (at >= maps_.size() || !elements(word, *maps_[at], rest)) iterators(word, registers_.at(at), rest);
      } catch (const NoSuchKey&) {
        out_ << "key\n";
      } catch (const InvalidIterator&) {
        out_ << "iterator\n";
      }
    }
  }

 private:
  bool elements(const std::string& word, Map& map, std::istream& in) {
    const Map& seen = map;
    if (word == "insert" || word == "add") {
      const std::int64_t first = number(in), second = number(in);
      if constexpr (copies) {
        pair element(Made::make_key(first), Made::make(second));
        inserted(word == "add" ? map.insert(std::as_const(element)) : map.insert(std::move(element)));
      } else {
        inserted(map.try_emplace(Made::make_key(first), Made::make(second)));
      }
    } else if (word == "try") {
      const std::int64_t first = number(in), second = number(in);
      if constexpr (copies) {
        const key given = Made::make_key(first);
        inserted(map.try_emplace(given, Made::raw(second)));
      } else {
        key given = Made::make_key(first);
        inserted(map.try_emplace(std::move(given), Made::raw(second)));
        if (Made::read_key(given) == first) out_ << "unused\n";
      }
    } else if (word == "set") {
      const std::int64_t first = number(in), second = number(in);
      if constexpr (plain) map[Made::make_key(first)] += Made::make(second);
    } else if (word == "at") {
      const key wanted = Made::make_key(number(in));
      const value& found = map.at(wanted);
      out_ << Made::read(found) << (&found == &seen.at(wanted) ? "\n" : " elsewhere\n");
    } else if (word == "has") {
      out_ << (seen.contains(Made::make_key(number(in))) ? "yes\n" : "no\n");
    } else if (word == "find") {
      const key wanted = Made::make_key(number(in));
      const iterator it = map.find(wanted);
      out_ << (it == seen.find(wanted) ? "" : "elsewhere ");
      show(it, map);
    } else if (word == "reserve") {
      map.reserve(count(in));
    } else if (word == "erase") {
      out_ << map.erase(Made::make_key(number(in))) << '\n';
    } else if (word == "size") {
      out_ << seen.size() << (seen.empty() ? " empty\n" : " filled\n");
    } else if (word == "show") {
      for (const pair& each : seen) out_ << Made::read_key(each.first) << ':' << Made::read(each.second) << ' ';
      out_ << "end\n";
    } else if (word == "reversed") {
      for (constant it = seen.cend(); it != seen.cbegin();) out_ << Made::read_key((--it)->first) << ' ';
      out_ << "begin\n";
    } else if (word == "clear") {
      map.clear();
    } else {
      return assigned(word, map, in);
    }
    return true;
  }

  bool assigned(const std::string& word, Map& map, std::istream& in) {
    if (word != "copy" && word != "clone" && word != "move" && word != "take" && word != "swap") return false;
    Map& other = *maps_.at(count(in));
    if (word == "copy") {
      if constexpr (copies) map = std::as_const(other);
    } else if (word == "clone") {
      if constexpr (copies) {
        Map fresh(std::as_const(other));
        map = std::move(fresh);
      }
    } else if (word == "move") {
      map = std::move(other);
    } else if (word == "take") {
      Map fresh(std::move(other));
      map.swap(fresh);
    } else {
      map.swap(other);
    }
    return true;
  }

  void inserted(const std::pair<iterator, bool>& result) {
    out_ << (result.second ? "new " : "old ") << Made::read_key(result.first->first) << ' ';
    out_ << Made::read(result.first->second) << '\n';
  }

  void show(const iterator& it, const Map& map) {
    if (it == map.end()) {
      out_ << "end\n";
    } else {
      out_ << Made::read_key(it->first) << ' ' << Made::read((*it).second) << '\n';
    }
  }

  void iterators(const std::string& word, iterator& it, std::istream& in) {
    if (word == "none") {
      it = iterator();
    } else if (word == "forth") {
      const iterator before = it++;
      constant now = before;
      out_ << (++now == it ? "one on\n" : "elsewhere\n");
    } else if (word == "back") {
      const iterator before = it--;
      constant now = before;
      out_ << (--now == it ? "one back\n" : "elsewhere\n");
    } else if (word == "peek") {
      out_ << Made::read_key(it->first) << ' ' << Made::read((*it).second) << '\n';
    } else if (word == "equal") {
      const iterator& other = registers_.at(count(in));
      out_ << ((it == constant(other)) == !(it != other) ? it == other : -1) << '\n';
    } else {
      with(word, it, *maps_.at(count(in)), in);
    }
  }

  void with(const std::string& word, iterator& it, Map& map, std::istream& in) {
    if (word == "begin") {
      it = map.begin();
    } else if (word == "end") {
      it = map.end();
    } else if (word == "seek") {
      it = map.find(Made::make_key(number(in)));
    } else if (word == "erase-at") {
      it = map.erase(it);
      show(it, map);
    } else if (word == "last") {
      map.to_back(it);
    } else if (word == "first") {
      map.to_front(it);
    }
  }

  static std::int64_t number(std::istream& in) {
    std::int64_t value = 0;
    in >> value;
    return value;
  }
  static std::size_t count(std::istream& in) {
    std::size_t value = 0;
    in >> value;
    return value;
  }

  std::vector<std::unique_ptr<Map>> maps_;
  std::vector<iterator> registers_ = std::vector<iterator>(8);
  std::ostream& out_;
};

}  // namespace drive

#endif  // SCRIPT_HPP
