// rigorbench-canary 4b5084c6-e651-48cc-9b25-0a9ac5dcd7d9
// A binary heap in an array. Merging appends the other queue's elements one by one.
#ifndef MERGE_QUEUE_HPP
#define MERGE_QUEUE_HPP

#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace mq {

class empty_queue : public std::logic_error {
 public:
  empty_queue() : std::logic_error("the queue is empty") {}
};

template <class T, class Before = std::less<T>>
class merge_queue {
 public:
  using value_type = T;
  using size_type = std::size_t;

  explicit merge_queue(Before before = Before()) : before_(std::move(before)) {}

  template <class Iterator>
  merge_queue(Iterator first, Iterator last, Before before = Before()) : before_(std::move(before)) {
    for (; first != last; ++first) emplace(*first);
  }

  merge_queue(const merge_queue& other) : before_(other.before_) {
    for (const auto& each : other.heap_) heap_.push_back(std::make_unique<T>(*each));
  }
  merge_queue(merge_queue&& other) noexcept : before_(other.before_), heap_(std::move(other.heap_)) {}
  merge_queue& operator=(const merge_queue& other) {
    merge_queue(other).swap(*this);
    return *this;
  }
  merge_queue& operator=(merge_queue&& other) noexcept {
    if (this != &other) merge_queue(std::move(other)).swap(*this);
    return *this;
  }

  bool empty() const noexcept { return heap_.empty(); }
  size_type size() const noexcept { return heap_.size(); }

  const T& top() const {
    if (empty()) throw empty_queue();
    return *heap_.front();
  }

  void push(const T& value) { emplace(value); }
  void push(T&& value) { emplace(std::move(value)); }

  template <class... Arguments>
  const T& emplace(Arguments&&... arguments) {
    return rise(std::make_unique<T>(std::forward<Arguments>(arguments)...));
  }

  void pop() {
    if (empty()) throw empty_queue();
    std::swap(heap_.front(), heap_.back());
    heap_.pop_back();
    sink();
  }

  T extract() {
    if (empty()) throw empty_queue();
    T value(std::move(*heap_.front()));
    std::swap(heap_.front(), heap_.back());
    heap_.pop_back();
    sink();
    return value;
  }

  void merge(merge_queue& other) {
    if (this == &other) return;
    for (auto& each : other.heap_) rise(std::move(each));
    other.heap_.clear();
  }

  void clear() noexcept { heap_.clear(); }

  void swap(merge_queue& other) noexcept {
    std::swap(before_, other.before_);
    heap_.swap(other.heap_);
  }

 private:
  void sink() {
    std::size_t at = 0;
    for (std::size_t child = 1; child < heap_.size(); child = 2 * at + 1) {
      if (child + 1 < heap_.size() && before_(*heap_[child + 1], *heap_[child])) ++child;
      if (!before_(*heap_[child], *heap_[at])) break;
      std::swap(heap_[child], heap_[at]);
      at = child;
    }
  }

  const T& rise(std::unique_ptr<T> fresh) {
    heap_.push_back(std::move(fresh));
    std::size_t at = heap_.size() - 1;
    for (; at > 0 && before_(*heap_[at], *heap_[(at - 1) / 2]); at = (at - 1) / 2) {
      std::swap(heap_[at], heap_[(at - 1) / 2]);
    }
    return *heap_[at];
  }

  Before before_;
  std::vector<std::unique_ptr<T>> heap_;
};

}  // namespace mq

#endif  // MERGE_QUEUE_HPP
