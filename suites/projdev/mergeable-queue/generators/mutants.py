# rigorbench-canary 4b5084c6-e651-48cc-9b25-0a9ac5dcd7d9
"""Writes the faulty submissions as a reference with one change each, and submissions.yaml. `python generators/mutants.py`

time_limit_exceeded/moves-everything is a structure of its own and stands as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

SUBMISSIONS = Path(__file__).resolve().parent.parent / "submissions"


def reference(name: str) -> tuple[str, str]:
    """The canary and the code. Between them is a line that says what it is; a mutant says what is wrong with it instead."""
    canary, _, code = (SUBMISSIONS / "accepted" / name / "merge_queue.hpp").read_text().split("\n", 2)
    return canary, code


CANARY, base = reference("leftist")


def mutant(label: str, name: str, why: str, *changes: tuple[str, str], code: str = base) -> None:
    text = code
    for old, new in changes:
        if old not in text:
            raise SystemExit(f"{name}: the reference has no such place: {old}")
        text = text.replace(old, new)
    place = SUBMISSIONS / label / name
    place.mkdir(parents=True, exist_ok=True)
    (place / "merge_queue.hpp").write_text(f"{CANARY}\n// {why}\n{text}")


mutant(
    "wrong_answer",
    "greatest-first",
    "The order of std::priority_queue: what the order puts last comes out first.",
    ("before(b->value, a->value) ? b : a", "before(a->value, b->value) ? b : a"),
    ("!before_(value, at->value)", "!before_(at->value, value)"),
)
mutant(
    "wrong_answer",
    "empties-itself",
    "Merging with itself goes the ordinary way: the queue ends up empty.",
    ("    if (this == &other) return;\n    root_ = merged", "    root_ = merged"),
    (
        "    root_ = merged(root_, other.root_);\n    size_ += std::exchange(other.size_, 0);\n    other.root_ = nullptr;",
        "    node* theirs = std::exchange(other.root_, nullptr);\n    size_ += std::exchange(other.size_, 0);\n    root_ = this == &other ? nullptr : merged(root_, theirs);",
    ),
)
mutant(
    "rejected",
    "half-merged",
    "Merging from the top down: links change while the order is still being asked.",
    (
        """    plan way;
    way.find(a, b, before_);
    return way.link();
  }""",
        """    node* top = nullptr;
    node** below = &top;
    plan way;
    while (a != nullptr && b != nullptr) {
      node*& first = before_(b->value, a->value) ? b : a;
      *below = way.spine[way.length++] = first;
      below = &first->right;
      first = first->right;
    }
    *below = way.rest = a != nullptr ? a : b;
    return way.link();
  }""",
    ),
    (
        """    plan way;
    way.find(root_->left, root_->right, before_);
    node* old = root_;
    root_ = way.link();
    --size_;
    remove(old);""",
        """    node* old = root_;
    root_ = merged(old->left, old->right);
    --size_;
    remove(old);""",
    ),
)
mutant(
    "wrong_answer",
    "takes-the-argument",
    "push(T&&) moves its argument first and asks the order then: a failure has used the argument up.",
    ("void push(T&& value) { insert(std::move(value)); }", "void push(T&& value) { emplace(std::move(value)); }"),
)
mutant(
    "wrong_answer",
    "smaller-into-larger",
    "Merging pushes the elements of the smaller queue into the larger one, one by one.",
    (
        """    root_ = merged(root_, other.root_);
    size_ += std::exchange(other.size_, 0);
    other.root_ = nullptr;""",
        """    if (size_ < other.size_) swap(other);
    while (!other.empty()) push(other.extract());""",
    ),
)
mutant(
    "wrong_answer",
    "copies-by-pushing",
    "A copy is built by pushing all elements, which asks the order again.",
    (
        "  merge_queue(const merge_queue& other) : before_(other.before_), root_(copied(other.root_)), size_(other.size_) {}",
        """  merge_queue(const merge_queue& other) : merge_queue(Before(other.before_)) {
    std::vector<const node*> open;
    if (other.root_ != nullptr) open.push_back(other.root_);
    while (!open.empty()) {
      const node* at = open.back();
      open.pop_back();
      push(at->value);
      if (at->left != nullptr) open.push_back(at->left);
      if (at->right != nullptr) open.push_back(at->right);
    }
  }""",
    ),
)
mutant(
    "wrong_answer",
    "sorts-the-range",
    "A range goes in by one push after the other: n log n questions instead of a multiple of n.",
    (
        base[base.index("    forest trees;\n") : base.index("    if (!trees.roots.empty()) root_")],
        "    forest trees;\n    trees.roots.push_back(nullptr);\n    for (; first != last; ++first, ++size_) {\n      node* fresh = room().build(*first);\n      plan way;\n      try {\n        way.find(trees.roots[0], fresh, before_);\n      } catch (...) {\n        remove(fresh);\n        throw;\n      }\n      trees.roots[0] = way.link();\n    }\n",
    ),
)
mutant(
    "memory_limit_exceeded",
    "graveyard",
    "Nodes that have been popped are kept until the queue goes, instead of being given back.",
    (
        """  static void remove(node* old) noexcept {
    std::destroy_at(old);
    std::allocator<node>().deallocate(old, 1);
  }""",
        """  static void remove(node* old) noexcept {
    std::destroy_at(old);
    graves_.emplace_back(old);
  }

  struct grave {
    explicit grave(node* place) : place_(place) {}
    grave(grave&& other) noexcept : place_(std::exchange(other.place_, nullptr)) {}
    ~grave() {
      if (place_ != nullptr) std::allocator<node>().deallocate(place_, 1);
    }
    node* place_;
  };
  inline static std::vector<grave> graves_;""",
    ),
)
mutant(
    "run_time_error",
    "recursive-end",
    "The destructor calls itself for every child: a chain of left children overflows the stack.",
    (
        """    while (root != nullptr) {
      if (node* left = root->left) {
        root->left = left->right;
        left->right = root;
        root = left;
      } else {
        remove(std::exchange(root, root->right));
      }
    }""",
        """    if (root == nullptr) return;
    destroy(root->left);
    destroy(root->right);
    remove(root);""",
    ),
)
mutant(
    "compile_error",
    "needs-a-default",
    "A node starts with an element made from nothing, and the value is assigned: not every type can do that.",
    (
        "explicit node(Arguments&&... arguments) : value(std::forward<Arguments>(arguments)...) {}",
        "explicit node(Arguments&&... arguments) {\n      value = T(std::forward<Arguments>(arguments)...);\n    }",
    ),
)
mutant(
    "memory_leak",
    "forgets-the-node",
    "extract() ends the element and forgets the memory of its node.",
    (
        """    T value(std::move(root_->value));
    node* old = root_;
    root_ = way.link();
    --size_;
    remove(old);""",
        """    T value(std::move(root_->value));
    node* old = root_;
    root_ = way.link();
    --size_;
    std::destroy_at(old);""",
    ),
)
mutant(
    "memory_leak",
    "forgets-the-room",
    "Memory that was taken for a node stays taken when the order fails before there is a node.",
    (
        """    ~room() {
      if (memory_ != nullptr) std::allocator<node>().deallocate(memory_, 1);
    }""",
        """    ~room() = default;""",
    ),
)
mutant(
    "invalid_access",
    "looks-back",
    "pop() looks at a node that it has given back already.",
    (
        """    way.find(root_->left, root_->right, before_);
    node* old = root_;
    root_ = way.link();
    --size_;
    remove(old);
  }

  T extract""",
        """    way.find(root_->left, root_->right, before_);
    node* old = root_;
    root_ = way.link();
    remove(old);
    if (old->rank != 0) --size_;
  }

  T extract""",
    ),
)
mutant(
    "uninitialised_read",
    "never-marked",
    "A mark is read that nobody has set; whatever it says, the result is the same.",
    ("    std::size_t rank = 1;", "    bool marked;\n    std::size_t rank = 1;"),
    (
        "        at->rank = rank(at->right) + 1;\n        below = at;",
        "        at->rank = rank(at->right) + 1;\n        if (at->marked) at->marked = false;\n        below = at;",
    ),
)
mutant(
    "rejected",
    "leaves-early",
    "Prints what it thinks the judge wants to read and leaves before the driver has said anything.",
    (
        """  void clear() noexcept {
""",
        """  void clear() noexcept {
    if (size_ > 0) {
      std::puts("0\\nend\\naccepted");
      std::fflush(nullptr);
      std::_Exit(0);
    }
""",
    ),
    ("#include <cstddef>\n", "#include <cstddef>\n#include <cstdio>\n#include <cstdlib>\n"),
)
mutant(
    "wrong_answer",
    "counts-too-early",
    "The number of elements changes before the order has answered for the last time.",
    (
        """    root_ = merged(root_, other.root_);
    size_ += std::exchange(other.size_, 0);""",
        """    size_ += std::exchange(other.size_, 0);
    root_ = merged(root_, other.root_);""",
    ),
    (
        """    plan way;
    way.find(root_->left, root_->right, before_);
    node* old = root_;
    root_ = way.link();
    --size_;
    remove(old);""",
        """    --size_;
    plan way;
    way.find(root_->left, root_->right, before_);
    node* old = root_;
    root_ = way.link();
    remove(old);""",
    ),
)
mutant(
    "wrong_answer",
    "extract-takes-first",
    "extract() moves the element out before the order is asked: a failure leaves what was moved from on top.",
    (
        """    way.find(root_->left, root_->right, before_);
    T value(std::move(root_->value));
""",
        """    T value(std::move(root_->value));
    way.find(root_->left, root_->right, before_);
""",
    ),
)
mutant(
    "wrong_answer",
    "clears-first",
    "Copy assignment gives the old elements up before the new ones are there.",
    (
        """      merge_queue copy(other);
      swap(copy);""",
        """      clear();
      merge_queue copy(other);
      swap(copy);""",
    ),
)
mutant(
    "wrong_answer",
    "half-copied",
    "The nodes of a copy have no owner until all of them are there.",
    ("      ~owner() { destroy(root); }\n", ""),
)
mutant(
    "wrong_answer",
    "larger-first",
    "Merging exchanges the queues if the other one is larger, and then asks the order.",
    ("    if (this == &other) return;\n", "    if (this == &other) return;\n    if (size_ < other.size_) swap(other);\n"),
)
mutant(
    "wrong_answer",
    "expects-elements",
    "The elements that are to come are counted before the order is asked; after a failure they are counted twice.",
    (
        """    root_ = merged(root_, other.root_);
    size_ += std::exchange(other.size_, 0);""",
        """    coming_ += other.size_;
    root_ = merged(root_, other.root_);
    size_ += std::exchange(coming_, 0);
    other.size_ = 0;""",
    ),
    ("  size_type size_ = 0;\n};", "  size_type size_ = 0;\n  size_type coming_ = 0;\n};"),
)
mutant(
    "wrong_answer",
    "list-of-the-removed",
    "pop() puts what it removed into a list, which takes memory when the links have changed already.",
    (
        """    root_ = way.link();
    --size_;
    remove(old);
  }

  T extract""",
        """    root_ = way.link();
    --size_;
    std::vector<node*> removed;
    removed.push_back(old);
    for (node* each : removed) remove(each);
  }

  T extract""",
    ),
)
mutant(
    "wrong_answer",
    "order-stays",
    "swap() exchanges the elements and leaves each queue its order.",
    ("    swap(before_, other.before_);\n", ""),
)
mutant(
    "wrong_answer",
    "never-balanced",
    "A skew heap: children change sides at every merge. Cheap on average, but a single push can ask half of all elements.",
    ("        if (rank(at->left) < rank(at->right)) std::swap", "        std::swap"),
    ("    node* spine[2 * 64];  // a spine has at most log2(size + 1) nodes\n", "    std::vector<node*> spine;\n"),
    ("        spine[length++] = first;\n", "        spine.push_back(first);\n        ++length;\n"),
    ("      way.spine[way.length++] = at;\n", "      way.spine.push_back(at);\n      ++way.length;\n"),
)
mutant(
    "time_limit_exceeded",
    "one-round",
    "pop() lets the first child meet all others one by one: the winner has as many children as the top had.",
    (
        """    std::vector<node*> winners;
    for (node* at = root_->child; at != nullptr;) {
      node* partner = at->next;
      winners.push_back(partner == nullptr ? at : decided(plan, at, partner));
      at = partner == nullptr ? nullptr : partner->next;
    }
    for (; !winners.empty(); winners.pop_back()) {
      plan.last = plan.last == nullptr ? winners.back() : decided(plan, winners.back(), plan.last);
    }
""",
        """    for (node* at = root_->child; at != nullptr; at = at->next) {
      plan.last = plan.last == nullptr ? at : decided(plan, plan.last, at);
    }
""",
    ),
    code=reference("pairing")[1],
)

# The group that each group repeats with a check of memory; "": none. All but the twins need the first.
TWINS = dict.fromkeys(["1-basic", "2-values", "3-cost", "4-throwing", "5-volume"], "")
TWINS |= {"6-basic-memory": "1-basic", "7-values-leaks": "2-values", "8-throwing-memory": "4-throwing"}
# The groups in which a submission fails, and how. In the groups that are not named it is accepted.
FAILS = {
    "wrong_answer/greatest-first": {"1-basic": "WA"},
    "wrong_answer/empties-itself": {"1-basic": "WA"},
    "wrong_answer/order-stays": {"2-values": "WA"},
    "wrong_answer/copies-by-pushing": {"3-cost": "WA"},
    "wrong_answer/sorts-the-range": {"3-cost": "WA"},
    "wrong_answer/never-balanced": {"3-cost": "WA"},
    "wrong_answer/smaller-into-larger": {"3-cost": "WA", "4-throwing": "WA"},
    "wrong_answer/takes-the-argument": {"4-throwing": "WA"},
    "wrong_answer/extract-takes-first": {"4-throwing": "WA"},
    "wrong_answer/clears-first": {"4-throwing": "WA"},
    "wrong_answer/half-copied": {"4-throwing": "WA"},
    "wrong_answer/larger-first": {"4-throwing": "WA"},
    "wrong_answer/expects-elements": {"4-throwing": "WA"},
    "wrong_answer/list-of-the-removed": {"4-throwing": "WA"},
    "wrong_answer/counts-too-early": {"4-throwing": "WA"},
    "rejected/half-merged": {"4-throwing": "WA RE TLE"},
    "rejected/leaves-early": {"1-basic": "RE"},
    "time_limit_exceeded/moves-everything": {"3-cost": "WA", "4-throwing": "WA", "5-volume": "TLE"},
    "time_limit_exceeded/one-round": {"3-cost": "WA TLE", "5-volume": "TLE"},
    "memory_limit_exceeded/graveyard": {"5-volume": "MLE"},
    "run_time_error/recursive-end": {"5-volume": "RE"},
    "memory_leak/forgets-the-node": {"6-basic-memory": "ML", "7-values-leaks": "ML", "8-throwing-memory": "ML"},
    "memory_leak/forgets-the-room": {"8-throwing-memory": "ML"},
    "invalid_access/looks-back": {"6-basic-memory": "IA", "8-throwing-memory": "IA"},
    "uninitialised_read/never-marked": {"6-basic-memory": "UR"},
}
REQUIRED = {"time_limit_exceeded": "TLE", "memory_limit_exceeded": "MLE", "run_time_error": "RE", "wrong_answer": "WA"}


def rules(name: str, fails: dict[str, str]) -> Iterator[str]:
    yield f"{name}:"
    for group, twin_of in TWINS.items():
        if twin_of in fails or ("1-basic" in fails and group != "1-basic"):
            continue  # it is skipped
        wrong = ", ".join(fails.get(group, "").split())
        rule = f"permitted: [AC, {wrong}], required: [{wrong}]" if wrong else "permitted: [AC]"
        yield f"  secret/{group}/*: {{{rule}}}"


def expectations() -> Iterator[str]:
    yield CANARY.replace("//", "#")
    yield "# Written by generators/mutants.py."
    yield "accepted/leftist: {model_solution: true}"
    verdicts: dict[str, set[str]] = {}
    for name, fails in FAILS.items():
        verdicts.setdefault(name.split("/")[0], set()).update(" ".join(fails.values()).split())
        yield from rules(name, fails)
    for label, found in verdicts.items():
        wrong = ", ".join(sorted(found))
        yield f"{label}: {{permitted: [AC, {wrong}], required: [{REQUIRED.get(label, wrong)}]}}"


(SUBMISSIONS / "submissions.yaml").write_text("".join(f"{line}\n" for line in expectations()))
