// rigorbench-canary 30995173-b7c4-441e-8bd0-91a05f94348c
// Open addressing: an array of places for nodes, probed one after the other; nodes are in a ring as well.
#ifndef ORDERED_HASH_MAP_HPP
#define ORDERED_HASH_MAP_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace oh {

// Thrown by at() if there is no such key. Leave it as it is.
class no_such_key : public std::out_of_range {
 public:
  no_such_key() : std::out_of_range("there is no element with this key") {}
};

// Thrown when an iterator cannot be used in this way. Leave it as it is.
class invalid_iterator : public std::logic_error {
 public:
  invalid_iterator() : std::logic_error("the iterator cannot be used here") {}
};

template <class Key, class Value, class Hash = std::hash<Key>, class Equal = std::equal_to<Key>>
class ordered_hash_map {
 public:
  using key_type = Key;
  using mapped_type = Value;
  using value_type = std::pair<const Key, Value>;
  using size_type = std::size_t;

 private:
  struct node;

  // The ring of all elements in their order. The head of a map, which is its end, is the link without an element.
  struct link {
    link* before = this;
    link* after = this;
    bool head = true;
  };

  template <bool Const>
  class place {
   public:
    using iterator_category = std::bidirectional_iterator_tag;
    using value_type = ordered_hash_map::value_type;
    using difference_type = std::ptrdiff_t;
    using reference = std::conditional_t<Const, const value_type&, value_type&>;
    using pointer = std::conditional_t<Const, const value_type*, value_type*>;

    place() noexcept = default;
    template <bool Other>
      requires(Const && !Other)
    place(const place<Other>& other) noexcept : at_(other.at_) {}

    reference operator*() const { return static_cast<node*>(element())->value; }
    pointer operator->() const { return std::addressof(**this); }

    place& operator++() {
      at_ = element()->after;
      return *this;
    }
    place& operator--() {
      if (at_ == nullptr || at_->before->head) throw invalid_iterator();
      at_ = at_->before;
      return *this;
    }
    place operator++(int) {
      place old = *this;
      ++*this;
      return old;
    }
    place operator--(int) {
      place old = *this;
      --*this;
      return old;
    }
    template <bool Other>
    bool operator==(const place<Other>& other) const noexcept {
      return at_ == other.at_;
    }

   private:
    friend ordered_hash_map;
    template <bool>
    friend class place;
    explicit place(const link* at) noexcept : at_(const_cast<link*>(at)) {}
    link* element() const {
      if (at_ == nullptr || at_->head) throw invalid_iterator();
      return at_;
    }
    link* at_ = nullptr;
  };

 public:
  using iterator = place<false>;
  using const_iterator = place<true>;

  explicit ordered_hash_map(Hash hash = Hash(), Equal equal = Equal())
      : hash_(std::move(hash)), equal_(std::move(equal)) {}

  ordered_hash_map(const ordered_hash_map& other) : ordered_hash_map(Hash(other.hash_), Equal(other.equal_)) {
    reserve(other.size_);  // delegated: the destructor runs when something here throws
    for (const link* at = other.ring_.after; !at->head; at = at->after) {
      const node* from = static_cast<const node*>(at);
      enter(new node(from->hash, from->value));
    }
  }

  ordered_hash_map(ordered_hash_map&& other) noexcept : hash_(other.hash_), equal_(other.equal_) { take(other); }

  ordered_hash_map& operator=(const ordered_hash_map& other) {
    if (this != &other) {
      ordered_hash_map copy(other);
      swap(copy);
    }
    return *this;
  }

  ordered_hash_map& operator=(ordered_hash_map&& other) noexcept {
    if (this != &other) {
      clear();
      hash_ = other.hash_;
      equal_ = other.equal_;
      take(other);
    }
    return *this;
  }

  ~ordered_hash_map() { clear(); }

  bool empty() const noexcept { return size_ == 0; }
  size_type size() const noexcept { return size_; }

  iterator begin() noexcept { return iterator(ring_.after); }
  iterator end() noexcept { return iterator(&ring_); }
  const_iterator begin() const noexcept { return const_iterator(ring_.after); }
  const_iterator end() const noexcept { return const_iterator(&ring_); }
  const_iterator cbegin() const noexcept { return begin(); }
  const_iterator cend() const noexcept { return end(); }

  iterator find(const Key& key) { return iterator(place_of(key)); }
  const_iterator find(const Key& key) const { return const_iterator(place_of(key)); }
  bool contains(const Key& key) const { return found(hash_(key), key) != nullptr; }

  Value& at(const Key& key) { return existing(key)->value.second; }
  const Value& at(const Key& key) const { return existing(key)->value.second; }
  Value& operator[](const Key& key) { return try_emplace(key).first->second; }

  std::pair<iterator, bool> insert(const value_type& value) { return add(value.first, value); }
  std::pair<iterator, bool> insert(value_type&& value) { return add(value.first, std::move(value)); }

  template <class... Arguments>
  std::pair<iterator, bool> try_emplace(const Key& key, Arguments&&... arguments) {
    return add(key, std::piecewise_construct, std::forward_as_tuple(key),
               std::forward_as_tuple(std::forward<Arguments>(arguments)...));
  }
  template <class... Arguments>
  std::pair<iterator, bool> try_emplace(Key&& key, Arguments&&... arguments) {
    return add(key, std::piecewise_construct, std::forward_as_tuple(std::move(key)),
               std::forward_as_tuple(std::forward<Arguments>(arguments)...));
  }

  iterator erase(const_iterator where) {
    link* at = where.element();
    link* next = at->after;
    remove(static_cast<node*>(at));
    return iterator(next);
  }

  size_type erase(const Key& key) {
    node* at = found(hash_(key), key);
    if (at == nullptr) return 0;
    remove(at);
    return 1;
  }

  void to_back(const_iterator where) {
    link* at = where.element();
    unlink(at);
    put_before(at, &ring_);
  }

  void to_front(const_iterator where) {
    link* at = where.element();
    unlink(at);
    put_before(at, ring_.after);
  }

  void reserve(size_type count) {
    if (2 * count > slots_.size()) spread(prime_above(2 * count));
  }

  void clear() noexcept {
    for (link* at = ring_.after; !at->head;) {
      link* const next = at->after;
      delete static_cast<node*>(at);
      at = next;
    }
    ring_.before = ring_.after = &ring_;
    size_ = 0;
    std::vector<node*>().swap(slots_);
  }

  void swap(ordered_hash_map& other) noexcept {
    if (this == &other) return;
    std::swap(hash_, other.hash_);
    std::swap(equal_, other.equal_);
    link between;
    hand_over(ring_, between);
    hand_over(other.ring_, ring_);
    hand_over(between, other.ring_);
    std::swap(size_, other.size_);
    slots_.swap(other.slots_);
  }

 private:
  struct node : link {
    template <class... Arguments>
    explicit node(std::size_t hash, Arguments&&... arguments)
        : hash(hash), value(std::forward<Arguments>(arguments)...) {
      this->head = false;
    }
    std::size_t hash;
    value_type value;
  };

  // Where the search for a hash value begins. The steps of a well-known mixer make regular values irregular.
  size_type home(std::size_t hash) const noexcept {
    std::uint64_t z = hash + 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (z ^ (z >> 31)) % slots_.size();
  }
  size_type following(size_type slot) const noexcept { return slot + 1 == slots_.size() ? 0 : slot + 1; }

  node* found(std::size_t hash, const Key& key) const {
    if (slots_.empty()) return nullptr;
    for (size_type slot = home(hash); slots_[slot] != nullptr; slot = following(slot)) {
      node* at = slots_[slot];
      if (at->hash == hash && equal_(at->value.first, key)) return at;
    }
    return nullptr;
  }

  template <class... Arguments>
  std::pair<iterator, bool> add(const Key& key, Arguments&&... arguments) {
    const std::size_t hash = hash_(key);
    if (node* old = found(hash, key)) return {iterator(old), false};
    if (2 * (size_ + 1) > slots_.size()) spread(prime_above(4 * size_ + 7));
    node* fresh = new node(hash, std::forward<Arguments>(arguments)...);
    enter(fresh);
    return {iterator(fresh), true};
  }

  void enter(node* fresh) noexcept {
    put(fresh);
    put_before(fresh, &ring_);
    ++size_;
  }

  void put(node* fresh) noexcept {
    size_type slot = home(fresh->hash);
    while (slots_[slot] != nullptr) slot = following(slot);
    slots_[slot] = fresh;
  }

  void spread(size_type room) {
    std::vector<node*> other(room, nullptr);
    slots_.swap(other);
    for (link* at = ring_.after; !at->head; at = at->after) put(static_cast<node*>(at));
  }

  static size_type prime_above(size_type least) noexcept {
    for (size_type candidate = least | 1;; candidate += 2) {
      bool prime = true;
      for (size_type by = 3; prime && by * by <= candidate; by += 2) prime = candidate % by != 0;
      if (prime) return candidate;
    }
  }

  // The gap is filled with those behind it that are not at home, so that no search ends too early.
  void remove(node* at) noexcept {
    size_type gap = home(at->hash);
    while (slots_[gap] != at) gap = following(gap);
    for (size_type slot = following(gap); slots_[slot] != nullptr; slot = following(slot)) {
      const size_type start = home(slots_[slot]->hash);
      const bool reaches = gap <= slot ? start <= gap || start > slot : start <= gap && start > slot;
      if (reaches) {
        slots_[gap] = slots_[slot];
        gap = slot;
      }
    }
    slots_[gap] = nullptr;
    unlink(at);
    --size_;
    delete at;
  }

  void take(ordered_hash_map& other) noexcept {
    hand_over(other.ring_, ring_);
    size_ = std::exchange(other.size_, 0);
    slots_ = std::move(other.slots_);
    other.slots_.clear();
  }

  node* existing(const Key& key) const {
    node* at = found(hash_(key), key);
    if (at == nullptr) throw no_such_key();
    return at;
  }

  const link* place_of(const Key& key) const {
    const link* at = found(hash_(key), key);
    return at == nullptr ? &ring_ : at;
  }

  static void put_before(link* at, link* next) noexcept {
    at->before = next->before;
    at->after = next;
    at->before->after = next->before = at;
  }

  static void unlink(link* at) noexcept {
    at->before->after = at->after;
    at->after->before = at->before;
  }

  // The ring of one head goes to another, which is empty.
  static void hand_over(link& from, link& to) noexcept {
    if (from.after == &from) return;
    put_before(&to, &from);
    unlink(&from);
    from.before = from.after = &from;
  }

  Hash hash_;
  Equal equal_;
  link ring_;
  size_type size_ = 0;
  std::vector<node*> slots_;
};

}  // namespace oh

#endif  // ORDERED_HASH_MAP_HPP
