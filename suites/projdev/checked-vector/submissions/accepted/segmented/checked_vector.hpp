// rigorbench-canary ff6c925b-e7ec-441b-b728-dfa192fd87f2
// Segments that double in size: growth never moves an element, and memory comes a segment at a time.
#ifndef CHECKED_VECTOR_HPP
#define CHECKED_VECTOR_HPP

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <iterator>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace cv {

// Thrown when there is no element with an index. Leave it as it is.
class bad_index : public std::out_of_range {
 public:
  bad_index() : std::out_of_range("there is no element with this index") {}
};

// Thrown when an iterator cannot be used in this way. Leave it as it is.
class invalid_iterator : public std::logic_error {
 public:
  invalid_iterator() : std::logic_error("the iterator cannot be used here") {}
};

template <class T>
class checked_vector {
  // A vector and a position in it. Nothing in it refers to an element, so growth and erasure leave it usable.
  template <bool Const>
  class place {
   public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using reference = std::conditional_t<Const, const T&, T&>;
    using pointer = std::conditional_t<Const, const T*, T*>;
    using vector = std::conditional_t<Const, const checked_vector, checked_vector>;

    place() noexcept = default;
    place(vector* owner, std::size_t at) noexcept : owner_(owner), at_(at) {}
    template <bool Other>
      requires(Const && !Other)
    place(const place<Other>& other) noexcept : owner_(other.owner_), at_(other.at_) {}

    reference operator*() const {
      if (owner_ == nullptr || at_ >= owner_->size_) throw invalid_iterator();
      return *owner_->slot(at_);
    }
    pointer operator->() const { return std::addressof(**this); }
    reference operator[](difference_type offset) const { return *(*this + offset); }

    place& operator+=(difference_type offset) {
      at_ = moved(offset >= 0, offset >= 0 ? std::size_t(offset) : 0 - std::size_t(offset));
      return *this;
    }
    place& operator-=(difference_type offset) {
      at_ = moved(offset < 0, offset < 0 ? 0 - std::size_t(offset) : std::size_t(offset));
      return *this;
    }
    place& operator++() { return *this += 1; }
    place& operator--() { return *this -= 1; }
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
    friend place operator+(place it, difference_type offset) { return it += offset; }
    friend place operator+(difference_type offset, place it) { return it += offset; }
    friend place operator-(place it, difference_type offset) { return it -= offset; }

    template <bool Other>
    difference_type operator-(const place<Other>& other) const {
      require_same(other);
      return static_cast<difference_type>(at_) - static_cast<difference_type>(other.at_);
    }
    template <bool Other>
    bool operator==(const place<Other>& other) const noexcept {
      return owner_ == other.owner_ && at_ == other.at_;
    }
    template <bool Other>
    std::strong_ordering operator<=>(const place<Other>& other) const {
      require_same(other);
      return at_ <=> other.at_;
    }

   private:
    friend checked_vector;
    template <bool>
    friend class place;

    // The position at a distance. Distances are unsigned: that of the smallest difference_type has no positive twin.
    std::size_t moved(bool forward, std::size_t distance) const {
      if (owner_ == nullptr) throw invalid_iterator();
      const std::size_t size = owner_->size_;
      if (forward ? at_ > size || distance > size - at_ : distance > at_ || at_ - distance > size) {
        throw invalid_iterator();
      }
      return forward ? at_ + distance : at_ - distance;
    }
    template <bool Other>
    void require_same(const place<Other>& other) const {
      if (owner_ == nullptr || owner_ != other.owner_) throw invalid_iterator();
    }

    vector* owner_ = nullptr;
    std::size_t at_ = 0;
  };

 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using iterator = place<false>;
  using const_iterator = place<true>;

  checked_vector() noexcept = default;

  template <class Input>
  checked_vector(Input first, Input last) : checked_vector() {
    for (; first != last; ++first) emplace_back(*first);  // delegated: the destructor runs when this throws
  }

  checked_vector(const checked_vector& other) : checked_vector() {
    reserve(other.size_);
    while (size_ < other.size_) emplace_back(other[size_]);
  }

  checked_vector(checked_vector&& other) noexcept { swap(other); }

  checked_vector& operator=(const checked_vector& other) {
    if (this != &other) checked_vector(other).swap(*this);
    return *this;
  }

  checked_vector& operator=(checked_vector&& other) noexcept {
    if (this != &other) checked_vector(std::move(other)).swap(*this);
    return *this;
  }

  ~checked_vector() {
    clear();
    keep(0);
  }

  bool empty() const noexcept { return size_ == 0; }
  size_type size() const noexcept { return size_; }
  size_type capacity() const noexcept { return start(segments_); }

  void reserve(size_type least) {
    if (least > (size_type{1} << 62) / sizeof(T)) throw std::length_error("more elements than there is memory");
    const size_type before = segments_;
    try {
      while (capacity() < least) {
        table_[segments_] = std::allocator<T>().allocate(length(segments_));
        ++segments_;
      }
    } catch (...) {
      keep(before);
      throw;
    }
  }

  void shrink_to_fit() { keep(size_ == 0 ? 0 : segment(size_ - 1) + 1); }

  T& operator[](size_type index) {
    if (index >= size_) throw bad_index();
    return *slot(index);
  }
  const T& operator[](size_type index) const {
    if (index >= size_) throw bad_index();
    return *slot(index);
  }
  T& front() { return (*this)[0]; }
  const T& front() const { return (*this)[0]; }
  T& back() { return (*this)[size_ - 1]; }
  const T& back() const { return (*this)[size_ - 1]; }

  iterator begin() noexcept { return {this, 0}; }
  iterator end() noexcept { return {this, size_}; }
  const_iterator begin() const noexcept { return {this, 0}; }
  const_iterator end() const noexcept { return {this, size_}; }
  const_iterator cbegin() const noexcept { return {this, 0}; }
  const_iterator cend() const noexcept { return {this, size_}; }

  void push_back(const T& value) { emplace_back(value); }
  void push_back(T&& value) { emplace_back(std::move(value)); }

  template <class... Arguments>
  T& emplace_back(Arguments&&... arguments) {
    reserve(size_ + 1);
    T* made = std::construct_at(slot(size_), std::forward<Arguments>(arguments)...);
    ++size_;
    return *made;
  }

  void pop_back() {
    if (size_ == 0) throw bad_index();
    std::destroy_at(slot(--size_));
  }

  iterator insert(const_iterator where, const T& value) { return emplace(where, value); }
  iterator insert(const_iterator where, T&& value) { return emplace(where, std::move(value)); }

  template <class... Arguments>
  iterator emplace(const_iterator where, Arguments&&... arguments) {
    const size_type at = position(where);
    reserve(size_ + 1);
    T value(std::forward<Arguments>(arguments)...);  // before anything moves: it may be a copy of an element
    for (size_type i = size_; i > at; --i) transfer(i - 1, i);
    std::construct_at(slot(at), std::move(value));
    ++size_;
    return {this, at};
  }

  iterator erase(const_iterator where) {
    if (position(where) == size_) throw invalid_iterator();
    return erase(where, where + 1);
  }

  iterator erase(const_iterator first, const_iterator last) {
    const size_type from = position(first), to = position(last);
    if (from > to) throw invalid_iterator();
    if (from < to) {
      for (size_type i = from; i < to; ++i) std::destroy_at(slot(i));
      for (size_type i = to; i < size_; ++i) transfer(i, i - (to - from));
      size_ -= to - from;
    }
    return {this, from};
  }

  void resize(size_type count, const T& value) {
    const size_type before = size_;
    reserve(count);
    try {
      while (size_ < count) emplace_back(value);
    } catch (...) {
      while (size_ > before) pop_back();
      throw;
    }
    while (size_ > count) pop_back();
  }

  void clear() noexcept {
    while (size_ > 0) std::destroy_at(slot(--size_));
  }

  void swap(checked_vector& other) noexcept {
    std::swap(table_, other.table_);
    std::swap(segments_, other.segments_);
    std::swap(size_, other.size_);
  }

 private:
  // Segment 0 holds the elements 0 to 3, segment k those from 2^(k+1) on, as many as there are before it.
  static size_type segment(size_type index) noexcept { return index < 4 ? 0 : std::bit_width(index) - 2; }
  static size_type start(size_type segment) noexcept { return segment == 0 ? 0 : size_type{2} << segment; }
  static size_type length(size_type segment) noexcept { return segment == 0 ? 4 : start(segment); }

  T* slot(size_type index) const noexcept {
    const size_type in = segment(index);
    return table_[in] + (index - start(in));
  }

  void transfer(size_type from, size_type to) noexcept {
    std::construct_at(slot(to), std::move(*slot(from)));
    std::destroy_at(slot(from));
  }

  void keep(size_type segments) noexcept {
    while (segments_ > segments) {
      --segments_;
      std::allocator<T>().deallocate(table_[segments_], length(segments_));
    }
  }

  size_type position(const const_iterator& where) const {
    if (where.owner_ != this || where.at_ > size_) throw invalid_iterator();
    return where.at_;
  }

  std::array<T*, 62> table_{};
  size_type segments_ = 0;
  size_type size_ = 0;
};

}  // namespace cv

#endif  // CHECKED_VECTOR_HPP
