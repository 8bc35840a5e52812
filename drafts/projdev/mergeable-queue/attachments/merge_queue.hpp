// A mergeable priority queue. Complete this header; see the statement for what each member must do.
#ifndef MERGE_QUEUE_HPP
#define MERGE_QUEUE_HPP

#include <cstddef>
#include <functional>
#include <stdexcept>

namespace mq {

// Thrown by top(), pop() and extract() of a queue without elements. Leave it as it is.
class empty_queue : public std::logic_error {
 public:
  empty_queue() : std::logic_error("the queue is empty") {}
};

template <class T, class Before = std::less<T>>
class merge_queue {
 public:
  using value_type = T;
  using size_type = std::size_t;

  explicit merge_queue(Before before = Before());
  template <class Iterator>
  merge_queue(Iterator first, Iterator last, Before before = Before());

  merge_queue(const merge_queue& other);
  merge_queue(merge_queue&& other) noexcept;
  merge_queue& operator=(const merge_queue& other);
  merge_queue& operator=(merge_queue&& other) noexcept;
  ~merge_queue();

  bool empty() const noexcept;
  size_type size() const noexcept;
  const T& top() const;

  void push(const T& value);
  void push(T&& value);
  template <class... Arguments>
  const T& emplace(Arguments&&... arguments);

  void pop();
  T extract();

  void merge(merge_queue& other);

  void clear() noexcept;
  void swap(merge_queue& other) noexcept;
};

}  // namespace mq

#endif  // MERGE_QUEUE_HPP
