// A list that is rearranged by links. Complete this header; see the statement for what each member must do.
#ifndef SPLICED_LIST_HPP
#define SPLICED_LIST_HPP

#include <cstddef>
#include <functional>
#include <iterator>
#include <stdexcept>
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

  class const_iterator;  // a bidirectional iterator: give both all that the statement lists
  class iterator;        // converts to const_iterator

  spliced_list() noexcept;
  template <class Input>
  spliced_list(Input first, Input last);
  spliced_list(const spliced_list& other);
  spliced_list(spliced_list&& other) noexcept;
  spliced_list& operator=(const spliced_list& other);
  spliced_list& operator=(spliced_list&& other) noexcept;
  ~spliced_list();

  bool empty() const noexcept;
  size_type size() const noexcept;
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

  void push_front(const T& value);
  void push_front(T&& value);
  void push_back(const T& value);
  void push_back(T&& value);
  void pop_front();
  void pop_back();

  iterator insert(const_iterator where, const T& value);
  iterator insert(const_iterator where, T&& value);
  template <class... Arguments>
  iterator emplace(const_iterator where, Arguments&&... arguments);
  iterator erase(const_iterator where);
  iterator erase(const_iterator first, const_iterator last);

  void splice(const_iterator where, spliced_list& other);
  void splice(const_iterator where, spliced_list& other, const_iterator element);
  void reverse() noexcept;
  template <class Less = std::less<>>
  void merge(spliced_list& other, Less less = Less());
  template <class Less = std::less<>>
  void sort(Less less = Less());
  template <class Equal = std::equal_to<>>
  size_type unique(Equal equal = Equal());
  template <class Predicate>
  size_type remove_if(Predicate predicate);

  void clear() noexcept;
  void swap(spliced_list& other) noexcept;
};

}  // namespace sl

#endif  // SPLICED_LIST_HPP
