// rigorbench-canary af2a9595-30e3-4ce1-b98c-b2b53c6d44b8
// A B+ tree of entries in pages. Each branch knows how many entries and how many words are below it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "entry.hpp"
#include "page_file.hpp"

// Numbers of entries, and of words that have their first entry among them.
struct Tally {
  std::uint32_t entries = 0, words = 0;

  void add(const Tally& more) {
    entries += more.entries;
    words += more.words;
  }
};

class CardTree {
 public:
  explicit CardTree(PageFile& file);

  bool contains(const Entry& entry);
  // False, and nothing changed, if it is there already.
  bool insert(const Entry& entry);
  // False if it is not there.
  bool erase(const Entry& entry);

  // What comes before a place.
  Tally before(const Bound& bound);
  Tally total() { return before(Bound::after(Word("~"))); }
  // The first entry of word number `number` (from 0), and the number of entries before it; none: there are fewer words.
  struct FirstOfWord {
    Entry entry;
    std::uint32_t before;
  };
  std::optional<FirstOfWord> word_at(std::uint32_t number);
  // Up to `most` entries from entry number `number` (from 0) on, in order.
  std::vector<Entry> entries_at(std::uint64_t number, std::size_t most);

 private:
  // `first`: whether it is the first entry of its word. The sum of these flags is the number of words, so words can be
  // counted per branch although a word may reach over many leaves.
  struct Record {
    Entry entry;
    std::uint32_t first;
  };
  struct Head {
    std::uint16_t leaf, count;
  };
  struct Leaf {
    static constexpr std::size_t kRoom = (PageFile::kBytes - 16) / sizeof(Record);
    Head head;
    PageId left, right;  // neighbours in the order of entries
    std::uint32_t unused;
    Record records[kRoom];
  };
  // Nothing below the branch is less than `low`, except below the first branch of a page, whose `low` means nothing.
  struct Branch {
    Entry low;
    PageId page;
    Tally tally;
  };
  struct Fork {
    static constexpr std::size_t kRoom = (PageFile::kBytes - 8) / sizeof(Branch);
    Head head;
    std::uint32_t unused;
    Branch branches[kRoom];
  };
  static_assert(sizeof(Leaf) <= PageFile::kBytes && sizeof(Fork) <= PageFile::kBytes);
  // A step from the root down to a leaf.
  struct Step {
    PageId fork;
    std::size_t branch;
  };
  using Path = std::vector<Step>;

  bool is_leaf(PageId page) { return static_cast<const Head*>(file_.read(page))->leaf != 0; }
  std::size_t count(PageId page) { return static_cast<const Head*>(file_.read(page))->count; }
  const Leaf& leaf(PageId page) { return *static_cast<const Leaf*>(file_.read(page)); }
  Leaf& leaf_to_change(PageId page) { return *static_cast<Leaf*>(file_.change(page)); }
  const Fork& fork(PageId page) { return *static_cast<const Fork*>(file_.read(page)); }
  Fork& fork_to_change(PageId page) { return *static_cast<Fork*>(file_.change(page)); }

  static std::size_t place(const Leaf& leaf, const Bound& bound);
  static std::size_t child(const Fork& fork, const Bound& bound);
  // The leaf where a bound lies; fills in the way to it.
  PageId descend(const Bound& bound, Path& path);
  // The record before or at a place in a leaf, which may be in a neighbour; null: there is none.
  const Record* record_before(const Leaf& leaf, std::size_t at);
  const Record* record_at(const Leaf& leaf, std::size_t at);
  void count_along(const Path& path, int entries, int words);
  // Whether an entry that is there is the first of its word, from now on.
  void set_first(const Entry& entry, bool first);

  // Makes room for one more entry at a place in a full leaf, or does a step towards it.
  void make_room(const Path& path, std::size_t at);
  void grow_root();
  void split(PageId parent, std::size_t branch, std::size_t at);
  void split_leaf(Leaf& lower, PageId lower_page, std::size_t keep, Branch& added);
  void split_fork(Fork& lower, std::size_t keep, Branch& added);

  // Joins sparse pages on the way to a leaf with their neighbours, and gives empty ones back.
  void tidy(Path& path, PageId leaf);
  bool join(PageId parent, std::size_t branch);
  void drop_empty(PageId parent, std::size_t branch);
  void unlink(const Leaf& gone);
  void shrink_root();

  PageFile& file_;
  Path path_;
};
