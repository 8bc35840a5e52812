# rigorbench-canary ff6c925b-e7ec-441b-b728-dfa192fd87f2
"""The faulty submissions: the contiguous vector with one fault each. `python generators/mutants.py`"""

from __future__ import annotations

from faults import Fault, write

TWINS = dict.fromkeys(["1-basic", "2-values", "3-iterators", "4-cost", "5-failures", "6-volume"], "")
TWINS |= {"7-basic-memory": "1-basic", "8-values-leaks": "2-values", "9-failures-memory": "5-failures"}
FAULTS = [
    Fault(
        "wrong_answer/any-owner",
        "insert and erase use the position of an iterator, whichever vector it belongs to.",
        [("if (where.owner_ != this || where.at_ > size_)", "if (where.at_ > size_)")],
        {"2-values": "WA", "3-iterators": "WA"},
    ),
    Fault(
        "wrong_answer/one-too-far",
        "An iterator can be moved to one position behind the end.",
        [("distance > size - at_ :", "distance > size - at_ + 1 :")],
        {"1-basic": "WA"},
    ),
    Fault(
        "wrong_answer/wraps-around",
        "The new position is computed in 32 bits: a long way leads back into the vector.",
        [
            (
                "if (forward ? at_ > size || distance > size - at_ : distance > at_ || at_ - distance > size) {",
                "if (static_cast<unsigned>(forward ? at_ + distance : at_ - distance) > size) {",
            ),
            (
                "return forward ? at_ + distance : at_ - distance;",
                "return static_cast<unsigned>(forward ? at_ + distance : at_ - distance);",
            ),
        ],
        {"1-basic": "WA"},
    ),
    Fault(
        "wrong_answer/no-temporary",
        "Insertion moves the elements first; an argument that refers to one of them is another one by then.",
        [
            (
                "      T value(std::forward<Arguments>(arguments)...);\n      shift_up(block_ + at, size_ - at);\n"
                "      std::construct_at(block_ + at, std::move(value));\n",
                "      shift_up(block_ + at, size_ - at);\n"
                "      std::construct_at(block_ + at, std::forward<Arguments>(arguments)...);\n",
            )
        ],
        {"1-basic": "WA"},
    ),
    Fault(
        "wrong_answer/self-copy",
        "Copy assignment clears first: a vector that is assigned to itself loses its elements.",
        [
            (
                "    if (this != &other) checked_vector(other).swap(*this);\n",
                "    clear();\n    for (const T& value : other) push_back(value);\n",
            )
        ],
        {"1-basic": "WA"},
    ),
    Fault(
        "wrong_answer/half-filled",
        "resize appends one element after the other; those made before a failure stay.",
        [
            (
                "    } else if (count > size_) {\n      fill(block_ + size_, count - size_, value);\n",
                "    } else if (count > size_) {\n      while (size_ < count) push_back(value);\n",
            ),
            ("    if (count > capacity_) {\n", "    if (count > capacity_ && size_ > count) {\n"),
        ],
        {"5-failures": "WA"},
    ),
    Fault(
        "time_limit_exceeded/grows-by-a-constant",
        "The block grows by a constant, so that adding n elements moves about n * n of them.",
        [("return size_ < 4 ? 4 : 2 * size_;", "return size_ + 32;")],
        {"4-cost": "WA", "6-volume": "TLE"},
    ),
    Fault(
        "time_limit_exceeded/erases-one-by-one",
        "A range is erased element by element, and each time everything behind it moves.",
        [
            (
                """      std::destroy(block_ + from, block_ + to);
      shift(block_ + to, size_ - to, block_ + from);
      size_ -= to - from;
""",
                """      for (size_type left = to - from; left > 0; --left) {
        std::destroy_at(block_ + from);
        shift(block_ + from + 1, size_ - from - 1, block_ + from);
        --size_;
      }
""",
            )
        ],
        {"4-cost": "WA", "6-volume": "TLE"},
    ),
    Fault(
        "memory_limit_exceeded/keeps-blocks",
        "Blocks that are too small or too large are kept until the program ends.",
        [
            (
                "    ~fresh() { give_back(block, capacity); }\n",
                "    ~fresh() { kept.blocks.push_back({block, capacity}); }\n",
            ),
            (
                "  static void give_back(",
                """  // All blocks that were ever replaced.
  struct pool {
    std::vector<std::pair<T*, size_type>> blocks;
    ~pool() {
      for (auto [block, capacity] : blocks) give_back(block, capacity);
    }
  };
  inline static pool kept;

  static void give_back(""",
            ),
            ("#include <utility>\n", "#include <utility>\n#include <vector>\n"),
        ],
        {"4-cost": "WA", "5-failures": "WA RE", "6-volume": "MLE"},
    ),
    Fault(
        "run_time_error/unchecked-pop",
        "pop_back of an empty vector is not considered: the size wraps around.",
        [
            (
                "  void pop_back() {\n    if (size_ == 0) throw bad_index();\n",
                "  void pop_back() {\n",
            )
        ],
        {"1-basic": "RE WA"},
    ),
    Fault(
        "compile_error/needs-a-default",
        "A block is an array of elements made from nothing: not every type can do that.",
        [
            (
                "block(room == 0 ? nullptr : std::allocator<T>().allocate(room)), capacity(room) {}",
                "block(room == 0 ? nullptr : std::allocator<T>().allocate(room)), capacity(room) {\n"
                "      for (size_type i = 0; i < room; ++i) std::construct_at(block + i);\n    }",
            )
        ],
        {},
    ),
    Fault(
        "memory_leak/forgotten-on-assignment",
        "Move assignment destroys the old elements and forgets their block.",
        [
            (
                "    if (this != &other) checked_vector(std::move(other)).swap(*this);\n",
                """    if (this != &other) {
      clear();
      block_ = std::exchange(other.block_, nullptr);
      size_ = std::exchange(other.size_, 0);
      capacity_ = std::exchange(other.capacity_, 0);
    }
""",
            )
        ],
        {"7-basic-memory": "ML", "8-values-leaks": "ML"},
    ),
    Fault(
        "memory_leak/forgotten-on-failure",
        "The larger block is lost when the new element cannot be copied.",
        [
            (
                "    ~fresh() { give_back(block, capacity); }\n",
                "    ~fresh() {\n      if (adopted) give_back(block, capacity);\n    }\n",
            ),
            (
                "    T* block;\n    size_type capacity;\n  };",
                "    T* block;\n    size_type capacity;\n    bool adopted = false;\n  };",
            ),
            (
                "    std::swap(block_, larger.block);\n",
                "    larger.adopted = true;\n    std::swap(block_, larger.block);\n",
            ),
        ],
        {"9-failures-memory": "ML"},
    ),
    Fault(
        "invalid_access/looks-back",
        "resize looks at the old block after it was given back.",
        [
            (
                "      adopt(larger);\n    } else if (count > size_) {",
                """      const T* const old = block_;
      adopt(larger);
      larger = fresh(0);
      if (old != nullptr && *reinterpret_cast<const volatile char*>(old) == 1) capacity_ = more;
    } else if (count > size_) {""",
            ),
            (
                "    fresh& operator=(const fresh&) = delete;\n",
                "    fresh& operator=(fresh&& other) noexcept {\n      std::swap(block, other.block);\n"
                "      std::swap(capacity, other.capacity);\n      return *this;\n    }\n",
            ),
        ],
        {"9-failures-memory": "IA"},
    ),
    Fault(
        "uninitialised_read/never-set",
        "The place of a new element is looked at before there is one; whatever is there, the result is the same.",
        [
            ("  size_type capacity_ = 0;\n};", "  size_type capacity_ = 0;\n  volatile bool seen_ = false;\n};"),
            (
                "    if (size_ < capacity_) {\n      std::construct_at(",
                "    if (size_ < capacity_) {\n"
                "      if (*reinterpret_cast<const volatile unsigned char*>(block_ + size_) > 100) seen_ = true;\n"
                "      std::construct_at(",
            ),
        ],
        {"7-basic-memory": "UR"},
    ),
    Fault(
        "rejected/leaves-early",
        "Prints what it thinks the judge wants to read and ends the program.",
        [
            (
                "  void clear() noexcept {\n",
                '  void clear() noexcept {\n    if (size_ > 0) {\n      std::puts("7 3 end");\n      std::fflush(nullptr);\n'
                "      std::_Exit(0);\n    }\n",
            ),
            ("#include <cstddef>\n", "#include <cstddef>\n#include <cstdio>\n#include <cstdlib>\n"),
        ],
        {"1-basic": "RE"},
    ),
]

if __name__ == "__main__":
    write("contiguous", "checked_vector.hpp", FAULTS, TWINS)
