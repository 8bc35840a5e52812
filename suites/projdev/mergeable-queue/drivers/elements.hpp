// rigorbench-canary 4b5084c6-e651-48cc-9b25-0a9ac5dcd7d9
// The kinds of elements that cases ask for. Each says how to make one from a number and how to read it back.
#ifndef ELEMENTS_HPP
#define ELEMENTS_HPP

#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace drive {

// Counts objects and notices one that is used when it does not live. No default constructor, no assignment.
class counted {
 public:
  explicit counted(std::int64_t number) : number_(number), self_(this) { ++live_; }
  counted(const counted& other) : number_(other.read()), self_(this) { ++live_, ++copies_; }
  counted(counted&& other) noexcept : number_(other.read()), self_(this) {
    other.number_ = gone;
    ++live_, ++moves_;
  }
  counted& operator=(const counted&) = delete;
  ~counted() {
    if (self_ != this) ++ghosts_;
    self_ = nullptr;
    --live_;
  }

  std::int64_t read() const {
    if (self_ != this) ++ghosts_;
    return number_;
  }

  static constexpr std::int64_t gone = INT64_MIN;
  static std::int64_t live() { return live_; }
  static std::int64_t copies() { return copies_; }
  static std::int64_t moves() { return moves_; }
  static std::int64_t ghosts() { return ghosts_; }

 private:
  std::int64_t number_;
  const counted* self_;
  inline static std::int64_t live_ = 0, copies_ = 0, moves_ = 0, ghosts_ = 0;
};

// An order that has no default: by distance from a centre, and by value where that is equal.
class nearest {
 public:
  explicit nearest(std::int64_t centre) : centre_(std::make_shared<const std::int64_t>(centre)) {}
  bool operator()(const counted& a, const counted& b) const { return sooner(a.read(), b.read()); }

 private:
  bool sooner(std::int64_t a, std::int64_t b) const {
    const std::int64_t far_a = a < *centre_ ? *centre_ - a : a - *centre_;
    const std::int64_t far_b = b < *centre_ ? *centre_ - b : b - *centre_;
    return far_a != far_b ? far_a < far_b : a < b;
  }

  std::shared_ptr<const std::int64_t> centre_;
};

struct numbers {
  static std::int64_t make(std::int64_t number) { return number; }
  static std::int64_t raw(std::int64_t number) { return number; }
  static std::int64_t key(std::int64_t element) { return element; }
  static std::int64_t live() { return 0; }
};

// Built from an iterator that passes over its values once only.
template <class Before>
struct ordered_numbers : numbers {
  inline static Before before{};
  template <class Queue>
  static std::unique_ptr<Queue> built(const std::vector<std::int64_t>& from) {
    std::stringstream text;
    for (std::int64_t number : from) text << number << ' ';
    return std::make_unique<Queue>(std::istream_iterator<std::int64_t>(text), std::istream_iterator<std::int64_t>(),
                                   before);
  }
};

struct records {
  inline static std::int64_t centre = 0;
  static counted make(std::int64_t number) { return counted(number); }
  static std::int64_t raw(std::int64_t number) { return number; }
  static std::int64_t key(const counted& element) { return element.read(); }
  static std::int64_t live() { return counted::live(); }
  template <class Queue>
  static std::unique_ptr<Queue> built(const std::vector<std::int64_t>& from) {
    const std::vector<counted> elements(from.begin(), from.end());
    return std::make_unique<Queue>(elements.begin(), elements.end(), nearest(centre));
  }
};

// Cannot be copied.
class single {
 public:
  explicit single(std::int64_t number) : held_(std::make_unique<const counted>(number)) {}
  std::int64_t read() const { return held_ ? held_->read() : counted::gone; }

 private:
  std::unique_ptr<const counted> held_;
};

inline bool single_before(const single& a, const single& b) { return a.read() > b.read(); }

struct singles {
  using before = bool (*)(const single&, const single&);
  static single make(std::int64_t number) { return single(number); }
  static std::int64_t raw(std::int64_t number) { return number; }
  static std::int64_t key(const single& element) { return element.read(); }
  static std::int64_t live() { return counted::live(); }
  template <class Queue>
  static std::unique_ptr<Queue> built(const std::vector<std::int64_t>& from) {
    std::vector<single> elements;
    for (std::int64_t number : from) elements.emplace_back(number);
    return std::make_unique<Queue>(std::make_move_iterator(elements.begin()), std::make_move_iterator(elements.end()),
                                   before(single_before));
  }
};

// Text that lies outside the element, compared as text.
struct texts {
  static std::string make(std::int64_t number) { return std::string(40, '.') + std::to_string(number); }
  static std::string raw(std::int64_t number) { return make(number); }
  static std::string key(const std::string& element) { return element.substr(40); }
  static std::int64_t live() { return 0; }
  template <class Queue>
  static std::unique_ptr<Queue> built(const std::vector<std::int64_t>& from) {
    std::vector<std::string> elements;
    for (std::int64_t number : from) elements.push_back(make(number));
    return std::make_unique<Queue>(elements.begin(), elements.end(), std::less<std::string>());
  }
};

// Wants more alignment than memory has by default, and is not to be had where it does not get it.
struct alignas(64) wide {
  explicit wide(std::int64_t from) : number(from) { check(); }
  wide(const wide& other) : number(other.number) { check(); }
  std::int64_t number;

  inline static std::int64_t crooked = 0;
  void check() const {
    // The compiler may take the alignment of `this` for granted; that of a volatile copy it may not.
    void const* volatile place = this;
    if (reinterpret_cast<std::uintptr_t>(place) % 64 != 0) ++crooked;
  }
  bool operator<(const wide& other) const { return number < other.number; }
};

struct wides {
  static wide make(std::int64_t number) { return wide(number); }
  static std::int64_t raw(std::int64_t number) { return number; }
  static std::int64_t key(const wide& element) { return element.number; }
  static std::int64_t live() { return wide::crooked; }
  template <class Queue>
  static std::unique_ptr<Queue> built(const std::vector<std::int64_t>& from) {
    const std::vector<wide> elements(from.begin(), from.end());
    return std::make_unique<Queue>(elements.begin(), elements.end(), std::less<wide>());
  }
};

}  // namespace drive

#endif  // ELEMENTS_HPP
