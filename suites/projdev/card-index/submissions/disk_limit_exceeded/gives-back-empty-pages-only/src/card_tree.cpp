// rigorbench-canary af2a9595-30e3-4ce1-b98c-b2b53c6d44b8
#include "card_tree.hpp"

#include <cstring>

namespace {

template <class T>
void open_gap(T* items, std::size_t count, std::size_t at) {
  std::memmove(static_cast<void*>(items + at + 1), items + at, (count - at) * sizeof(T));
}

template <class T>
void close_gap(T* items, std::size_t count, std::size_t at) {
  std::memmove(static_cast<void*>(items + at), items + at + 1, (count - at - 1) * sizeof(T));
}

template <class T>
void copy(const T* from, std::size_t count, T* to) {
  std::memcpy(static_cast<void*>(to), from, count * sizeof(T));
}

// A page is joined with a neighbour when it is filled to less than a third, if what comes of it is not nearly full again.
constexpr bool is_sparse(std::size_t count, std::size_t room) { return count == 0 && room > 0; }
constexpr bool may_be_joined(std::size_t count, std::size_t room) { return count <= room * 9 / 10; }

}  // namespace

CardTree::CardTree(PageFile& file) : file_(file) {
  if (file_.root() != PageFile::kNone) return;
  file_.set_root(file_.allocate());
  leaf_to_change(file_.root()).head.leaf = 1;
}

// ------------------------------------------------------------------------------------------------------------- finding
// The first record that does not come before the bound.
std::size_t CardTree::place(const Leaf& leaf, const Bound& bound) {
  std::size_t low = 0, high = leaf.head.count;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (bound.follows(leaf.records[middle].entry)) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The branch below which an entry at the bound lies: the last one whose `low` is not greater.
std::size_t CardTree::child(const Fork& fork, const Bound& bound) {
  std::size_t low = 1, high = fork.head.count;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    const Entry& first = fork.branches[middle].low;
    if (bound.follows(first) || (first.card == bound.card && first.word == bound.word)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

PageId CardTree::descend(const Bound& bound, Path& path) {
  path.clear();
  PageId page = file_.root();
  while (!is_leaf(page)) {
    const Fork& here = fork(page);
    path.push_back({page, child(here, bound)});
    page = here.branches[path.back().branch].page;
  }
  return page;
}

const CardTree::Record* CardTree::record_before(const Leaf& here, std::size_t at) {
  if (at > 0) return &here.records[at - 1];
  if (here.left == PageFile::kNone) return nullptr;
  const Leaf& left = leaf(here.left);
  return &left.records[left.head.count - 1];
}

const CardTree::Record* CardTree::record_at(const Leaf& here, std::size_t at) {
  if (at < here.head.count) return &here.records[at];
  return here.right == PageFile::kNone ? nullptr : &leaf(here.right).records[0];
}

bool CardTree::contains(const Entry& entry) {
  const Bound bound = Bound::before(entry);
  const Leaf& here = leaf(descend(bound, path_));
  const std::size_t at = place(here, bound);
  return at < here.head.count && here.records[at].entry == entry;
}

Tally CardTree::before(const Bound& bound) {
  Tally tally;
  const Leaf& here = leaf(descend(bound, path_));
  for (const Step& step : path_) {
    const Fork& above = fork(step.fork);
    for (std::size_t i = 0; i < step.branch; ++i) tally.add(above.branches[i].tally);
  }
  const std::size_t at = place(here, bound);
  for (std::size_t i = 0; i < at; ++i) tally.add({1, here.records[i].first});
  return tally;
}

std::optional<CardTree::FirstOfWord> CardTree::word_at(std::uint32_t number) {
  PageId page = file_.root();
  Tally passed;
  while (!is_leaf(page)) {
    const Fork& here = fork(page);
    std::size_t i = 0;
    while (i + 1 < here.head.count && passed.words + here.branches[i].tally.words <= number) {
      passed.add(here.branches[i++].tally);
    }
    page = here.branches[i].page;
  }
  const Leaf& here = leaf(page);
  for (std::size_t i = 0; i < here.head.count; ++i) {
    const Record& record = here.records[i];
    if (record.first && passed.words == number) return FirstOfWord{record.entry, passed.entries};
    passed.add({1, record.first});
  }
  return std::nullopt;
}

std::vector<Entry> CardTree::entries_at(std::uint64_t number, std::size_t most) {
  PageId page = file_.root();
  while (!is_leaf(page)) {
    const Fork& here = fork(page);
    std::size_t i = 0;
    while (i + 1 < here.head.count && here.branches[i].tally.entries <= number) {
      number -= here.branches[i++].tally.entries;
    }
    page = here.branches[i].page;
  }
  std::vector<Entry> found;
  while (found.size() < most && page != PageFile::kNone) {
    const Leaf& here = leaf(page);
    for (; number < here.head.count && found.size() < most; ++number) found.push_back(here.records[number].entry);
    number -= std::min<std::uint64_t>(number, here.head.count);
    page = here.right;
  }
  return found;
}

// ------------------------------------------------------------------------------------------------------------ changing
void CardTree::count_along(const Path& path, int entries, int words) {
  for (const Step& step : path) {
    Tally& tally = fork_to_change(step.fork).branches[step.branch].tally;
    tally.entries += static_cast<std::uint32_t>(entries);
    tally.words += static_cast<std::uint32_t>(words);
  }
}

void CardTree::set_first(const Entry& entry, bool first) {
  Path path;
  const Bound bound = Bound::before(entry);
  Leaf& here = leaf_to_change(descend(bound, path));
  here.records[place(here, bound)].first = first;
  count_along(path, 0, first ? 1 : -1);
}

bool CardTree::insert(const Entry& entry) {
  const Bound bound = Bound::before(entry);
  for (;;) {
    const PageId page = descend(bound, path_);
    const std::size_t at = place(leaf(page), bound), full = count(page);
    if (at < full && leaf(page).records[at].entry == entry) return false;
    if (full == Leaf::kRoom) {
      make_room(path_, at);  // splits one page: then look again
      continue;
    }
    Leaf& here = leaf_to_change(page);
    const Record* before = record_before(here, at);
    const bool first = before == nullptr || !(before->entry.word == entry.word);
    const Record* after = record_at(here, at);
    if (first && after != nullptr && after->entry.word == entry.word) set_first(Entry(after->entry), false);
    open_gap(here.records, here.head.count++, at);
    here.records[at] = {entry, first};
    count_along(path_, 1, first);
    return true;
  }
}

bool CardTree::erase(const Entry& entry) {
  const Bound bound = Bound::before(entry);
  const PageId page = descend(bound, path_);
  const std::size_t at = place(leaf(page), bound);
  if (at == count(page) || !(leaf(page).records[at].entry == entry)) return false;
  Leaf& here = leaf_to_change(page);
  const bool first = here.records[at].first;
  const Record* after = record_at(here, at + 1);
  if (first && after != nullptr && after->entry.word == entry.word) set_first(Entry(after->entry), true);
  close_gap(here.records, here.head.count--, at);
  count_along(path_, -1, first ? -1 : 0);
  if (is_sparse(here.head.count, Leaf::kRoom)) tidy(path_, page);
  return true;
}

// ----------------------------------------------------------------------------------------------------------- splitting
// Of the pages on the way that are full, the highest is split; `at`: where the leaf is to grow.
void CardTree::make_room(const Path& path, std::size_t at) {
  std::size_t level = path.size();  // of the page to split: path[level].fork, or below them the leaf
  while (level > 0 && fork(path[level - 1].fork).head.count == Fork::kRoom) --level;
  const std::size_t growth = level == path.size() ? at : path[level].branch + 1;
  if (level > 0) {
    split(path[level - 1].fork, path[level - 1].branch, growth);
  } else {
    grow_root();
    split(file_.root(), 0, growth);
  }
}

void CardTree::grow_root() {
  const PageId old = file_.root(), above = file_.allocate();
  Fork& root = fork_to_change(above);
  root.head.count = 1;
  root.branches[0] = {{}, old, total()};
  file_.set_root(above);
}

// What is added at a page's end was probably added in order: then the page stays full, else both have half of it.
void CardTree::split(PageId parent, std::size_t branch, std::size_t at) {
  Fork& above = fork_to_change(parent);
  Branch& lower = above.branches[branch];
  Branch added;
  added.page = file_.allocate();
  const std::size_t full = count(lower.page), keep = at == full ? full - 1 : full / 2;
  if (is_leaf(lower.page)) split_leaf(leaf_to_change(lower.page), lower.page, keep, added);
  else split_fork(fork_to_change(lower.page), keep, added);
  lower.tally.entries -= added.tally.entries;
  lower.tally.words -= added.tally.words;
  open_gap(above.branches, above.head.count++, branch + 1);
  above.branches[branch + 1] = added;
}

void CardTree::split_leaf(Leaf& lower, PageId lower_page, std::size_t keep, Branch& added) {
  Leaf& upper = leaf_to_change(added.page);
  upper.head = {1, static_cast<std::uint16_t>(lower.head.count - keep)};
  copy(lower.records + keep, upper.head.count, upper.records);
  lower.head.count = static_cast<std::uint16_t>(keep);
  upper.left = lower_page;
  upper.right = lower.right;
  lower.right = added.page;
  if (upper.right != PageFile::kNone) leaf_to_change(upper.right).left = added.page;
  added.low = upper.records[0].entry;
  for (std::size_t i = 0; i < upper.head.count; ++i) added.tally.add({1, upper.records[i].first});
}

void CardTree::split_fork(Fork& lower, std::size_t keep, Branch& added) {
  Fork& upper = fork_to_change(added.page);
  upper.head = {0, static_cast<std::uint16_t>(lower.head.count - keep)};
  copy(lower.branches + keep, upper.head.count, upper.branches);
  lower.head.count = static_cast<std::uint16_t>(keep);
  added.low = upper.branches[0].low;
  for (std::size_t i = 0; i < upper.head.count; ++i) added.tally.add(upper.branches[i].tally);
}

// ------------------------------------------------------------------------------------------------------------- joining
void CardTree::tidy(Path& path, PageId leaf) {
  for (PageId page = leaf; !path.empty(); path.pop_back()) {
    const Step step = path.back();
    const std::size_t room = is_leaf(page) ? Leaf::kRoom : Fork::kRoom;
    if (count(page) == 0) drop_empty(step.fork, step.branch);
    else if (!is_sparse(count(page), room)) break;
    else if (!join(step.fork, step.branch) && step.branch > 0) join(step.fork, step.branch - 1);
    page = step.fork;
  }
  shrink_root();
}

// Takes what is below the next branch into the page of this one. False, and nothing changed, if it would be too full.
bool CardTree::join(PageId parent, std::size_t branch) {
  Fork& above = fork_to_change(parent);
  if (branch + 1 >= above.head.count) return false;
  Branch& left = above.branches[branch];
  const Branch right = above.branches[branch + 1];
  const std::size_t kept = count(left.page), more = count(right.page);
  const bool leaves = is_leaf(left.page);
  if (!may_be_joined(kept + more, leaves ? Leaf::kRoom : Fork::kRoom)) return false;
  if (leaves) {
    Leaf& lower = leaf_to_change(left.page);
    const Leaf& upper = leaf(right.page);
    copy(upper.records, more, lower.records + kept);
    lower.head.count = static_cast<std::uint16_t>(kept + more);
    unlink(upper);
  } else {
    Fork& lower = fork_to_change(left.page);
    copy(fork(right.page).branches, more, lower.branches + kept);
    lower.branches[kept].low = right.low;  // that of a first branch meant nothing
    lower.head.count = static_cast<std::uint16_t>(kept + more);
  }
  left.tally.add(right.tally);
  close_gap(above.branches, above.head.count--, branch + 1);
  file_.release(right.page);
  return true;
}

void CardTree::drop_empty(PageId parent, std::size_t branch) {
  Fork& above = fork_to_change(parent);
  const PageId page = above.branches[branch].page;
  if (is_leaf(page)) unlink(leaf(page));
  close_gap(above.branches, above.head.count--, branch);
  file_.release(page);
}

void CardTree::unlink(const Leaf& gone) {
  if (gone.left != PageFile::kNone) leaf_to_change(gone.left).right = gone.right;
  if (gone.right != PageFile::kNone) leaf_to_change(gone.right).left = gone.left;
}

void CardTree::shrink_root() {
  while (!is_leaf(file_.root()) && count(file_.root()) <= 1) {
    const PageId old = file_.root();
    if (count(old) == 0) {
      file_.set_root(file_.allocate());
      leaf_to_change(file_.root()).head.leaf = 1;
    } else {
      file_.set_root(fork(old).branches[0].page);
    }
    file_.release(old);
  }
}
