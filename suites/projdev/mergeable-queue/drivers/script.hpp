// rigorbench-canary 4b5084c6-e651-48cc-9b25-0a9ac5dcd7d9
// Carries out a case's commands on a row of queues and writes what they show.
#ifndef SCRIPT_HPP
#define SCRIPT_HPP

#include <cstdint>
#include <istream>
#include <memory>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace drive {

// Made: how a number becomes an element and back: make(n), key(element), and live(), the elements alive just now.
// Before: the type of the orders, one for each queue.
// Empty: what an empty queue throws. Like all drivers' code it stands before the submission's header is read, so that
// no macro of a submission changes its meaning.
template <class Queue, class Made, class Before, class Empty>
class script {
 public:
  using value = typename Queue::value_type;

  script(std::vector<Before> orders, std::ostream& out) : orders_(std::move(orders)), out_(out) {
    for (const Before& order : orders_) queues_.push_back(std::make_unique<Queue>(order));
  }

  void run(std::istream& in) {
    std::string word;
    while (in >> word) {
      if (word == "live") {
        out_ << Made::live() << '\n';
        continue;
      }
      std::size_t at = 0;
      in >> at;
      Queue& queue = *queues_.at(at);
      try {
        one(word, at, queue, in);
      } catch (const Empty&) {
        out_ << "empty\n";
      }
    }
  }

 private:
  static constexpr bool copies = std::is_copy_constructible_v<value>;

  void one(const std::string& word, std::size_t at, Queue& queue, std::istream& in) {
    if (word == "push") {
      value element = Made::make(number(in));
      queue.push(std::move(element));
    } else if (word == "insert") {
      if constexpr (copies) {
        const value element = Made::make(number(in));
        queue.push(element);
      } else {
        queue.push(Made::make(number(in)));
      }
    } else if (word == "again") {
      if constexpr (copies) queue.push(queue.top());
    } else if (word == "emplace") {
      const value& placed = queue.emplace(Made::raw(number(in)));
      out_ << Made::key(placed) << '\n';
    } else if (word == "pop") {
      queue.pop();
    } else if (word == "extract") {
      const value taken = queue.extract();
      out_ << Made::key(taken) << '\n';
    } else if (word == "top") {
      out_ << Made::key(std::as_const(queue).top()) << '\n';
    } else if (word == "size") {
      const Queue& seen = queue;
      out_ << seen.size() << (seen.empty() ? " empty" : " filled") << '\n';
    } else if (word == "clear") {
      queue.clear();
    } else if (word == "drain") {
      while (!queue.empty()) {
        out_ << Made::key(queue.top()) << ' ';
        queue.pop();
      }
      out_ << "end\n";
    } else if (word == "range") {
      range(at, in);
    } else {
      const std::size_t from = static_cast<std::size_t>(number(in));
      two(word, at, queue, from, *queues_.at(from));
    }
  }

  void two(const std::string& word, std::size_t at, Queue& queue, std::size_t from, Queue& other) {
    if (word == "merge") {
      queue.merge(other);
    } else if (word == "swap") {
      queue.swap(other);
    } else if (word == "move") {
      queue = std::move(other);
    } else if (word == "take") {
      auto fresh = std::make_unique<Queue>(std::move(other));
      if (at != from) queues_[at] = std::move(fresh);
      else queue.swap(*fresh);
    } else if (word == "copy") {
      if constexpr (copies) queue = other;
    } else if (word == "clone") {
      if constexpr (copies) queues_[at] = std::make_unique<Queue>(std::as_const(other));
    }
  }

  void range(std::size_t at, std::istream& in) {
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(number(in)));
    for (auto& each : numbers) each = number(in);
    queues_[at] = Made::template built<Queue>(numbers, orders_[at]);
  }

  static std::int64_t number(std::istream& in) {
    std::int64_t value = 0;
    in >> value;
    return value;
  }

  std::vector<Before> orders_;
  std::vector<std::unique_ptr<Queue>> queues_;
  std::ostream& out_;
};

}  // namespace drive

#endif  // SCRIPT_HPP
