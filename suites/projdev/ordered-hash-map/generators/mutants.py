# rigorbench-canary 30995173-b7c4-441e-8bd0-91a05f94348c
"""The faulty submissions: the chaining map with one fault each. `python generators/mutants.py`"""

from __future__ import annotations

from faults import Fault, write

TWINS = dict.fromkeys(["1-basic", "2-values", "3-iterators", "4-cost", "5-failures", "6-volume"], "")
TWINS |= {"7-basic-memory": "1-basic", "8-values-leaks": "2-values", "9-failures-memory": "5-failures"}

FAULTS = [
    Fault(
        "wrong_answer/moves-on-again",
        "An insertion with a key that is there moves the element to the end of the order.",
        [
            (
                "    if (node* old = found(hash, key)) return {iterator(old), false};\n",
                "    if (node* old = found(hash, key)) {\n      unlink(old);\n      put_before(old, &ring_);\n"
                "      return {iterator(old), false};\n    }\n",
            )
        ],
        {"1-basic": "WA"},
    ),
    Fault(
        "rejected/by-hash-only",
        "Keys with the same hash value are taken for equal.",
        [("if (at->hash == hash && equal_(at->value.first, key)) return at;", "if (at->hash == hash) return at;")],
        {"2-values": "WA RE", "3-iterators": "WA RE", "4-cost": "WA RE", "5-failures": "WA RE"},
    ),
    Fault(
        "wrong_answer/hashes-again",
        "The hash values are not kept: growth, removal and copies hash keys again.",
        [
            ("bucket(each->hash, bits)", "bucket(hash_(each->value.first), bits)"),
            ("bucket(at->hash, bits_)", "bucket(hash_(at->value.first), bits_)"),
        ],
        {"4-cost": "WA", "5-failures": "RE WA"},
    ),
    Fault(
        "wrong_answer/compares-all",
        "All keys of a bucket are compared, also those with other hash values.",
        [("if (at->hash == hash && equal_", "if (equal_")],
        {"4-cost": "WA"},
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
        {"2-values": "WA", "3-iterators": "WA"},
    ),
    Fault(
        "run_time_error/ring-of-the-other",
        "swap exchanges the rings as values: the first and the last element keep their links to the other head.",
        [
            (
                "    link between;\n    hand_over(ring_, between);\n    hand_over(other.ring_, ring_);\n"
                "    hand_over(between, other.ring_);\n    swap(size_",
                "    swap(ring_, other.ring_);\n    swap(size_",
            )
        ],
        {"1-basic": "RE WA"},
    ),
    Fault(
        "wrong_answer/linked-too-early",
        "A new node is in the table before growth can fail, and stays there.",
        [
            (
                "    if (size_ >= buckets()) grow(size_ < 4 ? 8 : 2 * size_);\n    node* fresh = new node("
                "hash, std::forward<Arguments>(arguments)...);\n    enter(fresh);\n",
                "    if (buckets() == 0) grow(8);\n    node* fresh = new node(hash, std::forward<Arguments>(arguments)...);\n"
                "    enter(fresh);\n    if (size_ > buckets()) grow(2 * size_);\n",
            )
        ],
        {"5-failures": "WA"},
    ),
    Fault(
        "time_limit_exceeded/lower-bits",
        "The bucket is given by the lower bits of the hash value: multiples of a power of two share one.",
        [
            (
                "    const std::uint64_t mixed = (hash ^ (hash >> 32)) * 0x9E3779B97F4A7C15u;\n"
                "    return bits == 0 ? 0 : static_cast<size_type>(mixed >> (64 - bits));\n",
                "    return hash & ((size_type{1} << bits) - 1);\n",
            )
        ],
        {"6-volume": "TLE"},
    ),
    Fault(
        "time_limit_exceeded/through-the-buckets",
        "The first element is searched through the buckets, however few elements are left.",
        [
            (
                "  iterator begin() noexcept { return iterator(ring_.after); }\n",
                "  iterator begin() noexcept {\n    volatile size_type left = size_;\n"
                "    for (size_type i = 0; i < buckets() && left > 0; ++i) {\n"
                "      for (node* at = table_[i]; at != nullptr; at = at->next) left = left - 1;\n    }\n"
                "    return iterator(ring_.after);\n  }\n",
            )
        ],
        {"6-volume": "TLE"},
    ),
    Fault(
        "memory_limit_exceeded/keeps-nodes",
        "Nodes of removed elements are kept until the program ends.",
        [
            (
                "    --size_;\n    delete at;\n",
                "    --size_;\n    std::destroy_at(at);\n    kept.nodes.push_back(at);\n",
            ),
            (
                "  size_type buckets() const",
                """  // The memory of all nodes that were ever removed.
  struct pool {
    std::vector<node*> nodes;
    ~pool() {
      for (node* each : nodes) std::allocator<node>().deallocate(each, 1);
    }
  };
  inline static pool kept;

  size_type buckets() const""",
            ),
            ("#include <utility>\n", "#include <utility>\n#include <vector>\n"),
        ],
        {"4-cost": "WA", "5-failures": "AC WA RE", "6-volume": "MLE"},
    ),
    Fault(
        "run_time_error/empty-table",
        "Searching in a map without a table, before the first insertion or after clear, is not considered.",
        [("    if (table_ == nullptr) return nullptr;\n", "")],
        {"1-basic": "RE"},
    ),
    Fault(
        "compile_error/needs-a-default",
        "A node starts with a value made from nothing, which not every type can do.",
        [("    value_type value;\n  };", "    value_type value;\n    Value spare{};\n  };")],
    ),
    Fault(
        "memory_leak/table-on-clear",
        "clear forgets the table.",
        [
            (
                "    size_ = 0;\n    table_.reset();\n    bits_ = 0;\n",
                "    size_ = 0;\n    (void)table_.release();\n    bits_ = 0;\n",
            ),
        ],
        {"7-basic-memory": "ML", "8-values-leaks": "ML", "9-failures-memory": "ML"},
    ),
    Fault(
        "memory_leak/node-on-failure",
        "The memory of a node is lost when key or value cannot be copied.",
        [
            (
                "    node* fresh = new node(hash, std::forward<Arguments>(arguments)...);\n",
                "    node* fresh = ::new (static_cast<void*>(std::allocator<node>().allocate(1)))\n"
                "        node(hash, std::forward<Arguments>(arguments)...);\n",
            )
        ],
        {"9-failures-memory": "ML"},
    ),
    Fault(
        "invalid_access/looks-back",
        "erase(key) looks at the node after it was deleted; whatever is there, the result is the same.",
        [
            (
                "    remove(at);\n    return 1;\n",
                "    remove(at);\n    static_cast<void>(*const_cast<const volatile bool*>(&at->head));\n    return 1;\n",
            )
        ],
        {"7-basic-memory": "IA", "9-failures-memory": "IA"},
    ),
    Fault(
        "uninitialised_read/never-set",
        "A mark is read that nobody has set; whatever it says, the result is the same.",
        [
            ("    std::size_t hash;\n    node* next", "    std::size_t hash;\n    int marked;\n    node* next"),
            ("    --size_;\n    delete at;\n", "    --size_;\n    if (at->marked > 7) ++mark_;\n    delete at;\n"),
            ("  int bits_ = 0;", "  volatile int mark_ = 0;\n  int bits_ = 0;"),
        ],
        {"7-basic-memory": "UR"},
    ),
]

if __name__ == "__main__":
    write("chaining", "ordered_hash_map.hpp", FAULTS, TWINS)
