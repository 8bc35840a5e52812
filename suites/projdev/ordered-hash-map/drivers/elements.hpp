// rigorbench-canary 30995173-b7c4-441e-8bd0-91a05f94348c
// The kinds of keys and values that cases ask for: how they are made from numbers, and how the numbers are read back.
#ifndef ELEMENTS_HPP
#define ELEMENTS_HPP

#include <cstdint>
#include <functional>
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

// A hash function that counts its calls and can fail. Some keys share a value, as many as it is told.
// It has no default constructor, and its state is on the heap.
class hasher {
 public:
  explicit hasher(std::int64_t share, std::int64_t stride = 1)
      : state_(std::make_shared<const std::pair<std::int64_t, std::int64_t>>(share, stride)) {}
  std::size_t operator()(const counted& key) const {
    ++asked;
    if (fuse > 0 && --fuse == 0) throw broken();
    const std::int64_t number = key.read() % modulus;
    return static_cast<std::size_t>((number < 0 ? number + modulus : number) / state_->first) *
           static_cast<std::size_t>(state_->second);
  }

  static constexpr std::int64_t modulus = 1'000'000;
  inline static std::int64_t asked = 0;
  inline static std::int64_t fuse = 0;  // the call that fails, counted from now; 0: none

 private:
  std::shared_ptr<const std::pair<std::int64_t, std::int64_t>> state_;
};

// An equality that counts its calls and can fail: keys are equal if they are the same modulo a million.
class matcher {
 public:
  explicit matcher(std::int64_t modulus) : modulus_(std::make_shared<const std::int64_t>(modulus)) {}
  bool operator()(const counted& a, const counted& b) const {
    ++asked;
    if (fuse > 0 && --fuse == 0) throw broken();
    return (a.read() - b.read()) % *modulus_ == 0;
  }

  inline static std::int64_t asked = 0;
  inline static std::int64_t fuse = 0;  // the call that fails, counted from now; 0: none

 private:
  std::shared_ptr<const std::int64_t> modulus_;
};

inline std::size_t hash_single(const single& key) { return static_cast<std::size_t>(key.read()) << 40; }
inline bool equal_single(const single& a, const single& b) { return a.read() == b.read(); }

struct numbers {
  using key = std::int64_t;
  using value = std::int64_t;
  using hash = std::hash<key>;
  using equal = std::equal_to<key>;
  static hash hashing() { return {}; }
  static equal equality() { return {}; }
  static key make_key(std::int64_t number) { return number; }
  static value make(std::int64_t number) { return number; }
  static std::int64_t raw(std::int64_t number) { return number; }
  static std::int64_t read_key(const key& from) { return from; }
  static std::int64_t read(const value& from) { return from; }
};
struct records {
  using key = counted;
  using value = counted;
  using hash = hasher;
  using equal = matcher;
  inline static std::int64_t share = 1;
  static hash hashing() { return hasher(share); }
  static equal equality() { return matcher(hasher::modulus); }
  static key make_key(std::int64_t number) { return counted(number); }
  static value make(std::int64_t number) { return counted(number); }
  static std::int64_t raw(std::int64_t number) { return number; }
  static std::int64_t read_key(const key& from) { return from.read(); }
  static std::int64_t read(const value& from) { return from.read(); }
};
struct singles {
  using key = single;
  using value = single;
  using hash = std::size_t (*)(const single&);
  using equal = bool (*)(const single&, const single&);
  static hash hashing() { return hash_single; }
  static equal equality() { return equal_single; }
  static key make_key(std::int64_t number) { return single(number); }
  static value make(std::int64_t number) { return single(number); }
  static std::int64_t raw(std::int64_t number) { return number; }
  static std::int64_t read_key(const key& from) { return from.read(); }
  static std::int64_t read(const value& from) { return from.read(); }
};
// Text and aligned values.
struct texts {
  using key = std::string;
  using value = wide;
  using hash = std::hash<key>;
  using equal = std::equal_to<>;
  static hash hashing() { return {}; }
  static equal equality() { return {}; }
  static key make_key(std::int64_t number) { return std::string(40, '.') + std::to_string(number); }
  static value make(std::int64_t number) { return wide(number); }
  static std::int64_t raw(std::int64_t number) { return number; }
  static std::int64_t read_key(const key& from) { return from.size() > 40 ? std::stoll(from.substr(40)) : counted::gone; }
  static std::int64_t read(const value& from) { return from.read(); }
};

}  // namespace drive

#endif  // ELEMENTS_HPP
