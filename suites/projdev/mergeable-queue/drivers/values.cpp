// rigorbench-canary 4b5084c6-e651-48cc-9b25-0a9ac5dcd7d9
// Commands on queues of the kinds of elements that are hard to keep: no default, no copy, no assignment, counted lives.
#include "run.hpp"

#include "elements.hpp"
#include "script.hpp"

namespace {

template <template <class, class> class Queue, class Empty>
struct values {
  template <class Made, class Element, class Before>
  static void with(std::istream& in, std::ostream& out, std::size_t queues, const Before& before) {
    using queue = Queue<Element, Before>;
    static_assert(std::is_nothrow_move_constructible_v<queue> && std::is_nothrow_move_assignable_v<queue>);
    static_assert(noexcept(std::declval<queue&>().swap(std::declval<queue&>())));
    drive::script<queue, Made, Empty>(queues, before, out).run(in);
  }

  static void run(std::istream& in, std::ostream& out) {
    std::string kind;
    std::size_t queues = 0;
    in >> kind >> queues;
    if (kind == "records") {
      in >> drive::records::centre;
      with<drive::records, drive::counted>(in, out, queues, drive::nearest(drive::records::centre));
    }
    if (kind == "singles") {
      with<drive::singles, drive::single>(in, out, queues, drive::singles::before(drive::single_before));
    }
    if (kind == "texts") with<drive::texts, std::string>(in, out, queues, std::less<std::string>());
    if (kind == "wides") with<drive::wides, drive::wide>(in, out, queues, std::less<drive::wide>());
    out << "left " << drive::counted::live() << " ghosts " << drive::counted::ghosts() << '\n';
  }
};

}  // namespace

#include "merge_queue.hpp"

int main() { return drive::report(values<mq::merge_queue, mq::empty_queue>::run); }
