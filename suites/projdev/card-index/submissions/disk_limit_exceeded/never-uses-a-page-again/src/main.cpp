// rigorbench-canary af2a9595-30e3-4ce1-b98c-b2b53c6d44b8
// The card index: opens its file, answers the commands of one run, and saves the file.
#include <cstdio>
#include <exception>

#include "card_index.hpp"
#include "card_tree.hpp"
#include "commands.hpp"
#include "page_file.hpp"

namespace {
constexpr std::size_t kCachedPages = 4096;  // 16 MiB
}

int main() {
  try {
    PageFile file("cards.pages", kCachedPages);
    CardTree tree(file);
    CardIndex index(tree);
    answer_all(index, stdin, stdout);
    file.save();
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "code: %s\n", failure.what());
    return 1;
  }
  return 0;
}
