// rigorbench-canary a25b6a18-b249-4263-8654-8ba6031f129a
// A ring with a head. Merging and sorting use the links forward only, as a plain chain, and set the others afterwards.
#ifndef SPLICED_LIST_HPP
#define SPLICED_LIST_HPP

#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace sl {

// Thrown if there is no element to return or remove. Leave it as it is.
class empty_list : public std::logic_error {
 public:
  empty_list() : std::logic_error("the list is empty") {}
};

// Thrown when an iterator cannot be used in this way. Leave it as it is.
class invalid_iterator : public std::logic_error {
 public:
  invalid_iterator() : std::logic_error("the iterator cannot be used here") {}
};

template <class T>
class spliced_list {
 public:
  using value_type = T;
  using size_type = std::size_t;

 private:
  struct link {
    link* before = this;
    link* after = this;
    bool head = true;
  };
  struct node : link {
    template <class... Arguments>
    explicit node(Arguments&&... arguments) : value(std::forward<Arguments>(arguments)...) {
      this->head = false;
    }
    T value;
  };

  template <bool Const>
  class place {
   public:
    using iterator_category = std::bidirectional_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using reference = std::conditional_t<Const, const T&, T&>;
    using pointer = std::conditional_t<Const, const T*, T*>;

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
    friend spliced_list;
    template <bool>
    friend class place;
    explicit place(const link* at) noexcept : at_(const_cast<link*>(at)) {}
    link* element() const {
      if (at_ == nullptr || at_->head) throw invalid_iterator();
      return at_;
    }
    // An element or the end.
    link* position() const {
      if (at_ == nullptr) throw invalid_iterator();
      return at_;
    }
    link* at_ = nullptr;
  };

 public:
  using iterator = place<false>;
  using const_iterator = place<true>;

  spliced_list() noexcept = default;

  template <class Input>
  spliced_list(Input first, Input last) : spliced_list() {
    for (; first != last; ++first) emplace(end(), *first);  // delegated: the destructor runs when this throws
  }

  spliced_list(const spliced_list& other) : spliced_list(other.begin(), other.end()) {}
  spliced_list(spliced_list&& other) noexcept { take(other); }

  spliced_list& operator=(const spliced_list& other) {
    if (this != &other) {
      spliced_list copy(other);
      clear();
      take(copy);
    }
    return *this;
  }

  spliced_list& operator=(spliced_list&& other) noexcept {
    if (this != &other) {
      clear();
      take(other);
    }
    return *this;
  }

  ~spliced_list() { clear(); }

  bool empty() const noexcept { return size_ == 0; }
  size_type size() const noexcept { return size_; }
  T& front() { return first_of(ring_.after); }
  const T& front() const { return first_of(ring_.after); }
  T& back() { return first_of(ring_.before); }
  const T& back() const { return first_of(ring_.before); }

  iterator begin() noexcept { return iterator(ring_.after); }
  iterator end() noexcept { return iterator(&ring_); }
  const_iterator begin() const noexcept { return const_iterator(ring_.after); }
  const_iterator end() const noexcept { return const_iterator(&ring_); }
  const_iterator cbegin() const noexcept { return begin(); }
  const_iterator cend() const noexcept { return end(); }

  void push_front(const T& value) { emplace(begin(), value); }
  void push_front(T&& value) { emplace(begin(), std::move(value)); }
  void push_back(const T& value) { emplace(end(), value); }
  void push_back(T&& value) { emplace(end(), std::move(value)); }

  void pop_front() {
    if (empty()) throw empty_list();
    remove(ring_.after);
  }
  void pop_back() {
    if (empty()) throw empty_list();
    remove(ring_.before);
  }

  iterator insert(const_iterator where, const T& value) { return emplace(where, value); }
  iterator insert(const_iterator where, T&& value) { return emplace(where, std::move(value)); }

  template <class... Arguments>
  iterator emplace(const_iterator where, Arguments&&... arguments) {
    link* next = where.position();
    link* fresh = new node(std::forward<Arguments>(arguments)...);
    move_before(fresh, fresh->after, next);
    ++size_;
    return iterator(fresh);
  }

  iterator erase(const_iterator where) {
    link* at = where.element();
    link* next = at->after;
    remove(at);
    return iterator(next);
  }

  iterator erase(const_iterator first, const_iterator last) {
    link* end = last.position();
    for (link* at = first.position(); at != end;) {
      link* next = at->after;
      remove(at);
      at = next;
    }
    return iterator(end);
  }

  void splice(const_iterator where, spliced_list& other) {
    link* next = where.position();
    if (this == &other) return;
    move_before(other.ring_.after, &other.ring_, next);
    size_ += std::exchange(other.size_, 0);
  }

  void splice(const_iterator where, spliced_list& other, const_iterator element) {
    link* next = where.position();
    link* at = element.element();
    if (next == at) return;
    move_before(at, at->after, next);
    --other.size_;
    ++size_;
  }

  void reverse() noexcept {
    link* at = &ring_;
    do {
      std::swap(at->before, at->after);
      at = at->before;
    } while (at != &ring_);
  }

  template <class Less = std::less<>>
  void merge(spliced_list& other, Less less = Less()) {
    if (this == &other) return;
    const size_type mine = size_, all = size_ + other.size_;
    link* const here = detached(*this);
    chain both{here, detached(other)};
    try {
      both.merge(less);
    } catch (...) {
      // What was merged and the rest of this list stay here; the rest of the other one goes back.
      const size_type gone = both.count_of_second;
      other.attach(both.second, all - mine - gone);
      *both.end = both.first;
      attach(both.start, mine + gone);
      throw;
    }
    attach(both.start, all);
  }

  template <class Less = std::less<>>
  void sort(Less less = Less()) {
    const size_type count = size_;
    link* rest = detached(*this);
    try {
      rest = sorted(rest, count, less);
    } catch (...) {
      attach(rest, count);
      throw;
    }
    attach(rest, count);
  }

  template <class Equal = std::equal_to<>>
  size_type unique(Equal equal = Equal()) {
    const size_type before = size_;
    for (link* at = ring_.after; !at->head && !at->after->head;) {
      if (equal(std::as_const(value(at)), std::as_const(value(at->after)))) remove(at->after);
      else at = at->after;
    }
    return before - size_;
  }

  template <class Predicate>
  size_type remove_if(Predicate predicate) {
    const size_type before = size_;
    for (link* at = ring_.after; !at->head;) {
      link* next = at->after;
      if (predicate(std::as_const(value(at)))) remove(at);
      at = next;
    }
    return before - size_;
  }

  void clear() noexcept {
    while (!empty()) remove(ring_.after);
  }

  void swap(spliced_list& other) noexcept {
    if (this == &other) return;
    spliced_list between(std::move(other));
    other.take(*this);
    take(between);
  }

 private:
  // Two chains, which end with null, become one.
  struct chain {
    link* first;
    link* second;
    link* start;
    link** end;
    size_type count_of_second = 0;

    chain(link* one, link* two) : first(one), second(two), start(nullptr), end(&start) {}
    chain(const chain&) = delete;

    template <class Less>
    void merge(Less& less) {
      while (first != nullptr && second != nullptr) {
        if (less(std::as_const(value(second)), std::as_const(value(first)))) {
          step(second);
          ++count_of_second;
        } else {
          step(first);
        }
      }
      *end = first != nullptr ? first : second;
    }
    void step(link*& from) noexcept {
      *end = from;
      end = &from->after;
      from = from->after;
    }
  };

  // The elements as a chain; the list is empty until attach().
  static link* detached(spliced_list& list) noexcept {
    if (list.empty()) return nullptr;
    link* start = list.ring_.after;
    list.ring_.before->after = nullptr;
    list.ring_.before = list.ring_.after = &list.ring_;
    list.size_ = 0;
    return start;
  }

  void attach(link* start, size_type count) noexcept {
    link* last = &ring_;
    for (link* at = start; at != nullptr; at = at->after) {
      at->before = last;
      last->after = at;
      last = at;
    }
    last->after = &ring_;
    ring_.before = last;
    size_ = count;
  }

  // Sorts a chain by halves. After a failure `start` is the chain of all its elements in some order.
  template <class Less>
  static link* sorted(link*& start, size_type count, Less& less) {
    if (count < 2) return start;
    link* middle = start;
    for (size_type i = 1; i < count / 2; ++i) middle = middle->after;
    link* second = std::exchange(middle->after, nullptr);
    try {
      start = sorted(start, count / 2, less);
      second = sorted(second, count - count / 2, less);
    } catch (...) {
      link** end = &start;
      while (*end != nullptr) end = &(*end)->after;
      *end = second;
      throw;
    }
    chain both{start, second};
    try {
      both.merge(less);
    } catch (...) {
      *both.end = both.first;
      for (link** end = &both.start;; end = &(*end)->after) {
        if (*end == nullptr) {
          *end = both.second;
          break;
        }
      }
      start = both.start;
      throw;
    }
    start = both.start;
    return start;
  }

  static T& value(link* at) noexcept { return static_cast<node*>(at)->value; }

  static T& first_of(link* at) {
    if (at->head) throw empty_list();
    return value(at);
  }

  // The links from `first` up to but not including `last` go before `next`, which is none of them.
  static void move_before(link* first, link* last, link* next) noexcept {
    if (first == last && first->head) return;
    link* const end = first == last ? first : last->before;
    first->before->after = last;
    last->before = first->before;
    first->before = next->before;
    end->after = next;
    first->before->after = first;
    next->before = end;
  }

  void remove(link* at) noexcept {
    at->before->after = at->after;
    at->after->before = at->before;
    --size_;
    delete static_cast<node*>(at);
  }

  // All elements of another list come to this one, which is empty.
  void take(spliced_list& other) noexcept {
    move_before(other.ring_.after, &other.ring_, &ring_);
    size_ = std::exchange(other.size_, 0);
  }

  link ring_;
  size_type size_ = 0;
};

}  // namespace sl

#endif  // SPLICED_LIST_HPP
