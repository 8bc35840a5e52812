# rigorbench-canary b8a9a7c5-2800-409d-bf7a-99652dc62872
"""The faulty submissions: the weight-balanced tree with one fault each. `python generators/mutants.py`"""

from __future__ import annotations

from faults import Fault, write

TWINS = dict.fromkeys(["1-basic", "2-values", "3-iterators", "4-cost", "5-failures", "6-volume"], "")
TWINS |= {"7-basic-memory": "1-basic", "8-values-leaks": "2-values", "9-failures-memory": "5-failures"}

REBALANCE = """      if (weight(at->right) > 3 * weight(at->left)) {"""

FAULTS = [
    Fault(
        "rejected/any-owner",
        "erase and rank take the position of an iterator, whichever map it belongs to.",
        [("    if (top != &head_) throw invalid_iterator();\n", "    if (top == nullptr) throw invalid_iterator();\n")],
        {"2-values": "WA RE", "3-iterators": "WA RE"},
    ),
    Fault(
        "wrong_answer/owner-stays",
        "An element remembers the map that it was inserted into, which is wrong after a swap or a move.",
        [
            (
                "    link* top = where.at_;\n    while (top != nullptr && top->parent != nullptr) top = top->parent;\n"
                "    if (top != &head_) throw invalid_iterator();\n",
                "    link* top = where.at_;\n    if (top == nullptr) throw invalid_iterator();\n"
                "    if ((top->size == 0 ? top : top->owner) != &head_) throw invalid_iterator();\n",
            ),
            ("    size_type size = 0;\n  };\n", "    size_type size = 0;\n    const link* owner = nullptr;\n  };\n"),
            ("    fresh->parent = above;\n", "    fresh->parent = above;\n    fresh->owner = &head_;\n"),
            (
                "copy_below(other.head_.left, head_, head_.left);",
                "copy_below(other.head_.left, head_, head_.left, &head_);",
            ),
            ("link& above, link*& slot) {", "link& above, link*& slot, const link* owner) {"),
            ("    slot->parent = &above;\n", "    slot->parent = &above;\n    slot->owner = owner;\n"),
            ("*copy, copy->left);", "*copy, copy->left, owner);"),
            ("*copy, copy->right);", "*copy, copy->right, owner);"),
        ],
        {"3-iterators": "WA", "4-cost": "RE"},
    ),
    Fault(
        "wrong_answer/constructs-first",
        "A node is made before it is known whether the key is there, and deleted again if it is.",
        [
            (
                "    link* above = head();\n    link** slot",
                "    std::unique_ptr<node> made(new node(std::forward<Arguments>(arguments)...));\n"
                "    link* above = head();\n    link** slot",
            ),
            ("!less_(key, key_of(best))) return", "!less_(key_of(made.get()), key_of(best))) return"),
            (
                "less_(key_of(above), key);\n      if (!less) best = above;",
                "less_(key_of(above), key_of(made.get()));\n      if (!less) best = above;",
            ),
            (
                "    link* fresh = new node(std::forward<Arguments>(arguments)...);\n",
                "    link* fresh = made.release();\n",
            ),
            ("add(const Key& key, Arguments", "add(const Key&, Arguments"),
        ],
        {"2-values": "WA", "4-cost": "WA", "5-failures": "WA"},
    ),
    Fault(
        "wrong_answer/half-copied",
        "Copy assignment clears the map and then inserts one element after the other; a failure leaves a part.",
        [
            (
                "    if (this != &other) {\n      stable_map copy(other);\n      swap(copy);\n    }\n",
                "    if (this != &other) {\n      clear();\n      less_ = other.less_;\n"
                "      for (const value_type& each : other) insert(each);\n    }\n",
            )
        ],
        {"4-cost": "WA", "5-failures": "WA"},
    ),
    Fault(
        "time_limit_exceeded/not-balanced",
        "The tree is never balanced: keys that come in order make a chain.",
        [
            (REBALANCE, "      if (Balanced && weight(at->right) > 3 * weight(at->left)) {"),
            ("} else if (weight(at->left) > 3", "} else if (Balanced && weight(at->left) > 3"),
            ("  static size_type weight(", "  static constexpr bool Balanced = false;\n  static size_type weight("),
        ],
        {"4-cost": "WA", "6-volume": "TLE"},
    ),
    Fault(
        "time_limit_exceeded/counts-ranks",
        "nth goes from element to element.",
        [
            (
                "    link* at = head_.left;\n    while (index != count(at->left)) {\n",
                "    link* at = first();\n    for (; index > 0; --index) at = next(at);\n    while (index != 0) {\n",
            )
        ],
        {"6-volume": "TLE"},
    ),
    Fault(
        "memory_limit_exceeded/keeps-nodes",
        "Nodes of removed elements are kept until the program ends.",
        [
            (
                "    delete static_cast<node*>(at);\n    rebalance(above);\n",
                "    std::destroy_at(static_cast<node*>(at));\n    kept.nodes.emplace_back(at);\n    rebalance(above);\n",
            ),
            (
                "  static size_type weight(",
                """  // The memory of all nodes that were ever removed.
  struct pool {
    std::vector<void*> nodes;
    ~pool() {
      for (void* each : nodes) std::allocator<node>().deallocate(static_cast<node*>(each), 1);
    }
  };
  inline static pool kept;

  static size_type weight(""",
            ),
            ("#include <utility>\n", "#include <utility>\n#include <vector>\n"),
        ],
        {"4-cost": "WA", "5-failures": "AC RE", "6-volume": "MLE"},
    ),
    Fault(
        "run_time_error/unchecked-end",
        "erase does not consider the end.",
        [
            (
                "    if (at == &head_) throw invalid_iterator();\n    link* behind = next(at);\n",
                "    link* behind = next(at);\n",
            )
        ],
        {"1-basic": "RE"},
    ),
    Fault(
        "compile_error/needs-a-default",
        "A node starts with a value made from nothing, which not every type can do.",
        [
            (
                "value(std::forward<Arguments>(arguments)...) {}\n    value_type value;",
                "value(std::forward<Arguments>(arguments)...) {}\n    value_type value;\n    Value spare{};",
            )
        ],
    ),
    Fault(
        "memory_leak/forgotten-on-assignment",
        "Move assignment takes over the other tree and forgets the nodes of a map of one element.",
        [
            (
                "      clear();\n      less_ = other.less_;",
                "      if (size() > 1) clear();\n      if (size() == 1) std::destroy_at(static_cast<node*>(head_.left));\n"
                "      less_ = other.less_;",
            )
        ],
        {"8-values-leaks": "ML"},
    ),
    Fault(
        "memory_leak/forgotten-on-failure",
        "The memory of a node is lost when key or value cannot be copied.",
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
        "erase(key) looks at the node after it was deleted; whatever is there, the result is the same.",
        [
            (
                "    if (at == &head_) return 0;\n    remove(at);\n    return 1;\n",
                "    if (at == &head_) return 0;\n    remove(at);\n    static_cast<void>(*const_cast<const volatile size_type*>(&at->size));\n    return 1;\n",
            )
        ],
        {"7-basic-memory": "IA", "9-failures-memory": "IA"},
    ),
    Fault(
        "uninitialised_read/never-set",
        "A mark is read that nobody has set; whatever it says, the result is the same.",
        [
            ("    size_type size = 0;\n  };\n", "    size_type size = 0;\n    int marked;\n  };\n"),
            (
                "      measure(at);\n      if (weight(at->right) > 3",
                "      measure(at);\n      if (at->marked > 7) at->marked = 1;\n      if (weight(at->right) > 3",
            ),
        ],
        {"7-basic-memory": "UR"},
    ),
    Fault(
        "rejected/leaves-early",
        "Prints what it thinks the judge wants to read and ends the program.",
        [
            (
                "  void clear() noexcept { destroy(",
                '  void clear() noexcept {\n    if (!empty()) {\n      std::puts("new 1 1");\n      std::fflush(nullptr);\n'
                "      std::_Exit(0);\n    }\n    destroy(",
            ),
            ("#include <cstddef>\n", "#include <cstddef>\n#include <cstdio>\n#include <cstdlib>\n"),
        ],
        {"1-basic": "RE"},
    ),
]

if __name__ == "__main__":
    write("weight-balanced", "stable_map.hpp", FAULTS, TWINS)
