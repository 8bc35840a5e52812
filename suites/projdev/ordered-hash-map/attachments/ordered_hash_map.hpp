// A hash map that remembers the order of insertion. Complete this header; see the statement for what each member must do.
#ifndef ORDERED_HASH_MAP_HPP
#define ORDERED_HASH_MAP_HPP

#include <cstddef>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <utility>

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

  class const_iterator;  // a bidirectional iterator: give both all that the statement lists
  class iterator;        // converts to const_iterator

  explicit ordered_hash_map(Hash hash = Hash(), Equal equal = Equal());
  ordered_hash_map(const ordered_hash_map& other);
  ordered_hash_map(ordered_hash_map&& other) noexcept;
  ordered_hash_map& operator=(const ordered_hash_map& other);
  ordered_hash_map& operator=(ordered_hash_map&& other) noexcept;
  ~ordered_hash_map();

  bool empty() const noexcept;
  size_type size() const noexcept;
  void reserve(size_type count);

  iterator begin() noexcept;
  iterator end() noexcept;
  const_iterator begin() const noexcept;
  const_iterator end() const noexcept;
  const_iterator cbegin() const noexcept;
  const_iterator cend() const noexcept;

  iterator find(const Key& key);
  const_iterator find(const Key& key) const;
  bool contains(const Key& key) const;
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
  size_type erase(const Key& key);
  void to_back(const_iterator where);
  void to_front(const_iterator where);

  void clear() noexcept;
  void swap(ordered_hash_map& other) noexcept;
};

}  // namespace oh

#endif  // ORDERED_HASH_MAP_HPP
