# rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae
"""Writes the labelled submissions that are the reference (``accepted/tables-cpp``) with one fault each.

Usage: ``python3 generators/mutants.py [DIRECTORY]`` (default: the package's ``submissions``). Every text to be replaced
must be in the reference exactly once, so that a fault cannot get lost when the reference changes.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
REFERENCE = PACKAGE / "submissions" / "accepted" / "tables-cpp"
WORDS, ACCOUNTS, CATALOGUE, LEDGER = "src/words.cpp", "src/accounts.cpp", "src/catalogue.cpp", "src/ledger.cpp"
SESSION, COMMANDS, MAIN = "src/session.cpp", "src/commands.cpp", "src/main.cpp"

# label/name -> (file, the text, its replacement)
MUTANTS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "wrong_answer/finds-parts-of-keywords": (
        (COMMANDS, "    shelf = catalogue_.with_key(value);\n",
         "    for (const auto& [code, book] : catalogue_.all())\n"
         "      if (book->keys.find(value) != std::string::npos) single.insert(book.get());\n"
         "    shelf = &single;\n"),
    ),
    "wrong_answer/names-too-long": ((WORDS, "kLongestIdentifier = 30", "kLongestIdentifier = 31"),),
    "wrong_answer/three-digits-behind-the-dot": ((WORDS, "part.size() > 2", "part.size() > 3"),),
    "wrong_answer/leading-zeros-in-counts": ((WORDS, " || word[0] == '0') return std::nullopt;", ") return std::nullopt;"),),
    "wrong_answer/repeated-keywords": (
        (WORDS, "!keys.front().empty() && std::adjacent_find(keys.begin(), keys.end()) == keys.end()", "!keys.front().empty()"),
    ),
    "wrong_answer/the-last-of-two-fields": (
        (COMMANDS, "    if (change.price) return false;\n", ""),
        (COMMANDS, "!valid || place->has_value()", "!valid"),
    ),
    "wrong_answer/half-of-a-refused-change": (
        (COMMANDS, "    if (!understand(words[at], change)) return false;\n",
         "    if (!understand(words[at], change)) {\n      catalogue_.change(*session_.chosen(), change);\n      return false;\n    }\n"),
    ),
    "wrong_answer/money-of-32-bits": (
        (WORDS, "return value_of(whole) * 100 + cents;", "return static_cast<std::int32_t>(value_of(whole) * 100 + cents);"),
    ),
    "wrong_answer/clerks-list-accounts": ((COMMANDS, '{"accounts", {kOwner,', '{"accounts", {kClerk,'),),
    "wrong_answer/login-of-equals": ((SESSION, "rank() > account->rank", "rank() >= account->rank"),),
    "wrong_answer/one-chosen-book": (
        ("src/session.hpp", "{ entries_.push_back({id, nullptr}); }", "{ entries_.push_back({id, chosen()}); }"),
    ),
    "wrong_answer/passwords-lost": (
        (ACCOUNTS, "accounts_.at(id).password = password;\n  changed_ = true;", "accounts_.at(id).password = password;"),
    ),
    "wrong_answer/saves-only-at-quit": (
        (MAIN, "    while (std::getline(std::cin, line) && commands.answer(line)) {\n    }\n",
         "    do {\n      if (!std::getline(std::cin, line)) return 0;\n    } while (commands.answer(line));\n"),
    ),
    "wrong_answer/ledger-starts-again": ((LEDGER, "  if (!file) return;\n", "  if (file || !file) return;\n"),),
    "presentation_error/two-spaces": ((COMMANDS, '" out "', '"  out "'),),
    "time_limit_exceeded/saves-after-each-change": (
        (CATALOGUE, "  put_all(book);\n  changed_ = true;\n", "  put_all(book);\n  changed_ = true;\n  save();\n"),
    ),
    "time_limit_exceeded/adds-up-deals": (
        (LEDGER, "  const Sums before = up_to(size() - count);\n",
         "  Sums before = total_;\n"
         "  for (std::int64_t at = size(); at > size() - count; --at) {\n"
         "    const Sums with = up_to(at), without = up_to(at - 1);\n"
         "    before.in -= with.in - without.in;\n"
         "    before.out -= with.out - without.out;\n"
         "  }\n"),
    ),
    "memory_limit_exceeded/fixed-tables": (
        ("src/catalogue.hpp", "  Index titles_, authors_, keys_;\n",
         "  struct Slot {\n    char code[21], title[61], author[61], keys[61];\n  };\n"
         "  std::vector<Slot> slots_ = std::vector<Slot>(400'000);\n  Index titles_, authors_, keys_;\n"),
        ("src/catalogue.hpp", "#include <unordered_map>\n", "#include <unordered_map>\n#include <vector>\n"),
    ),
    "disk_limit_exceeded/file-for-each-account": (
        (ACCOUNTS, "  changed_ |= added;\n", '  changed_ |= added;\n  if (added) std::ofstream(id + ".account") << id;\n'),
    ),
    "disk_limit_exceeded/large-records": (("src/ledger.hpp", "struct Sums {", "struct alignas(256) Sums {"),),
    "run_time_error/cannot-read-its-files": ((CATALOGUE, "std::stoll(fields.at(5))", "std::stoll(fields.at(6))"),),
    "compile_error/file-not-committed": (("CMakeLists.txt", "src/commands.cpp)", "src/commands.cpp src/index.cpp)"),),
    "compile_error/another-target": (
        ("CMakeLists.txt", "add_executable(code ", "add_executable(bookshop "),
        ("CMakeLists.txt", "options(code ", "options(bookshop "),
    ),
}


def main() -> None:
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE / "submissions"
    for name, changes in MUTANTS.items():
        target = place / name
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(REFERENCE, target, ignore=shutil.ignore_patterns("build"))
        for file, old, new in changes:
            text = (target / file).read_text("utf-8")
            if text.count(old) != 1:
                raise SystemExit(f"{name}: {file} contains this {text.count(old)} times, not once: {old!r}")
            (target / file).write_text(text.replace(old, new), "utf-8")


if __name__ == "__main__":
    main()
