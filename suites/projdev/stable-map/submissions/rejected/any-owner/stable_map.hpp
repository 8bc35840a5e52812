// rigorbench-canary b8a9a7c5-2800-409d-bf7a-99652dc62872
// erase and rank take the position of an iterator, whichever map it belongs to.
#ifndef STABLE_MAP_HPP
#define STABLE_MAP_HPP

#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

namespace om {

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

template <class Key, class Value, class Less = std::less<Key>>
class stable_map {
 public:
  using key_type = Key;
  using mapped_type = Value;
  using value_type = std::pair<const Key, Value>;
  using size_type = std::size_t;

 private:
  // A place in the tree. The head of a map is one too: it has size 0, no parent, and the root as its left child.
  struct link {
    link* parent = nullptr;
    link* left = nullptr;
    link* right = nullptr;
    size_type size = 0;
  };
  struct node : link {
    template <class... Arguments>
    explicit node(Arguments&&... arguments) : value(std::forward<Arguments>(arguments)...) {}
    value_type value;
  };

  template <bool Const>
  class place {
   public:
    using iterator_category = std::bidirectional_iterator_tag;
    using value_type = stable_map::value_type;
    using difference_type = std::ptrdiff_t;
    using reference = std::conditional_t<Const, const value_type&, value_type&>;
    using pointer = std::conditional_t<Const, const value_type*, value_type*>;

    place() noexcept = default;
    template <bool Other>
      requires(Const && !Other)
    place(const place<Other>& other) noexcept : at_(other.at_) {}

    reference operator*() const {
      if (at_ == nullptr || at_->size == 0) throw invalid_iterator();
      return static_cast<node*>(at_)->value;
    }
    pointer operator->() const { return std::addressof(**this); }

    place& operator++() {
      if (at_ == nullptr || at_->size == 0) throw invalid_iterator();
      at_ = next(at_);
      return *this;
    }
    place& operator--() {
      link* before = at_ == nullptr ? nullptr : previous(at_);
      if (before == nullptr) throw invalid_iterator();
      at_ = before;
      return *this;
    }
    place operator++(int) {
      place before = *this;
      ++*this;
      return before;
    }
    place operator--(int) {
      place before = *this;
      --*this;
      return before;
    }
    template <bool Other>
    bool operator==(const place<Other>& other) const noexcept {
      return at_ == other.at_;
    }

   private:
    friend stable_map;
    template <bool>
    friend class place;
    explicit place(const link* at) noexcept : at_(const_cast<link*>(at)) {}
    link* at_ = nullptr;
  };

 public:
  using iterator = place<false>;
  using const_iterator = place<true>;

  explicit stable_map(Less less = Less()) : less_(std::move(less)) {}

  stable_map(const stable_map& other) : stable_map(Less(other.less_)) {
    // Delegated: if a copy fails, the destructor removes those that were made and hang below the head already.
    copy_below(other.head_.left, head_, head_.left);
  }

  stable_map(stable_map&& other) noexcept : less_(other.less_) { take(other.head_, head_); }

  stable_map& operator=(const stable_map& other) {
    if (this != &other) {
      stable_map copy(other);
      swap(copy);
    }
    return *this;
  }

  stable_map& operator=(stable_map&& other) noexcept {
    if (this != &other) {
      clear();
      less_ = other.less_;
      take(other.head_, head_);
    }
    return *this;
  }

  ~stable_map() { destroy(head_.left); }

  bool empty() const noexcept { return head_.left == nullptr; }
  size_type size() const noexcept { return count(head_.left); }

  iterator begin() noexcept { return iterator(first()); }
  iterator end() noexcept { return iterator(&head_); }
  const_iterator begin() const noexcept { return const_iterator(first()); }
  const_iterator end() const noexcept { return const_iterator(&head_); }
  const_iterator cbegin() const noexcept { return begin(); }
  const_iterator cend() const noexcept { return end(); }

  iterator find(const Key& key) { return iterator(found(key)); }
  const_iterator find(const Key& key) const { return const_iterator(found(key)); }
  bool contains(const Key& key) const { return found(key) != &head_; }
  iterator lower_bound(const Key& key) { return iterator(lower(key)); }
  const_iterator lower_bound(const Key& key) const { return const_iterator(lower(key)); }
  iterator upper_bound(const Key& key) { return iterator(upper(key)); }
  const_iterator upper_bound(const Key& key) const { return const_iterator(upper(key)); }

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
    link* at = own(where);
    if (at == &head_) throw invalid_iterator();
    link* behind = next(at);
    remove(at);
    return iterator(behind);
  }

  iterator erase(const_iterator first, const_iterator last) {
    const size_type from = rank(first), to = rank(last);
    if (from > to) throw invalid_iterator();
    link* at = first.at_;
    for (size_type left = to - from; left > 0; --left) {
      link* behind = next(at);
      remove(at);
      at = behind;
    }
    return iterator(at);
  }

  size_type erase(const Key& key) {
    link* at = found(key);
    if (at == &head_) return 0;
    remove(at);
    return 1;
  }

  iterator nth(size_type index) { return iterator(selected(index)); }
  const_iterator nth(size_type index) const { return const_iterator(selected(index)); }

  size_type rank(const_iterator where) const {
    const link* at = own(where);
    size_type before = count(at->left);
    for (; at->parent != nullptr; at = at->parent) {
      if (at == at->parent->right) before += count(at->parent->left) + 1;
    }
    return before;
  }

  void clear() noexcept { destroy(std::exchange(head_.left, nullptr)); }

  void swap(stable_map& other) noexcept {
    using std::swap;
    if (this == &other) return;
    swap(less_, other.less_);
    link between;
    take(head_, between);
    take(other.head_, head_);
    take(between, other.head_);
  }

 private:
  // -- ways through the tree; nothing here compares keys --

  static size_type count(const link* tree) noexcept { return tree == nullptr ? 0 : tree->size; }

  static link* leftmost(link* at) noexcept {
    while (at->left != nullptr) at = at->left;
    return at;
  }

  // The element behind one; the head behind the last.
  static link* next(link* at) noexcept {
    if (at->right != nullptr) return leftmost(at->right);
    while (at == at->parent->right) at = at->parent;
    return at->parent;
  }

  // The element before one or before the end; null if there is none.
  static link* previous(link* at) noexcept {
    if (at->left != nullptr) {
      for (at = at->left; at->right != nullptr;) at = at->right;
      return at;
    }
    while (at->parent != nullptr && at == at->parent->left) at = at->parent;
    return at->parent;
  }

  link* first() const noexcept { return leftmost(head()); }

  link* head() const noexcept { return const_cast<link*>(&head_); }

  // The place of an iterator of this map: elements are asked for the head above them.
  link* own(const const_iterator& where) const {
    link* top = where.at_;
    while (top != nullptr && top->parent != nullptr) top = top->parent;
    if (top == nullptr) throw invalid_iterator();
    return where.at_;
  }

  link* selected(size_type index) const {
    if (index > size()) throw invalid_iterator();
    if (index == size()) return head();
    link* at = head_.left;
    while (index != count(at->left)) {
      if (index < count(at->left)) {
        at = at->left;
      } else {
        index -= count(at->left) + 1;
        at = at->right;
      }
    }
    return at;
  }

  // -- ways by key; nothing here changes the tree --

  static const Key& key_of(const link* at) noexcept { return static_cast<const node*>(at)->value.first; }

  link* lower(const Key& key) const {
    link* best = head();
    for (link* at = head_.left; at != nullptr;) {
      const bool less = less_(key_of(at), key);
      if (!less) best = at;
      at = less ? at->right : at->left;
    }
    return best;
  }

  link* upper(const Key& key) const {
    link* best = head();
    for (link* at = head_.left; at != nullptr;) {
      const bool greater = less_(key, key_of(at));
      if (greater) best = at;
      at = greater ? at->left : at->right;
    }
    return best;
  }

  link* found(const Key& key) const {
    link* at = lower(key);
    return at == &head_ || less_(key, key_of(at)) ? head() : at;
  }

  node* existing(const Key& key) const {
    link* at = found(key);
    if (at == &head_) throw no_such_key();
    return static_cast<node*>(at);
  }

  // -- changes; keys are compared and memory is taken before links change --

  template <class... Arguments>
  std::pair<iterator, bool> add(const Key& key, Arguments&&... arguments) {
    link* above = head();
    link** slot = &head_.left;
    link* best = nullptr;  // the first that is not less
    while (*slot != nullptr) {
      above = *slot;
      const bool less = less_(key_of(above), key);
      if (!less) best = above;
      slot = less ? &above->right : &above->left;
    }
    if (best != nullptr && !less_(key, key_of(best))) return {iterator(best), false};
    link* fresh = new node(std::forward<Arguments>(arguments)...);
    fresh->parent = above;
    fresh->size = 1;
    *slot = fresh;
    rebalance(above);
    return {iterator(fresh), true};
  }

  void remove(link* at) noexcept {
    if (at->left != nullptr && at->right != nullptr) exchange(at, leftmost(at->right));
    link* above = at->parent;
    link* below = at->left != nullptr ? at->left : at->right;
    slot_of(at) = below;
    if (below != nullptr) below->parent = above;
    delete static_cast<node*>(at);
    rebalance(above);
  }

  // An element and the next one, which is below it and has no left child, change places; the elements do not move.
  static void exchange(link* at, link* after) noexcept {
    link* const above = after->parent;
    link* const below = after->right;
    slot_of(at) = after;
    after->parent = at->parent;
    after->left = at->left;
    after->left->parent = after;
    after->size = at->size;
    if (above == at) {
      after->right = at;
      at->parent = after;
    } else {
      after->right = at->right;
      after->right->parent = after;
      above->left = at;
      at->parent = above;
    }
    at->left = nullptr;
    at->right = below;
    if (below != nullptr) below->parent = at;
  }

  static link*& slot_of(link* at) noexcept { return at == at->parent->left ? at->parent->left : at->parent->right; }

  static size_type weight(const link* tree) noexcept { return count(tree) + 1; }
  static void measure(link* at) noexcept { at->size = count(at->left) + count(at->right) + 1; }

  // No side weighs more than three times the other: a way down has at most 2.41 log2(n + 1) elements.
  static void rebalance(link* at) noexcept {
    for (; at->parent != nullptr; at = at->parent) {
      measure(at);
      if (weight(at->right) > 3 * weight(at->left)) {
        if (weight(at->right->left) >= 2 * weight(at->right->right)) rotate_right(at->right);
        at = rotate_left(at);
      } else if (weight(at->left) > 3 * weight(at->right)) {
        if (weight(at->left->right) >= 2 * weight(at->left->left)) rotate_left(at->left);
        at = rotate_right(at);
      }
    }
  }

  static link* rotate_left(link* at) noexcept {
    link* top = at->right;
    at->right = top->left;
    if (top->left != nullptr) top->left->parent = at;
    raise(top, at);
    top->left = at;
    measure(at);
    measure(top);
    return top;
  }

  static link* rotate_right(link* at) noexcept {
    link* top = at->left;
    at->left = top->right;
    if (top->right != nullptr) top->right->parent = at;
    raise(top, at);
    top->right = at;
    measure(at);
    measure(top);
    return top;
  }

  static void raise(link* top, link* at) noexcept {
    slot_of(at) = top;
    top->parent = at->parent;
    at->parent = top;
  }

  static void take(link& from, link& to) noexcept {
    to.left = std::exchange(from.left, nullptr);
    if (to.left != nullptr) to.left->parent = &to;
  }

  // Recursion is as deep as the tree, which is balanced.
  static void copy_below(const link* from, link& above, link*& slot) {
    if (from == nullptr) return;
    slot = new node(static_cast<const node*>(from)->value);
    slot->parent = &above;
    slot->size = from->size;
    link* const copy = slot;
    copy_below(from->left, *copy, copy->left);
    copy_below(from->right, *copy, copy->right);
  }

  static void destroy(link* tree) noexcept {
    while (tree != nullptr) {
      destroy(tree->left);
      link* rest = tree->right;
      delete static_cast<node*>(tree);
      tree = rest;
    }
  }

  Less less_;
  link head_;
};

}  // namespace om

#endif  // STABLE_MAP_HPP
