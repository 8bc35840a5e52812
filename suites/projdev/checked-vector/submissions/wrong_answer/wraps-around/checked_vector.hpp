// rigorbench-canary ff6c925b-e7ec-441b-b728-dfa192fd87f2
// The new position is computed in 32 bits: a long way leads back into the vector.
#ifndef CHECKED_VECTOR_HPP
#define CHECKED_VECTOR_HPP

#include <compare>
#include <cstddef>
#include <iterator>
#include <limits>
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
      return owner_->block_[at_];
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
      if (static_cast<unsigned>(forward ? at_ + distance : at_ - distance) > size) {
        throw invalid_iterator();
      }
      return static_cast<unsigned>(forward ? at_ + distance : at_ - distance);
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
    for (; size_ < other.size_; ++size_) std::construct_at(block_ + size_, std::as_const(other.block_[size_]));
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
    give_back(block_, capacity_);
  }

  bool empty() const noexcept { return size_ == 0; }
  size_type size() const noexcept { return size_; }
  size_type capacity() const noexcept { return capacity_; }

  void reserve(size_type least) {
    if (least > largest()) throw std::length_error("more elements than there is memory");
    if (least > capacity_) relocate(least);
  }

  void shrink_to_fit() {
    if (size_ < capacity_) relocate(size_);
  }

  T& operator[](size_type index) {
    if (index >= size_) throw bad_index();
    return block_[index];
  }
  const T& operator[](size_type index) const {
    if (index >= size_) throw bad_index();
    return block_[index];
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
    if (size_ < capacity_) {
      std::construct_at(block_ + size_, std::forward<Arguments>(arguments)...);
    } else {
      // The new element comes first: its arguments may refer to an old one.
      fresh larger(grown());
      std::construct_at(larger.block + size_, std::forward<Arguments>(arguments)...);
      shift(block_, size_, larger.block);
      adopt(larger);
    }
    return block_[size_++];
  }

  void pop_back() {
    if (size_ == 0) throw bad_index();
    std::destroy_at(block_ + --size_);
  }

  iterator insert(const_iterator where, const T& value) { return emplace(where, value); }
  iterator insert(const_iterator where, T&& value) { return emplace(where, std::move(value)); }

  template <class... Arguments>
  iterator emplace(const_iterator where, Arguments&&... arguments) {
    const size_type at = position(where);
    if (at == size_) {
      emplace_back(std::forward<Arguments>(arguments)...);
    } else if (size_ < capacity_) {
      T value(std::forward<Arguments>(arguments)...);
      shift_up(block_ + at, size_ - at);
      std::construct_at(block_ + at, std::move(value));
      ++size_;
    } else {
      fresh larger(grown());
      std::construct_at(larger.block + at, std::forward<Arguments>(arguments)...);
      shift(block_, at, larger.block);
      shift(block_ + at, size_ - at, larger.block + at + 1);
      adopt(larger);
      ++size_;
    }
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
      std::destroy(block_ + from, block_ + to);
      shift(block_ + to, size_ - to, block_ + from);
      size_ -= to - from;
    }
    return {this, from};
  }

  void resize(size_type count, const T& value) {
    if (count > largest()) throw std::length_error("more elements than there is memory");
    if (count > capacity_) {
      const size_type more = count > grown() ? count : grown();
      fresh larger(more);
      fill(larger.block + size_, count - size_, value);
      shift(block_, size_, larger.block);
      adopt(larger);
    } else if (count > size_) {
      fill(block_ + size_, count - size_, value);
    } else {
      std::destroy(block_ + count, block_ + size_);
    }
    size_ = count;
  }

  void clear() noexcept {
    std::destroy(block_, block_ + size_);
    size_ = 0;
  }

  void swap(checked_vector& other) noexcept {
    std::swap(block_, other.block_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  // Memory without elements, given back unless it is adopted.
  struct fresh {
    explicit fresh(size_type room)
        : block(room == 0 ? nullptr : std::allocator<T>().allocate(room)), capacity(room) {}
    fresh(const fresh&) = delete;
    fresh& operator=(const fresh&) = delete;
    ~fresh() { give_back(block, capacity); }
    T* block;
    size_type capacity;
  };

  static void give_back(T* block, size_type capacity) noexcept {
    if (block != nullptr) std::allocator<T>().deallocate(block, capacity);
  }

  static constexpr size_type largest() noexcept {
    return static_cast<size_type>(std::numeric_limits<difference_type>::max()) / sizeof(T);
  }

  size_type grown() const noexcept { return size_ < 4 ? 4 : 2 * size_; }

  size_type position(const const_iterator& where) const {
    if (where.owner_ != this || where.at_ > size_) throw invalid_iterator();
    return where.at_;
  }

  // Moves elements to free memory before or apart from them.
  static void shift(T* from, size_type count, T* to) noexcept {
    for (size_type i = 0; i < count; ++i) {
      std::construct_at(to + i, std::move(from[i]));
      std::destroy_at(from + i);
    }
  }

  // Moves elements by one, from the last on.
  static void shift_up(T* from, size_type count) noexcept {
    for (size_type i = count; i > 0; --i) {
      std::construct_at(from + i, std::move(from[i - 1]));
      std::destroy_at(from + i - 1);
    }
  }

  // Copies of a value; none if one of them fails.
  static void fill(T* to, size_type count, const T& value) {
    size_type made = 0;
    try {
      for (; made < count; ++made) std::construct_at(to + made, value);
    } catch (...) {
      std::destroy(to, to + made);
      throw;
    }
  }

  void adopt(fresh& larger) noexcept {
    std::swap(block_, larger.block);
    std::swap(capacity_, larger.capacity);
  }

  void relocate(size_type room) {
    fresh other(room);
    shift(block_, size_, other.block);
    adopt(other);
  }

  T* block_ = nullptr;
  size_type size_ = 0;
  size_type capacity_ = 0;
};

}  // namespace cv

#endif  // CHECKED_VECTOR_HPP
