// rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
// A growable array, as far as this program needs one: elements are values that may be copied as bytes.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>

namespace ferries {

template <class T>
class List {
  static_assert(std::is_trivially_copyable_v<T>, "elements are moved as bytes when the list grows");

 public:
  List() = default;
  List(const List&) = delete;
  List& operator=(const List&) = delete;
  List(List&& other) noexcept : items_(other.items_), size_(other.size_), room_(other.room_) {
    other.items_ = nullptr;
    other.size_ = other.room_ = 0;
  }
  ~List() { std::free(items_); }

  std::size_t size() const { return size_; }
  T& operator[](std::size_t place) { return items_[place]; }
  const T& operator[](std::size_t place) const { return items_[place]; }
  T* begin() { return items_; }
  T* end() { return items_ + size_; }
  const T* begin() const { return items_; }
  const T* end() const { return items_ + size_; }

  void add(const T& item) {
    const T copy = item;  // it may be an element of this list
    if (size_ == room_) reserve(room_ == 0 ? 4 : room_ + room_ / 2);
    items_[size_++] = copy;
  }

  // Makes the list this long; new elements are `filler`.
  void resize(std::size_t size, const T& filler = T{}) {
    if (size > room_) reserve(size);
    for (; size_ < size; ++size_) items_[size_] = filler;
    size_ = size;
  }

  void clear() { size_ = 0; }

 private:
  void reserve(std::size_t room) {
    void* grown = std::realloc(static_cast<void*>(items_), room * sizeof(T));
    if (grown == nullptr) throw std::bad_alloc();
    items_ = static_cast<T*>(grown);
    room_ = room;
  }

  T* items_ = nullptr;
  std::size_t size_ = 0;
  std::size_t room_ = 0;
};

}  // namespace ferries
