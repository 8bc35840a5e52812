// rigorbench-canary a25b6a18-b249-4263-8654-8ba6031f129a
// remove_if goes on from a node that was deleted.
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

  // A run of smaller elements of the other list goes over in one piece. The sizes are right at each comparison.
  template <class Less = std::less<>>
  void merge(spliced_list& other, Less less = Less()) {
    if (this == &other) return;
    link* mine = ring_.after;
    while (!mine->head && !other.empty()) {
      link* theirs = other.ring_.after;
      if (less(std::as_const(value(theirs)), std::as_const(value(mine)))) {
        splice(const_iterator(mine), other, const_iterator(theirs));
      } else {
        mine = mine->after;
      }
    }
    splice(end(), other);
  }

  // Sorted runs of 1, 2, 4 ... elements, each in a list; if a comparison fails, the destructors of none are reached
  // before all elements are back.
  template <class Less = std::less<>>
  void sort(Less less = Less()) {
    runs all{*this, {}, 0};
    while (!empty()) {
      spliced_list carry;
      carry.splice(carry.end(), *this, begin());
      all.add(carry, less);
    }
    all.join(less);
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
      const bool gone = predicate(std::as_const(value(at)));
      if (gone) remove(at);
      at = gone && at->head ? at : next;
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
  // Run i has 2^i elements or none, and comes before all runs with smaller numbers. What is left of them, after a
  // failure in particular, goes back to the list.
  struct runs {
    spliced_list& home;
    spliced_list each[64];
    int count;

    ~runs() {
      while (count > 0) home.splice(home.end(), each[--count]);
    }
    template <class Less>
    void add(spliced_list& carry, Less& less) {
      int i = 0;
      for (; i < count && !each[i].empty(); ++i) carried(i, carry, less);
      if (i == count) ++count;
      each[i].take(carry);
    }
    // The run's elements come first among equal ones. Whatever happens, they are in one of the two lists.
    template <class Less>
    void carried(int i, spliced_list& carry, Less& less) {
      try {
        each[i].merge(carry, less);
      } catch (...) {
        home.splice(home.begin(), carry);
        throw;
      }
      carry.take(each[i]);
    }
    template <class Less>
    void join(Less& less) {
      spliced_list carry;
      for (int i = 0; i < count; ++i) {
        if (!each[i].empty()) carried(i, carry, less);
      }
      count = 0;
      home.splice(home.end(), carry);
    }
  };

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
