# rigorbench-canary af2a9595-30e3-4ce1-b98c-b2b53c6d44b8
"""Writes the labelled submissions that are the reference (``accepted/tree-cpp``) with one fault each.

Usage: ``python3 generators/mutants.py [DIRECTORY]`` (default: the package's ``submissions``). Every text to be replaced
must stand in the reference exactly once, so that a fault cannot get lost when the reference changes.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
REFERENCE = PACKAGE / "submissions" / "accepted" / "tree-cpp"
PAGES, TREE, ENTRY = "src/page_file.cpp", "src/card_tree.cpp", "src/entry.hpp"
INDEX, COMMANDS, MAIN = "src/card_index.cpp", "src/commands.cpp", "src/main.cpp"

# label/name -> (file, what stands there, what shall stand there)
MUTANTS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "wrong_answer/range-without-its-end": (
        (INDEX, "tree_.before(Bound::after(range.to))", "tree_.before(Bound::before(range.to))"),
    ),
    "wrong_answer/next-is-the-word-itself": (
        (
            INDEX,
            "words_at(tree_.before(Bound::after(word)).words, 1)",
            "words_at(tree_.before(Bound::before(word)).words, 1)",
        ),
    ),
    # A map, where a multimap is asked for.
    "wrong_answer/one-card-a-word": (
        (COMMANDS, "index.put(in.entry())", "put_once(index, in.entry())"),
        (
            COMMANDS,
            "void bulk(CardIndex& index,",
            "bool put_once(CardIndex& index, const Entry& entry) {\n"
            "  return index.count({entry.word, entry.word}).entries == 0 && index.put(entry);\n}\n\n"
            "void bulk(CardIndex& index,",
        ),
    ),
    # The order of cards of one word, as memcmp sees them.
    "wrong_answer/cards-compared-as-bytes": (
        (
            ENTRY,
            "order == 0 && card < other.card",
            "order == 0 && __builtin_bswap32(card) < __builtin_bswap32(other.card)",
        ),
        (
            ENTRY,
            "order == 0 && entry.card < card",
            "order == 0 && (card == kAfterAllCards ||\n"
            "             __builtin_bswap32(entry.card) < __builtin_bswap32(static_cast<Card>(card)))",
        ),
    ),
    "wrong_answer/same-before-none": (
        (
            INDEX,
            "  if (count(all).entries == 0) return Moved::none;\n  if (from == to) return Moved::same;\n",
            "  if (from == to) return Moved::same;\n  if (count(all).entries == 0) return Moved::none;\n",
        ),
    ),
    "wrong_answer/words-of-39-letters": (
        (ENTRY, "std::min(text.size(), kLength)", "std::min(text.size(), kLength - 1)"),
    ),
    "wrong_answer/bulk-counts-all": ((INDEX, "added += tree_.insert(entry);", "tree_.insert(entry), ++added;"),),
    "wrong_answer/move-counts-all": (
        (INDEX, "added += tree_.insert({to, entry.card});", "tree_.insert({to, entry.card}), ++added;"),
    ),
    # Whether a card is the first of its word is decided from its own leaf.
    "wrong_answer/word-over-two-leaves": (
        (TREE, "return here.right == PageFile::kNone ? nullptr : &leaf(here.right).records[0];", "return nullptr;"),
    ),
    "wrong_answer/starts-empty": ((PAGES, "if (::lseek(file_, 0, SEEK_END) > 0) {", "if (false) {"),),
    "wrong_answer/stops-after-ten-thousand": (
        (
            COMMANDS,
            "  while (words.next(name)) {\n",
            "  int left = 10000;\n  while (left-- > 0 && words.next(name)) {\n",
        ),
    ),
    "presentation_error/two-spaces": ((COMMANDS, 'out.line("added", ', 'out.line("added ", '),),
    "run_time_error/nothing-before": (
        (
            INDEX,
            "before == 0 ? std::nullopt : std::optional(words_at(before - 1, 1)[0])",
            "words_at(before - 1, 1).at(0)",
        ),
    ),
    "run_time_error/refuses-its-file": (
        (PAGES, "O_RDWR | O_CREAT | O_CLOEXEC", "O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC"),
    ),
    "run_time_error/pages-left-in-the-cache": ((PAGES, "if (!frame.changed) continue;", "continue;"),),
    "time_limit_exceeded/counts-by-walking": (
        (
            INDEX,
            "  Tally tally = tree_.before(Bound::after(range.to));\n"
            "  const Tally before = tree_.before(Bound::before(range.from));\n"
            "  tally.entries -= before.entries;\n"
            "  tally.words -= before.words;\n"
            "  return tally;\n",
            "  Tally tally;\n"
            "  Bound bound = Bound::before(range.from);\n"
            "  for (Word last;;) {\n"
            "    const std::vector<Entry> batch = some_from(bound, range, kBatch);\n"
            "    for (const Entry& entry : batch) {\n"
            "      tally.add({1, !(entry.word == last)});\n"
            "      last = entry.word;\n"
            "    }\n"
            "    if (batch.size() < kBatch) return tally;\n"
            "    bound = Bound::before(batch.back());\n"
            "    ++bound.card;\n"
            "  }\n",
        ),
    ),
    # A position is found by going through the leaves from the first one: fast enough until they exceed the memory.
    "time_limit_exceeded/walks-from-the-first-leaf": (
        (TREE, "here.branches[i].tally.entries <= number", "here.head.count == 0"),
    ),
    "memory_limit_exceeded/cache-for-the-whole-disk": (
        (MAIN, "kCachedPages = 4096;  // 16 MiB", "kCachedPages = 40960;  // 160 MiB"),
    ),
    "disk_limit_exceeded/never-uses-a-page-again": ((PAGES, "  head_.unused = page;\n", ""),),
    "disk_limit_exceeded/gives-back-empty-pages-only": (
        (TREE, "return count < room / 3;", "return count == 0 && room > 0;"),
    ),
    "compile_error/file-not-committed": (("CMakeLists.txt", "src/bulk.cpp", "src/bulk.cpp src/words.cpp"),),
    "compile_error/another-target": (
        ("CMakeLists.txt", "add_executable(code ", "add_executable(cards "),
        ("CMakeLists.txt", "options(code ", "options(cards "),
    ),
}


def main() -> None:
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE / "submissions"
    for name, changes in MUTANTS.items():
        target = place / name
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(REFERENCE, target)
        for file, old, new in changes:
            text = (target / file).read_text("utf-8")
            if text.count(old) != 1:
                raise SystemExit(f"{name}: {file} holds {text.count(old)} times, not once: {old!r}")
            (target / file).write_text(text.replace(old, new), "utf-8")


if __name__ == "__main__":
    main()
