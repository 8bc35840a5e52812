// rigorbench-canary a25b6a18-b249-4263-8654-8ba6031f129a
// The kinds of elements that cases ask for: how one is made from a number (make), what it is constructed from in place
// (raw), and how the number is read back (key).
#ifndef ELEMENTS_HPP
#define ELEMENTS_HPP

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

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

// Cannot be copied.
class single {
 public:
  explicit single(std::int64_t number) : held_(std::make_unique<const counted>(number)) {}
  single(single&&) noexcept = default;
  single& operator=(single&&) = delete;
  std::int64_t read() const { return held_ ? held_->read() : counted::gone; }

 private:
  std::unique_ptr<const counted> held_;
};

// Requires more alignment than memory has by default.
struct alignas(64) wide {
  explicit wide(std::int64_t from) : number(from) { check(); }
  wide(const wide& other) : number(other.number) { check(); }
  std::int64_t read() const { return number; }
  std::int64_t number;

  inline static std::int64_t misaligned = 0;
  void check() const {
    // The compiler may take the alignment of `this` for granted; that of a volatile copy it may not.
    void const* volatile place = this;
    if (reinterpret_cast<std::uintptr_t>(place) % 64 != 0) ++misaligned;
  }
};

struct numbers {
  static std::int64_t raw(std::int64_t number) { return number; }
  using type = std::int64_t;
  static type make(std::int64_t number) { return number; }
  static std::int64_t key(const type& element) { return element; }
};
struct records {
  static std::int64_t raw(std::int64_t number) { return number; }
  using type = counted;
  static type make(std::int64_t number) { return counted(number); }
  static std::int64_t key(const type& element) { return element.read(); }
};
struct singles {
  static std::int64_t raw(std::int64_t number) { return number; }
  using type = single;
  static type make(std::int64_t number) { return single(number); }
  static std::int64_t key(const type& element) { return element.read(); }
};
struct texts {
  static std::string raw(std::int64_t number) { return make(number); }
  using type = std::string;
  static type make(std::int64_t number) { return std::string(40, '.') + std::to_string(number); }
  static std::int64_t key(const type& element) {
    return element.size() > 40 ? std::stoll(element.substr(40)) : counted::gone;
  }
};
struct wides {
  static std::int64_t raw(std::int64_t number) { return number; }
  using type = wide;
  static type make(std::int64_t number) { return wide(number); }
  static std::int64_t key(const type& element) { return element.read(); }
};

}  // namespace drive

#endif  // ELEMENTS_HPP
