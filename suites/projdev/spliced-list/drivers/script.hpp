// rigorbench-canary a25b6a18-b249-4263-8654-8ba6031f129a
// Carries out a case's commands on a row of lists and of iterators, and writes what they return.
#ifndef SCRIPT_HPP
#define SCRIPT_HPP

#include <cstdint>
#include <istream>
#include <iterator>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace drive {

// Orders that make some elements equal: a number without its last digit, upwards or downwards.
template <class Made>
struct tens {
  bool down = false;
  bool operator()(const typename Made::type& a, const typename Made::type& b) const {
    const std::int64_t first = Made::key(a) / 10, second = Made::key(b) / 10;
    return down ? second < first : first < second;
  }
};

// Like all code of the drivers it comes before the submission's header, so that no macro of a submission can change it.
template <class Made, class List, class EmptyList, class InvalidIterator>
class script {
 public:
  using value = typename Made::type;
  using iterator = typename List::iterator;
  using constant = typename List::const_iterator;
  static constexpr bool copies = std::is_copy_constructible_v<value>;
  static constexpr bool plain = std::is_arithmetic_v<value>;

  explicit script(std::ostream& out) : out_(out) {}

  void run(std::istream& in) {
    std::size_t lists = 0;
    in >> lists;
    for (std::size_t i = 0; i < lists; ++i) lists_.push_back(std::make_unique<List>());
    // Line by line: what an exception leaves of a line is not read.
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
      std::istringstream rest(line);
      std::string word;
      std::size_t at = 0;
      rest >> word >> at;
      try {
        if (at >= lists_.size() || !elements(word, *lists_[at], rest)) iterators(word, registers_.at(at), rest);
      } catch (const EmptyList&) {
        out_ << "empty\n";
      } catch (const InvalidIterator&) {
        out_ << "iterator\n";
      }
    }
  }

 private:
  bool elements(const std::string& word, List& list, std::istream& in) {
    const List& seen = list;
    if (word == "push" || word == "front") {
      value element = Made::make(number(in));
      if (word == "push") list.push_back(std::move(element));
      else list.push_front(std::move(element));
    } else if (word == "add" || word == "add-front") {
      const value element = Made::make(number(in));
      if constexpr (copies) {
        if (word == "add") list.push_back(element);
        else list.push_front(element);
      }
    } else if (word == "pop") {
      list.pop_back();
    } else if (word == "pop-front") {
      list.pop_front();
    } else if (word == "ends") {
      out_ << Made::key(seen.front()) << ' ' << Made::key(list.back()) << '\n';
    } else if (word == "size") {
      out_ << seen.size() << (seen.empty() ? " empty\n" : " filled\n");
    } else if (word == "show") {
      for (const value& each : seen) out_ << Made::key(each) << ' ';
      out_ << "end\n";
    } else if (word == "reversed") {
      for (constant it = seen.cend(); it != seen.cbegin();) out_ << Made::key(*--it) << ' ';
      out_ << "begin\n";
    } else if (word == "clear") {
      list.clear();
    } else {
      return rearranged(word, list, in) || assigned(word, list, in);
    }
    return true;
  }

  bool rearranged(const std::string& word, List& list, std::istream& in) {
    if (word == "reverse") {
      list.reverse();
    } else if (word == "sort") {
      if constexpr (plain) list.sort();
      else list.sort([](const value& a, const value& b) { return Made::key(a) < Made::key(b); });
    } else if (word == "sort-tens") {
      list.sort(tens<Made>{});
    } else if (word == "sort-down") {
      list.sort(tens<Made>{true});
    } else if (word == "unique") {
      if constexpr (plain) out_ << list.unique() << '\n';
      else out_ << list.unique([](const value& a, const value& b) { return Made::key(a) == Made::key(b); }) << '\n';
    } else if (word == "unique-tens") {
      out_ << list.unique([](const value& a, const value& b) { return Made::key(a) / 10 == Made::key(b) / 10; }) << '\n';
    } else if (word == "remove") {
      const std::int64_t by = number(in);
      out_ << list.remove_if([by](const value& each) { return Made::key(each) % by == 0; }) << '\n';
    } else if (word == "merge") {
      list.merge(*lists_.at(count(in)), tens<Made>{});
    } else if (word == "append") {
      list.splice(list.cend(), *lists_.at(count(in)));
    } else {
      return false;
    }
    return true;
  }

  bool assigned(const std::string& word, List& list, std::istream& in) {
    if (word == "range") {
      std::vector<std::int64_t> row(count(in));
      for (auto& each : row) each = number(in);
      list = built(row);
      return true;
    }
    if (word != "copy" && word != "clone" && word != "move" && word != "take" && word != "swap") return false;
    List& other = *lists_.at(count(in));
    if (word == "copy") {
      if constexpr (copies) list = std::as_const(other);
    } else if (word == "clone") {
      if constexpr (copies) {
        List fresh(std::as_const(other));
        list = std::move(fresh);
      }
    } else if (word == "move") {
      list = std::move(other);
    } else if (word == "take") {
      List fresh(std::move(other));
      list.swap(fresh);
    } else {
      list.swap(other);
    }
    return true;
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
      out_ << Made::key(*it) << (std::addressof(*it) == it.operator->() ? "\n" : " elsewhere\n");
    } else if (word == "equal") {
      const iterator& other = registers_.at(count(in));
      out_ << ((it == constant(other)) == !(it != other) ? it == other : -1) << '\n';
    } else {
      with(word, it, *lists_.at(count(in)), in);
    }
  }

  void with(const std::string& word, iterator& it, List& list, std::istream& in) {
    if (word == "begin") {
      it = list.begin();
    } else if (word == "end") {
      it = list.end();
    } else if (word == "insert") {
      if constexpr (copies) {
        const value element = Made::make(number(in));
        it = list.insert(it, element);
      } else {
        it = list.insert(it, Made::make(number(in)));
      }
    } else if (word == "place") {
      it = list.emplace(it, Made::raw(number(in)));
    } else if (word == "again") {
      if constexpr (copies) it = list.insert(it, *it);
    } else if (word == "erase") {
      it = list.erase(it);
    } else if (word == "cut") {
      it = list.erase(it, registers_.at(count(in)));
    } else if (word == "splice") {
      list.splice(it, *lists_.at(count(in)));
    } else if (word == "transfer") {
      List& other = *lists_.at(count(in));
      list.splice(it, other, registers_.at(count(in)));
    }
  }

  // Numbers come from an iterator that passes over its values only once, other elements from a row of them.
  static List built(const std::vector<std::int64_t>& from) {
    if constexpr (plain) {
      std::stringstream text;
      for (std::int64_t each : from) text << each << ' ';
      return List(std::istream_iterator<std::int64_t>(text), std::istream_iterator<std::int64_t>());
    } else {
      std::vector<value> row;
      for (std::int64_t each : from) row.push_back(Made::make(each));
      if constexpr (copies) return List(row.begin(), row.end());
      else return List(std::make_move_iterator(row.begin()), std::make_move_iterator(row.end()));
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

  std::vector<std::unique_ptr<List>> lists_;
  std::vector<iterator> registers_ = std::vector<iterator>(8);
  std::ostream& out_;
};

}  // namespace drive

#endif  // SCRIPT_HPP
