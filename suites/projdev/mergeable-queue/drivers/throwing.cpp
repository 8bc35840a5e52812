// rigorbench-canary 4b5084c6-e651-48cc-9b25-0a9ac5dcd7d9
// Lets an operation fail at every question, copy and allocation in turn, and looks at what is left each time.
#include "run.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <new>
#include <utility>
#include <vector>

#include "count.hpp"

namespace {

// Memory that runs out at a given request from now (0: never).
std::int64_t memory_fuse = 0;

void* granted(std::size_t size, std::size_t alignment) {
  if (memory_fuse > 0 && --memory_fuse == 0) throw std::bad_alloc();
  void* memory = alignment <= alignof(std::max_align_t)
                     ? std::malloc(size == 0 ? 1 : size)
                     : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return granted(size, 1); }
void* operator new[](std::size_t size) { return granted(size, 1); }
void* operator new(std::size_t size, std::align_val_t align) { return granted(size, static_cast<std::size_t>(align)); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace {

// Counts its lives; copying it can fail, moving it cannot.
class element {
 public:
  explicit element(std::int64_t number) : number_(number) { ++live; }
  element(const element& other) : number_(other.number_) {
    if (copy_fuse > 0 && --copy_fuse == 0) throw drive::broken();
    ++live;
  }
  element(element&& other) noexcept : number_(other.number_) {
    other.number_ = -1;
    ++live;
  }
  element& operator=(const element&) = delete;
  ~element() { --live; }
  std::int64_t read() const { return number_; }

  inline static std::int64_t live = 0, copy_fuse = 0;

 private:
  std::int64_t number_;
};

enum class fuse { question, copy, memory };

using row = std::vector<std::int64_t>;

void arm(fuse kind, std::int64_t at) {
  if (kind == fuse::question) drive::questions::fuse = at;
  if (kind == fuse::copy) element::copy_fuse = at;
  if (kind == fuse::memory) memory_fuse = at;
}

void disarm() { drive::questions::fuse = element::copy_fuse = memory_fuse = 0; }

template <class queue>
struct failures {
  // The queues of a case, and what should be in them.
  struct scene {
    queue first, second;
    row in_first, in_second;

    // Pushes and some pops in between, so that the queues have a past.
    static void fill(queue& into, row& model, std::uint64_t count, drive::splitmix& random) {
      for (std::uint64_t i = 0; i < count + count / 2; ++i) {
        model.push_back(static_cast<std::int64_t>(random.below(10 * count + 10)));
        into.emplace(model.back());
        if (i % 3 == 2) {
          into.pop();
          model.erase(std::min_element(model.begin(), model.end()));
        }
      }
      std::sort(model.begin(), model.end());
    }
  };

  static row drained(queue& from) {
    row values;
    while (!from.empty()) {
      values.push_back(from.top().read());
      from.pop();
    }
    return values;
  }

  // Tries `act` on fresh scenes, with the fuse at 1, 2, 3 ... until it gets through. `check` tells whether its
  // arguments are as they were after a failure. Writes whether a failure left something changed, and what there is in
  // the end.
  static void attempts(std::ostream& out, std::uint64_t size, std::uint64_t other, std::uint64_t seed, fuse kind,
                const std::function<void(scene&)>& act, const std::function<bool()>& check) {
    std::int64_t changed = 0, lost = 0;
    for (std::int64_t at = 1;; ++at) {
      bool failed = false;
      const std::int64_t live = element::live;
      {
        drive::splitmix random(seed);
        scene now;
        scene::fill(now.first, now.in_first, size, random);
        scene::fill(now.second, now.in_second, other, random);
        const element* first = size > 0 ? &now.first.top() : nullptr;
        const element* second = other > 0 ? &now.second.top() : nullptr;
        const std::int64_t before = element::live;
        try {
          arm(kind, at);
          act(now);
        } catch (const drive::broken&) {
          failed = true;
        } catch (const std::bad_alloc&) {
          failed = true;
        }
        disarm();
        if (failed) {
          bool same = element::live == before && check();
          same = same && now.first.size() == now.in_first.size() && now.second.size() == now.in_second.size();
          same = same && (size == 0 || &now.first.top() == first) && (other == 0 || &now.second.top() == second);
          same = same && drained(now.first) == now.in_first && drained(now.second) == now.in_second;
          changed += !same;
        } else {
          drive::digest values;
          for (queue* each : {&now.first, &now.second}) {
            values.add(each->size());
            for (std::int64_t value : drained(*each)) values.add(static_cast<std::uint64_t>(value));
          }
          out << "values " << values.value() << '\n';
        }
      }
      lost += element::live - live;
      if (!failed || changed > 0) break;
    }
    out << "changed " << changed << " lost " << lost << '\n';
  }

  static void run(std::istream& in, std::ostream& out) {
    std::string what, with;
    std::uint64_t size = 0, other = 0, seed = 0;
    while (in >> what >> with >> size >> other >> seed) {
      const fuse kind = with == "question" ? fuse::question : with == "copy" ? fuse::copy : fuse::memory;
      drive::splitmix random(seed + 1);
      const std::int64_t number = static_cast<std::int64_t>(random.below(10 * size + 10));
      element value(number);
      const auto kept = [&] { return value.read() == number; };
      const auto nothing = [] { return true; };
      std::vector<element> many;
      many.reserve(size + 1);
      const auto try_all = [&](const std::function<void(scene&)>& act, const std::function<bool()>& check) {
        attempts(out, size, other, seed, kind, act, check);
      };
      if (what == "push") try_all([&](scene& now) { now.first.push(std::as_const(value)); }, kept);
      if (what == "push-moved") try_all([&](scene& now) { now.first.push(std::move(value)); }, kept);
      if (what == "emplace") try_all([&](scene& now) { now.first.emplace(number); }, nothing);
      if (what == "pop") try_all([&](scene& now) { now.first.pop(); }, nothing);
      if (what == "extract") {
        std::int64_t taken = -1;
        try_all([&](scene& now) { taken = now.first.extract().read(); }, [&] { return taken == -1; });
        out << "taken " << taken << '\n';
      }
      if (what == "merge") try_all([&](scene& now) { now.first.merge(now.second); }, nothing);
      if (what == "assign") try_all([&](scene& now) { now.first = now.second; }, nothing);
      if (what == "copy") {
        try_all([&](scene& now) { queue copy(now.second); copy.swap(now.first); }, nothing);
      }
      if (what == "range") {
        for (std::uint64_t i = 0; i < size; ++i) {
          many.emplace_back(static_cast<std::int64_t>(random.below(10 * size + 10)));
        }
        try_all([&](scene& now) { queue built(many.begin(), many.end()); built.swap(now.first); }, nothing);
      }
    }
    out << "left " << element::live << '\n';
  }
};

}  // namespace

#include "merge_queue.hpp"

int main() { return drive::report(failures<mq::merge_queue<element, drive::asking<element>>>::run); }
