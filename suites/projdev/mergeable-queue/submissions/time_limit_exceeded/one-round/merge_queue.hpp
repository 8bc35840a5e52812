// rigorbench-canary 4b5084c6-e651-48cc-9b25-0a9ac5dcd7d9
// pop() lets the first child meet all others one by one: the winner has as many children as the top had.
#ifndef MERGE_QUEUE_HPP
#define MERGE_QUEUE_HPP

#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

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

  explicit merge_queue(Before before = Before()) : before_(std::move(before)) {}

  template <class Iterator>
  merge_queue(Iterator first, Iterator last, Before before = Before()) : merge_queue(std::move(before)) {
    for (; first != last; ++first) emplace(*first);  // delegated: the destructor runs when this throws
  }

  merge_queue(const merge_queue& other) : merge_queue(Before(other.before_)) {
    std::vector<std::pair<const node*, node**>> open;
    if (other.root_ != nullptr) open.emplace_back(other.root_, &root_);
    while (!open.empty()) {
      const auto [from, place] = open.back();
      open.pop_back();
      *place = new node(from->value);
      if (from->next != nullptr) open.emplace_back(from->next, &(*place)->next);
      if (from->child != nullptr) open.emplace_back(from->child, &(*place)->child);
    }
    size_ = other.size_;
  }

  merge_queue(merge_queue&& other) noexcept : merge_queue(Before(other.before_)) {
    std::swap(root_, other.root_);
    std::swap(size_, other.size_);
  }

  merge_queue& operator=(const merge_queue& other) {
    if (this != &other) merge_queue(other).swap(*this);
    return *this;
  }

  merge_queue& operator=(merge_queue&& other) noexcept {
    if (this != &other) merge_queue(std::move(other)).swap(*this);
    return *this;
  }

  ~merge_queue() { clear(); }

  bool empty() const noexcept { return size_ == 0; }
  size_type size() const noexcept { return size_; }

  const T& top() const {
    if (root_ == nullptr) throw empty_queue();
    return root_->value;
  }

  void push(const T& value) { add(value); }
  void push(T&& value) { add(std::move(value)); }

  template <class... Arguments>
  const T& emplace(Arguments&&... arguments) {
    auto fresh = std::make_unique<node>(std::forward<Arguments>(arguments)...);
    const bool wins = root_ == nullptr || before_(fresh->value, root_->value);
    return enter(fresh.release(), wins);
  }

  void pop() { remove(pairs()); }

  T extract() {
    const round plan = pairs();
    T value(std::move(root_->value));
    remove(plan);
    return value;
  }

  void merge(merge_queue& other) {
    if (this == &other || other.root_ == nullptr) return;
    const bool wins = root_ == nullptr || before_(other.root_->value, root_->value);
    root_ = wins ? under(other.root_, root_) : under(root_, other.root_);
    size_ += std::exchange(other.size_, 0);
    other.root_ = nullptr;
  }

  void clear() noexcept {
    node* at = std::exchange(root_, nullptr);
    size_ = 0;
    while (at != nullptr) {
      if (node* child = at->child) {  // turned right until nothing is below
        at->child = child->next;
        child->next = at;
        at = child;
      } else {
        delete std::exchange(at, at->next);
      }
    }
  }

  void swap(merge_queue& other) noexcept {
    std::swap(before_, other.before_);
    std::swap(root_, other.root_);
    std::swap(size_, other.size_);
  }

 private:
  struct node {
    template <class... Arguments>
    explicit node(Arguments&&... arguments) : value(std::forward<Arguments>(arguments)...) {}
    T value;
    node* child = nullptr;  // the first of those below
    node* next = nullptr;   // the next beside
  };

  // Who goes below whom, in order, and who is left.
  struct round {
    std::vector<std::pair<node*, node*>> links;
    node* last = nullptr;
  };

  static node* under(node* winner, node* loser) noexcept {
    if (loser != nullptr) {
      loser->next = winner->child;
      winner->child = loser;
    }
    return winner;
  }

  template <class Value>
  void add(Value&& value) {
    const bool wins = root_ == nullptr || before_(value, root_->value);
    enter(new node(std::forward<Value>(value)), wins);
  }

  const T& enter(node* fresh, bool wins) noexcept {
    root_ = wins ? under(fresh, root_) : under(root_, fresh);
    ++size_;
    return fresh->value;
  }

  node* decided(round& plan, node* a, node* b) const {
    if (before_(b->value, a->value)) std::swap(a, b);
    plan.links.emplace_back(a, b);
    return a;
  }

  round pairs() const {
    if (root_ == nullptr) throw empty_queue();
    round plan;
    for (node* at = root_->child; at != nullptr; at = at->next) {
      plan.last = plan.last == nullptr ? at : decided(plan, plan.last, at);
    }
    return plan;
  }

  void remove(const round& plan) noexcept {
    for (const auto& [winner, loser] : plan.links) under(winner, loser);
    delete std::exchange(root_, plan.last);
    if (root_ != nullptr) root_->next = nullptr;
    --size_;
  }

  Before before_;
  node* root_ = nullptr;
  size_type size_ = 0;
};

}  // namespace mq

#endif  // MERGE_QUEUE_HPP
