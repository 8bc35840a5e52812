# rigorbench-canary a25b6a18-b249-4263-8654-8ba6031f129a
"""The faulty submissions: the ring with one fault each. `python generators/mutants.py`"""

from __future__ import annotations

from faults import Fault, write

TWINS = dict.fromkeys(["1-basic", "2-values", "3-iterators", "4-cost", "5-failures", "6-volume"], "")
TWINS |= {"7-basic-memory": "1-basic", "8-values-leaks": "2-values", "9-failures-memory": "5-failures"}

FAULTS = [
    Fault(
        "wrong_answer/second-first",
        "Merging takes the other list's element first if both are equal.",
        [
            (
                "if (less(std::as_const(value(theirs)), std::as_const(value(mine)))) {",
                "if (!less(std::as_const(value(mine)), std::as_const(value(theirs)))) {",
            )
        ],
        {"1-basic": "WA"},
    ),
    Fault(
        "wrong_answer/end-of-the-last",
        "-- at the first element goes round to the end.",
        [
            (
                "if (at_ == nullptr || at_->before->head) throw",
                "if (at_ == nullptr || (at_->head && at_->before == at_)) throw",
            )
        ],
        {"2-values": "AC WA RE", "3-iterators": "WA RE"},
    ),
    Fault(
        "wrong_answer/loses-a-run",
        "A sort whose order fails loses the elements that it had in hand.",
        [("        home.splice(home.begin(), carry);\n        throw;", "        throw;")],
        {"5-failures": "WA"},
    ),
    Fault(
        "rejected/sizes-at-the-end",
        "merge corrects the sizes when all is done: if the order fails they are wrong.",
        [
            (
                "        splice(const_iterator(mine), other, const_iterator(theirs));\n",
                "        move_before(theirs, theirs->after, mine);\n        ++gone;\n",
            ),
            (
                "    link* mine = ring_.after;\n    while (!mine->head && !other.empty()) {",
                "    size_type gone = 0;\n    link* mine = ring_.after;\n    while (!mine->head && !other.ring_.after->head) {",
            ),
            (
                "        mine = mine->after;\n      }\n    }\n",
                "        mine = mine->after;\n      }\n    }\n    size_ += gone;\n    other.size_ -= gone;\n",
            ),
        ],
        {"5-failures": "WA RE"},
    ),
    Fault(
        "wrong_answer/copied-half",
        "Copy assignment clears the list and then appends one element after the other; a failure leaves a part.",
        [
            (
                "      spliced_list copy(other);\n      clear();\n      take(copy);\n",
                "      clear();\n      for (const T& each : other) push_back(each);\n",
            )
        ],
        {"5-failures": "WA"},
    ),
    Fault(
        "time_limit_exceeded/inserts-to-sort",
        "sort inserts one element after the other at its place.",
        [
            (
                """    runs all{*this, {}, 0};
    while (!empty()) {
      spliced_list carry;
      carry.splice(carry.end(), *this, begin());
      all.add(carry, less);
    }
    all.join(less);
""",
                """    for (link* at = ring_.after; !at->head;) {
      link* const next = at->after;
      link* where = at->before;
      while (!where->head && less(std::as_const(value(at)), std::as_const(value(where)))) where = where->before;
      if (where->after != at) move_before(at, next, where->after);
      at = next;
    }
""",
            )
        ],
        {"4-cost": "WA", "6-volume": "TLE"},
    ),
    Fault(
        "time_limit_exceeded/counts-elements",
        "size counts the elements each time.",
        [
            (
                "  size_type size() const noexcept { return size_; }\n",
                "  size_type size() const noexcept {\n    size_type count = 0;\n"
                "    for (link* at = ring_.after; !at->head; at = at->after) ++count;\n    return count;\n  }\n",
            )
        ],
        {"6-volume": "TLE"},
    ),
    Fault(
        "memory_limit_exceeded/keeps-nodes",
        "Nodes of removed elements are kept until the program ends.",
        [
            (
                "    --size_;\n    delete static_cast<node*>(at);\n",
                "    --size_;\n    std::destroy_at(static_cast<node*>(at));\n    kept.nodes.push_back(static_cast<node*>(at));\n",
            ),
            (
                "  static T& value(link* at) noexcept",
                """  // The memory of all nodes that were ever removed.
  struct pool {
    std::vector<node*> nodes;
    ~pool() {
      for (node* each : nodes) std::allocator<node>().deallocate(each, 1);
    }
  };
  inline static pool kept;

  static T& value(link* at) noexcept""",
            ),
            ("#include <utility>\n", "#include <utility>\n#include <vector>\n"),
        ],
        {"4-cost": "WA", "5-failures": "AC WA RE", "6-volume": "MLE"},
    ),
    Fault(
        "run_time_error/unchecked-pop",
        "pop_back of an empty list removes the head.",
        [("  void pop_back() {\n    if (empty()) throw empty_list();\n", "  void pop_back() {\n")],
        {"1-basic": "RE"},
    ),
    Fault(
        "compile_error/needs-a-default",
        "The head is a node with a value of its own, made from nothing: not every type can do that.",
        [("  link ring_;\n", "  link ring_;\n  T unused_{};\n")],
    ),
    Fault(
        "memory_leak/node-on-removal",
        "unique destroys the element and forgets the memory of its node.",
        [
            (
                "remove(at->after);\n      else at = at->after;",
                "{\n        link* const gone = at->after;\n        at->after = gone->after;\n        gone->after->before = at;\n"
                "        --size_;\n        std::destroy_at(static_cast<node*>(gone));\n      } else at = at->after;",
            )
        ],
        {"7-basic-memory": "ML", "8-values-leaks": "ML", "9-failures-memory": "ML"},
    ),
    Fault(
        "memory_leak/node-on-failure",
        "The memory of a node is lost when the element cannot be copied.",
        [
            (
                "    link* fresh = new node(std::forward<Arguments>(arguments)...);\n",
                "    link* fresh = ::new (static_cast<void*>(std::allocator<node>().allocate(1)))\n"
                "        node(std::forward<Arguments>(arguments)...);\n",
            )
        ],
        {"9-failures-memory": "ML"},
    ),
    Fault(
        "invalid_access/looks-back",
        "remove_if goes on from a node that was deleted.",
        [
            (
                "      if (predicate(std::as_const(value(at)))) remove(at);\n      at = next;\n",
                "      const bool gone = predicate(std::as_const(value(at)));\n      if (gone) remove(at);\n"
                "      at = gone && at->head ? at : next;\n",
            )
        ],
        {"7-basic-memory": "IA", "9-failures-memory": "IA"},
    ),
    Fault(
        "uninitialised_read/never-set",
        "A mark is read that nobody has set; whatever it says, the result is the same.",
        [
            (
                "      this->head = false;\n    }\n    T value;\n",
                "      this->head = false;\n    }\n    int marked;\n    T value;\n",
            ),
            (
                "    --size_;\n    delete static_cast",
                "    --size_;\n    if (static_cast<node*>(at)->marked > 7) ++mark_;\n    delete static_cast",
            ),
            ("  size_type size_ = 0;\n};", "  size_type size_ = 0;\n  volatile int mark_ = 0;\n};"),
        ],
        {"7-basic-memory": "UR"},
    ),
]

if __name__ == "__main__":
    write("ring", "spliced_list.hpp", FAULTS, TWINS)
