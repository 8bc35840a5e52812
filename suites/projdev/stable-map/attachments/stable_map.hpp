// An ordered map whose elements stay where they are. Complete this header; see the statement for what each member must do.
#ifndef STABLE_MAP_HPP
#define STABLE_MAP_HPP

#include <cstddef>
#include <functional>
#include <iterator>
#include <stdexcept>
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

  class const_iterator;  // a bidirectional iterator: give both all that the statement lists
  class iterator;        // converts to const_iterator

  explicit stable_map(Less less = Less());
  stable_map(const stable_map& other);
  stable_map(stable_map&& other) noexcept;
  stable_map& operator=(const stable_map& other);
  stable_map& operator=(stable_map&& other) noexcept;
  ~stable_map();

  bool empty() const noexcept;
  size_type size() const noexcept;

  iterator begin() noexcept;
  iterator end() noexcept;
  const_iterator begin() const noexcept;
  const_iterator end() const noexcept;
  const_iterator cbegin() const noexcept;
  const_iterator cend() const noexcept;

  iterator find(const Key& key);
  const_iterator find(const Key& key) const;
  bool contains(const Key& key) const;
  iterator lower_bound(const Key& key);
  const_iterator lower_bound(const Key& key) const;
  iterator upper_bound(const Key& key);
  const_iterator upper_bound(const Key& key) const;

  Value& at(const Key& key);
  const Value& at(const Key& key) const;
  Value& operator[](const Key& key);

  std::pair<iterator, bool> insert(const value_type& value);
  std::pair<iterator, bool> insert(value_type&& value);
  template <class... Arguments>
  std::pair<iterator, bool> try_emplace(const Key& key, Arguments&&... arguments);
  template <class... Arguments>
  std::pair<iterator, bool> try_emplace(Key&& key, Arguments&&... arguments);

  iterator erase(const_iterator where);
  iterator erase(const_iterator first, const_iterator last);
  size_type erase(const Key& key);

  iterator nth(size_type index);
  const_iterator nth(size_type index) const;
  size_type rank(const_iterator where) const;

  void clear() noexcept;
  void swap(stable_map& other) noexcept;
};

}  // namespace om

#endif  // STABLE_MAP_HPP
