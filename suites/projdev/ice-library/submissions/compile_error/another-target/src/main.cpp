// rigorbench-canary 74a1702a-6ecf-460f-ad58-eec864a688ab
// Reads commands, has them done, prints the answers.
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>

#include "library.hpp"

namespace {

std::string text(const char* bytes, std::size_t size) { return std::string(bytes, ::strnlen(bytes, size)); }

void say(Result result) {
  switch (result) {
    case Result::ok: std::cout << "ok\n"; break;
    case Result::none: std::cout << "error none\n"; break;
    case Result::taken: std::cout << "error taken\n"; break;
    case Result::too_little: std::cout << "error short\n"; break;
  }
}

void answer(Library& library, const std::string& command) {
  std::string core, tag;
  std::uint32_t depth = 0, to = 0, number = 0;
  if (command == "add") {
    std::cin >> core >> depth >> number >> tag;
    say(library.add(core, depth, number, tag));
  } else if (command == "saw") {
    std::cin >> core >> depth >> number >> tag;
    std::cout << "sawn " << library.saw(core, depth, number, tag) << '\n';
  } else if (command == "take") {
    std::cin >> core >> depth >> number;
    const Result result = library.take(core, depth, number);
    if (result == Result::ok) std::cout << "left " << number << '\n';
    else say(result);
  } else if (command == "tag") {
    std::cin >> core >> depth >> tag;
    say(library.tag(core, depth, tag));
  } else if (command == "rename") {
    std::cin >> core >> tag;
    say(library.rename(core, tag));
  } else if (command == "melt") {
    std::cin >> core >> depth >> to;
    const Weight melted = library.melt(core, depth, to);
    std::cout << "melted " << melted.count << ' ' << melted.grams << '\n';
  } else if (command == "show") {
    std::cin >> core >> depth;
    Sample sample;
    if (library.show(core, depth, sample)) std::cout << sample.grams << ' ' << text(sample.tag, kTag) << '\n';
    else say(Result::none);
  } else if (command == "weigh") {
    std::cin >> core >> depth >> to;
    const Weight weight = library.weigh(core, depth, to);
    std::cout << weight.count << ' ' << weight.grams << '\n';
  } else if (command == "heaviest") {
    std::cin >> core >> depth >> to;
    const Weight weight = library.weigh(core, depth, to);
    if (weight.count > 0) std::cout << weight.depth << ' ' << weight.heaviest << '\n';
    else say(Result::none);
  } else if (command == "find") {
    std::cin >> tag >> number;
    std::vector<Mark> marks;
    std::cout << "found " << library.find(tag, number, marks) << '\n';
    for (const Mark& mark : marks)
      std::cout << text(mark.tag, kTag) << ' ' << text(mark.core, kName) << ' ' << mark.depth << '\n';
  } else if (command == "cores") {
    std::cout << "cores " << library.cores().size() << '\n';
    for (const auto& [name, held] : library.cores()) std::cout << name << ' ' << held.count << ' ' << held.grams << '\n';
  } else {
    throw std::runtime_error("no such command: " + command);
  }
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  try {
    Library library;
    std::string command;
    while (std::cin >> command) answer(library, command);
    library.save();
    std::cout.flush();
  } catch (const std::exception& error) {
    std::cerr << "code: " << error.what() << '\n';
    return 1;
  }
  return std::cout ? 0 : 1;
}
