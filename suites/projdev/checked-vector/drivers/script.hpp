// rigorbench-canary ff6c925b-e7ec-441b-b728-dfa192fd87f2
// Carries out a case's commands on a row of vectors and of iterators, and writes what they return.
#ifndef SCRIPT_HPP
#define SCRIPT_HPP

#include <cstdint>
#include <istream>
#include <iterator>
#include <limits>
#include <memory>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace drive {

// Like all code of the drivers it comes before the submission's header, so that no macro of a submission can change it.
template <class Made, class Vector, class BadIndex, class InvalidIterator>
class script {
 public:
  using value = typename Made::type;
  using iterator = typename Vector::iterator;
  using constant = typename Vector::const_iterator;
  static constexpr bool copies = std::is_copy_constructible_v<value>;

  explicit script(std::ostream& out) : out_(out) {}

  void run(std::istream& in) {
    std::size_t vectors = 0;
    in >> vectors;
    for (std::size_t i = 0; i < vectors; ++i) vectors_.push_back(std::make_unique<Vector>());
    // Line by line: what an exception leaves of a line is not read.
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
      std::istringstream rest(line);
      std::string word;
      std::size_t at = 0;
      rest >> word >> at;
      try {
        one(word, at, rest);
      } catch (const BadIndex&) {
        out_ << "index\n";
      } catch (const InvalidIterator&) {
        out_ << "iterator\n";
      } catch (const std::length_error&) {
        out_ << "length\n";
      }
    }
  }

 private:
  void one(const std::string& word, std::size_t at, std::istream& in) {
    if (at < vectors_.size() && (simple(word, *vectors_[at], in) || positions(word, *vectors_[at], in))) return;
    iterators(word, registers_.at(at), in);
  }

  bool simple(const std::string& word, Vector& vector, std::istream& in) {
    const Vector& seen = vector;
    if (word == "push") {
      vector.push_back(Made::make(number(in)));
    } else if (word == "add") {
      const value element = Made::make(number(in));
      if constexpr (copies) vector.push_back(element);
    } else if (word == "emplace") {
      const value& made = vector.emplace_back(Made::raw(number(in)));
      out_ << Made::key(made) << '\n';
    } else if (word == "double") {
      const std::size_t index = count(in);
      if constexpr (copies) vector.push_back(vector[index]);
    } else if (word == "pop") {
      vector.pop_back();
    } else if (word == "get") {
      const std::size_t index = count(in);
      const value& element = vector[index];
      out_ << Made::key(element) << (&element == &seen[index] ? "\n" : " elsewhere\n");
    } else if (word == "ends") {
      out_ << Made::key(seen.front()) << ' ' << Made::key(vector.back()) << '\n';
    } else if (word == "size") {
      out_ << seen.size() << (seen.empty() ? " empty" : " filled");
      out_ << (seen.capacity() >= seen.size() ? "\n" : " without room\n");
    } else if (word == "reserve") {
      const std::size_t least = count(in);
      vector.reserve(least);
      out_ << (vector.capacity() >= least ? "reserved\n" : "too little\n");
    } else if (word == "shrink") {
      vector.shrink_to_fit();
      out_ << (vector.capacity() <= 2 * vector.size() + 8 ? "small\n" : "too much\n");
    } else if (word == "resize") {
      const std::size_t size = count(in);
      const value element = Made::make(number(in));
      if constexpr (copies) vector.resize(size, element);
    } else if (word == "clear") {
      vector.clear();
    } else if (word == "show") {
      for (const value& element : seen) out_ << Made::key(element) << ' ';
      out_ << "end\n";
    } else if (word == "reversed") {
      for (constant it = seen.cend(); it != seen.cbegin();) out_ << Made::key(*--it) << ' ';
      out_ << "begin\n";
    } else {
      return assigned(word, vector, in);
    }
    return true;
  }

  bool assigned(const std::string& word, Vector& vector, std::istream& in) {
    if (word == "range") {
      std::vector<std::int64_t> row(count(in));
      for (auto& each : row) each = number(in);
      vector = built(row);
      return true;
    }
    if (word != "copy" && word != "clone" && word != "move" && word != "take" && word != "swap") return false;
    Vector& other = *vectors_.at(count(in));
    if (word == "copy") {
      if constexpr (copies) vector = std::as_const(other);
    } else if (word == "clone") {
      if constexpr (copies) {
        Vector fresh(std::as_const(other));
        vector = std::move(fresh);
      }
    } else if (word == "move") {
      vector = std::move(other);
    } else if (word == "take") {
      Vector fresh(std::move(other));
      vector.swap(fresh);
    } else {
      vector.swap(other);
    }
    return true;
  }

  bool positions(const std::string& word, Vector& vector, std::istream& in) {
    if (word == "insert") {
      const constant where = vector.begin() + number(in);
      const std::int64_t given = number(in);
      if constexpr (copies) {
        const value element = Made::make(given);
        landed(vector, vector.insert(where, element));
      } else {
        landed(vector, vector.insert(where, Made::make(given)));
      }
    } else if (word == "place") {
      const constant where = std::as_const(vector).begin() + number(in);
      landed(vector, vector.emplace(where, Made::raw(number(in))));
    } else if (word == "again") {
      const constant where = vector.cbegin() + number(in);
      const std::size_t index = count(in);
      if constexpr (copies) landed(vector, vector.insert(where, vector[index]));
    } else if (word == "erase") {
      const iterator next = vector.erase(vector.begin() + number(in));
      out_ << next - vector.begin() << '\n';
    } else if (word == "cut") {
      const constant first = vector.cbegin() + number(in);
      const constant last = number(in) + vector.cbegin();
      out_ << vector.erase(first, last) - vector.begin() << '\n';
    } else {
      return false;
    }
    return true;
  }

  void landed(Vector& vector, iterator at) { out_ << at - vector.begin() << ' ' << Made::key(*at) << '\n'; }

  void iterators(const std::string& word, iterator& it, std::istream& in) {
    if (word == "begin") {
      it = vectors_.at(count(in))->begin();
    } else if (word == "end") {
      it = vectors_.at(count(in))->end();
    } else if (word == "none") {
      it = iterator();
    } else if (word == "jump") {
      it += number(in);
    } else if (word == "leap") {
      it -= number(in);
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
    } else if (word == "look") {
      const constant from = it;
      out_ << Made::key(from[number(in)]) << '\n';
    } else if (word == "near") {
      const iterator other = it + number(in);
      out_ << Made::key(*(other - number(in))) << '\n';
    } else if (word == "minus") {
      out_ << constant(it) - registers_.at(count(in)) << '\n';
    } else if (word == "equal") {
      const iterator& other = registers_.at(count(in));
      out_ << ((it == constant(other)) == !(it != other) ? it == other : -1) << '\n';
    } else if (word == "order") {
      const iterator& other = registers_.at(count(in));
      const constant fixed = other;
      out_ << (it < other) << (it > fixed) << (it <= fixed) << (constant(it) >= other) << '\n';
    } else {
      changing(word, it, in);
    }
  }

  void changing(const std::string& word, const iterator& it, std::istream& in) {
    Vector& vector = *vectors_.at(count(in));
    if (word == "insert-at") {
      landed(vector, vector.insert(it, Made::make(number(in))));
    } else if (word == "place-at") {
      landed(vector, vector.emplace(it, Made::raw(number(in))));
    } else if (word == "erase-at") {
      out_ << vector.erase(it) - vector.begin() << '\n';
    } else if (word == "cut-at") {
      out_ << vector.erase(it, registers_.at(count(in))) - vector.begin() << '\n';
    }
  }

  // Numbers come from an iterator that passes over its values only once, other elements from a row of them.
  static Vector built(const std::vector<std::int64_t>& from) {
    if constexpr (std::is_same_v<value, std::int64_t>) {
      std::stringstream text;
      for (std::int64_t each : from) text << each << ' ';
      return Vector(std::istream_iterator<std::int64_t>(text), std::istream_iterator<std::int64_t>());
    } else {
      std::vector<value> row;
      for (std::int64_t each : from) row.push_back(Made::make(each));
      if constexpr (copies) return Vector(row.begin(), row.end());
      else return Vector(std::make_move_iterator(row.begin()), std::make_move_iterator(row.end()));
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

  std::vector<std::unique_ptr<Vector>> vectors_;
  std::vector<iterator> registers_ = std::vector<iterator>(8);
  std::ostream& out_;
};

}  // namespace drive

#endif  // SCRIPT_HPP
