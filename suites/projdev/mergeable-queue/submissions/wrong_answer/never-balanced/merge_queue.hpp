// rigorbench-canary 4b5084c6-e651-48cc-9b25-0a9ac5dcd7d9
// A skew heap: children change sides at every merge. Cheap on average, but a single push can ask half of all elements.
#ifndef MERGE_QUEUE_HPP
#define MERGE_QUEUE_HPP

#include <cstddef>
#include <functional>
#include <memory>
#include <new>
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
  merge_queue(Iterator first, Iterator last, Before before = Before()) : before_(std::move(before)) {
    forest trees;
    for (; first != last; ++first) {
      trees.roots.push_back(nullptr);
      trees.roots.back() = room().build(*first);
      ++size_;
    }
    // Neighbours are merged in rounds: most merges are of small trees, so all of them together are linear.
    while (trees.roots.size() > 1) {
      std::size_t kept = 0;
      for (std::size_t i = 0; i < trees.roots.size(); i += 2) {
        node* first_tree = trees.roots[i];
        node* second_tree = i + 1 < trees.roots.size() ? trees.roots[i + 1] : nullptr;
        node* both = merged(first_tree, second_tree);
        trees.roots[i] = nullptr;
        if (second_tree != nullptr) trees.roots[i + 1] = nullptr;
        trees.roots[kept++] = both;
      }
      trees.roots.resize(kept);
    }
    if (!trees.roots.empty()) root_ = std::exchange(trees.roots[0], nullptr);
  }

  merge_queue(const merge_queue& other) : before_(other.before_), root_(copied(other.root_)), size_(other.size_) {}

  merge_queue(merge_queue&& other) noexcept
      : before_(other.before_), root_(std::exchange(other.root_, nullptr)), size_(std::exchange(other.size_, 0)) {}

  merge_queue& operator=(const merge_queue& other) {
    if (this != &other) {
      merge_queue copy(other);
      swap(copy);
    }
    return *this;
  }

  merge_queue& operator=(merge_queue&& other) noexcept {
    if (this != &other) {
      merge_queue taken(std::move(other));
      swap(taken);
    }
    return *this;
  }

  ~merge_queue() { destroy(root_); }

  bool empty() const noexcept { return root_ == nullptr; }
  size_type size() const noexcept { return size_; }

  const T& top() const {
    if (root_ == nullptr) throw empty_queue();
    return root_->value;
  }

  void push(const T& value) { insert(value); }
  void push(T&& value) { insert(std::move(value)); }

  template <class... Arguments>
  const T& emplace(Arguments&&... arguments) {
    forest fresh;
    fresh.roots.push_back(nullptr);
    fresh.roots[0] = room().build(std::forward<Arguments>(arguments)...);
    root_ = merged(root_, fresh.roots[0]);
    ++size_;
    return std::exchange(fresh.roots[0], nullptr)->value;
  }

  void pop() {
    if (root_ == nullptr) throw empty_queue();
    plan way;
    way.find(root_->left, root_->right, before_);
    node* old = root_;
    root_ = way.link();
    --size_;
    remove(old);
  }

  T extract() {
    if (root_ == nullptr) throw empty_queue();
    plan way;
    way.find(root_->left, root_->right, before_);
    T value(std::move(root_->value));
    node* old = root_;
    root_ = way.link();
    --size_;
    remove(old);
    return value;
  }

  void merge(merge_queue& other) {
    if (this == &other) return;
    root_ = merged(root_, other.root_);
    size_ += std::exchange(other.size_, 0);
    other.root_ = nullptr;
  }

  void clear() noexcept {
    destroy(std::exchange(root_, nullptr));
    size_ = 0;
  }

  void swap(merge_queue& other) noexcept {
    using std::swap;
    swap(before_, other.before_);
    swap(root_, other.root_);
    swap(size_, other.size_);
  }

 private:
  struct node {
    template <class... Arguments>
    explicit node(Arguments&&... arguments) : value(std::forward<Arguments>(arguments)...) {}

    T value;
    node* left = nullptr;
    node* right = nullptr;
    std::size_t rank = 1;  // nodes on the way along right children, this one included
  };

  // Memory for a node, given back if the node does not come about.
  class room {
   public:
    room() : memory_(std::allocator<node>().allocate(1)) {}
    room(const room&) = delete;
    room& operator=(const room&) = delete;
    ~room() {
      if (memory_ != nullptr) std::allocator<node>().deallocate(memory_, 1);
    }

    template <class... Arguments>
    node* build(Arguments&&... arguments) {
      ::new (static_cast<void*>(memory_)) node(std::forward<Arguments>(arguments)...);
      return std::exchange(memory_, nullptr);
    }

   private:
    node* memory_;
  };

  static void remove(node* old) noexcept {
    std::destroy_at(old);
    std::allocator<node>().deallocate(old, 1);
  }

  // The nodes of two right spines in the order in which they will form one, and what hangs below the last of them.
  struct plan {
    std::vector<node*> spine;
    int length = 0;
    node* rest = nullptr;

    // Compares, changes nothing but this plan.
    void find(node* a, node* b, const Before& before) {
      while (a != nullptr && b != nullptr) {
        node*& first = before(b->value, a->value) ? b : a;
        spine.push_back(first);
        ++length;
        first = first->right;
      }
      rest = a != nullptr ? a : b;
    }

    // Changes links, compares nothing.
    node* link() noexcept {
      node* below = rest;
      while (length > 0) {
        node* at = spine[--length];
        at->right = below;
        std::swap(at->left, at->right);
        at->rank = rank(at->right) + 1;
        below = at;
      }
      return below;
    }
  };

  // Trees under way to becoming one; what is left when something throws is destroyed.
  struct forest {
    std::vector<node*> roots;
    ~forest() {
      for (node* root : roots) destroy(root);
    }
  };

  static std::size_t rank(const node* of) noexcept { return of == nullptr ? 0 : of->rank; }

  node* merged(node* a, node* b) const {
    plan way;
    way.find(a, b, before_);
    return way.link();
  }

  // The value is looked at where it is and moved from only when nothing can fail any more.
  template <class Value>
  void insert(Value&& value) {
    room reserved;
    plan way;
    node* at = root_;
    while (at != nullptr && !before_(value, at->value)) {
      way.spine.push_back(at);
      ++way.length;
      at = at->right;
    }
    node* fresh = reserved.build(std::forward<Value>(value));
    fresh->left = at;
    way.rest = fresh;
    root_ = way.link();
    ++size_;
  }

  // Neither this nor destroy() recurses: left children can form a chain of all elements.
  static node* copied(const node* from) {
    if (from == nullptr) return nullptr;
    struct owner {
      node* root;
      ~owner() { destroy(root); }
    } copy{nullptr};
    std::vector<std::pair<const node*, node**>> open{{from, &copy.root}};
    while (!open.empty()) {
      auto [source, place] = open.back();
      open.pop_back();
      *place = room().build(source->value);
      (*place)->rank = source->rank;
      if (source->right != nullptr) open.emplace_back(source->right, &(*place)->right);
      if (source->left != nullptr) open.emplace_back(source->left, &(*place)->left);
    }
    return std::exchange(copy.root, nullptr);
  }

  static void destroy(node* root) noexcept {
    while (root != nullptr) {
      if (node* left = root->left) {
        root->left = left->right;
        left->right = root;
        root = left;
      } else {
        remove(std::exchange(root, root->right));
      }
    }
  }

  Before before_;
  node* root_ = nullptr;
  size_type size_ = 0;
};

}  // namespace mq

#endif  // MERGE_QUEUE_HPP
