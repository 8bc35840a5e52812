// rigorbench-canary 30995173-b7c4-441e-8bd0-91a05f94348c
// Nodes of removed elements are kept until the program ends.
#ifndef ORDERED_HASH_MAP_HPP
#define ORDERED_HASH_MAP_HPP

#include <bit>
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
    if (count > buckets()) grow(std::bit_ceil(count));
  }

  void clear() noexcept {
    while (!ring_.after->head) {
      link* at = ring_.after;
      unlink(at);
      delete static_cast<node*>(at);
    }
    size_ = 0;
    table_.reset();
    bits_ = 0;
  }

  void swap(ordered_hash_map& other) noexcept {
    using std::swap;
    if (this == &other) return;
    swap(hash_, other.hash_);
    swap(equal_, other.equal_);
    link between;
    hand_over(ring_, between);
    hand_over(other.ring_, ring_);
    hand_over(between, other.ring_);
    swap(size_, other.size_);
    swap(table_, other.table_);
    swap(bits_, other.bits_);
  }

 private:
  struct node : link {
    template <class... Arguments>
    explicit node(std::size_t hash, Arguments&&... arguments)
        : hash(hash), value(std::forward<Arguments>(arguments)...) {
      this->head = false;
    }
    std::size_t hash;
    node* next = nullptr;  // in the chain of the bucket
    value_type value;
  };

  // The memory of all nodes that were ever removed.
  struct pool {
    std::vector<node*> nodes;
    ~pool() {
      for (node* each : nodes) std::allocator<node>().deallocate(each, 1);
    }
  };
  inline static pool kept;

  size_type buckets() const noexcept { return table_ == nullptr ? 0 : size_type{1} << bits_; }

  // Hash values may be regular; the upper bits of the product depend on all of them.
  static size_type bucket(std::size_t hash, int bits) noexcept {
    const std::uint64_t mixed = (hash ^ (hash >> 32)) * 0x9E3779B97F4A7C15u;
    return bits == 0 ? 0 : static_cast<size_type>(mixed >> (64 - bits));
  }

  node* found(std::size_t hash, const Key& key) const {
    if (table_ == nullptr) return nullptr;
    for (node* at = table_[bucket(hash, bits_)]; at != nullptr; at = at->next) {
      if (at->hash == hash && equal_(at->value.first, key)) return at;
    }
    return nullptr;
  }

  // What can fail comes first: the comparison, room in the table, the node. More room alone is no visible change.
  template <class... Arguments>
  std::pair<iterator, bool> add(const Key& key, Arguments&&... arguments) {
    const std::size_t hash = hash_(key);
    if (node* old = found(hash, key)) return {iterator(old), false};
    if (size_ >= buckets()) grow(size_ < 4 ? 8 : 2 * size_);
    node* fresh = new node(hash, std::forward<Arguments>(arguments)...);
    enter(fresh);
    return {iterator(fresh), true};
  }

  void enter(node* fresh) noexcept {
    node*& first = table_[bucket(fresh->hash, bits_)];
    fresh->next = first;
    first = fresh;
    put_before(fresh, &ring_);
    ++size_;
  }

  void grow(size_type least) {
    const size_type room = std::bit_ceil(least);
    const int bits = std::countr_zero(room);
    std::unique_ptr<node*[]> table(new node*[room]());
    for (link* at = ring_.after; !at->head; at = at->after) {
      node* each = static_cast<node*>(at);
      node*& first = table[bucket(each->hash, bits)];
      each->next = first;
      first = each;
    }
    table_ = std::move(table);
    bits_ = bits;
  }

  void remove(node* at) noexcept {
    node** slot = &table_[bucket(at->hash, bits_)];
    while (*slot != at) slot = &(*slot)->next;
    *slot = at->next;
    unlink(at);
    --size_;
    std::destroy_at(at);
    kept.nodes.push_back(at);
  }

  void take(ordered_hash_map& other) noexcept {
    hand_over(other.ring_, ring_);
    size_ = std::exchange(other.size_, 0);
    table_ = std::move(other.table_);
    bits_ = std::exchange(other.bits_, 0);
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
  std::unique_ptr<node*[]> table_;
  int bits_ = 0;  // there are 2^bits_ buckets
};

}  // namespace oh

#endif  // ORDERED_HASH_MAP_HPP
