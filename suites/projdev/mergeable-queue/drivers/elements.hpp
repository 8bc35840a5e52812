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
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace drive {

struct broken : std::runtime_error {
  broken() : std::runtime_error("fails as it was told to") {}
};

// Counts objects, copies and moves, notices use of an object that does not live, and can fail when it is copied.
// It has no default constructor and no assignment.
class counted {
 public:
  explicit counted(std::int64_t number) : number_(number), self_(this) { ++live; }
  counted(const counted& other) : number_(other.read()), self_(this) {
    if (fuse > 0 && --fuse == 0) throw broken();
    ++live, ++copies;
  }
  counted(counted&& other) noexcept : number_(other.read()), self_(this) {
    other.number_ = gone;
    ++live, ++moves;
  }
  counted& operator=(const counted&) = delete;
  ~counted() {
    if (self_ != this) ++ghosts;
    self_ = nullptr;
    --live;
  }

  std::int64_t read() const {
    if (self_ != this) ++ghosts;
    return number_;
  }

  static constexpr std::int64_t gone = INT64_MIN;
  inline static std::int64_t live = 0, copies = 0, moves = 0, ghosts = 0;
  inline static std::int64_t fuse = 0;  // the copy that fails, counted from now; 0: none

 private:
  // Volatile: or else the compiler leaves out what a destructor or a move writes, and a dead object looks alive.
  volatile std::int64_t number_;
  const counted* volatile self_;
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
  // From an iterator that passes over its values once only.
  template <class Queue, class Before>
  static std::unique_ptr<Queue> built(const std::vector<std::int64_t>& from, const Before& before) {
    std::stringstream text;
    for (std::int64_t number : from) text << number << ' ';
    return std::make_unique<Queue>(std::istream_iterator<std::int64_t>(text), std::istream_iterator<std::int64_t>(),
                                   before);
  }
};

struct records {
  static counted make(std::int64_t number) { return counted(number); }
  static std::int64_t raw(std::int64_t number) { return number; }
  static std::int64_t key(const counted& element) { return element.read(); }
  static std::int64_t live() { return counted::live; }
  template <class Queue>
  static std::unique_ptr<Queue> built(const std::vector<std::int64_t>& from, const nearest& before) {
    const std::vector<counted> elements(from.begin(), from.end());
    return std::make_unique<Queue>(elements.begin(), elements.end(), before);
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
  static std::int64_t live() { return counted::live; }
  template <class Queue>
  static std::unique_ptr<Queue> built(const std::vector<std::int64_t>& from, before order) {
    std::vector<single> elements;
    for (std::int64_t number : from) elements.emplace_back(number);
    return std::make_unique<Queue>(std::make_move_iterator(elements.begin()), std::make_move_iterator(elements.end()),
                                   order);
  }
};

// Text that lies outside the element, compared as text.
struct texts {
  static std::string make(std::int64_t number) { return std::string(40, '.') + std::to_string(number); }
  static std::string raw(std::int64_t number) { return make(number); }
  static std::string key(const std::string& element) { return element.substr(40); }
  static std::int64_t live() { return 0; }
  template <class Queue>
  static std::unique_ptr<Queue> built(const std::vector<std::int64_t>& from, const std::less<std::string>& before) {
    std::vector<std::string> elements;
    for (std::int64_t number : from) elements.push_back(make(number));
    return std::make_unique<Queue>(elements.begin(), elements.end(), before);
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
  static std::unique_ptr<Queue> built(const std::vector<std::int64_t>& from, const std::less<wide>& before) {
    const std::vector<wide> elements(from.begin(), from.end());
    return std::make_unique<Queue>(elements.begin(), elements.end(), before);
  }
};

}  // namespace drive

#endif  // ELEMENTS_HPP
