// A vector with checked iterators. Complete this header; see the statement for what each member must do.
#ifndef CHECKED_VECTOR_HPP
#define CHECKED_VECTOR_HPP

#include <cstddef>
#include <iterator>
#include <stdexcept>

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
 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;

  class const_iterator;  // a random access iterator: give both all that the statement lists
  class iterator;        // converts to const_iterator

  checked_vector() noexcept;
  template <class Input>
  checked_vector(Input first, Input last);
  checked_vector(const checked_vector& other);
  checked_vector(checked_vector&& other) noexcept;
  checked_vector& operator=(const checked_vector& other);
  checked_vector& operator=(checked_vector&& other) noexcept;
  ~checked_vector();

  bool empty() const noexcept;
  size_type size() const noexcept;
  size_type capacity() const noexcept;
  void reserve(size_type least);
  void shrink_to_fit();

  T& operator[](size_type index);
  const T& operator[](size_type index) const;
  T& front();
  const T& front() const;
  T& back();
  const T& back() const;

  iterator begin() noexcept;
  iterator end() noexcept;
  const_iterator begin() const noexcept;
  const_iterator end() const noexcept;
  const_iterator cbegin() const noexcept;
  const_iterator cend() const noexcept;

  void push_back(const T& value);
  void push_back(T&& value);
  template <class... Arguments>
  T& emplace_back(Arguments&&... arguments);
  void pop_back();

  iterator insert(const_iterator where, const T& value);
  iterator insert(const_iterator where, T&& value);
  template <class... Arguments>
  iterator emplace(const_iterator where, Arguments&&... arguments);
  iterator erase(const_iterator where);
  iterator erase(const_iterator first, const_iterator last);

  void resize(size_type count, const T& value);
  void clear() noexcept;
  void swap(checked_vector& other) noexcept;
};

}  // namespace cv

#endif  // CHECKED_VECTOR_HPP
