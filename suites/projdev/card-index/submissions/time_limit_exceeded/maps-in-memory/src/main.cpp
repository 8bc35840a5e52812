// rigorbench-canary af2a9595-30e3-4ce1-b98c-b2b53c6d44b8
// Half of the project: everything is right and survives the run, but it lies in maps, and ranges are walked through.
#include <cstdint>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>

using Cards = std::set<std::uint32_t>;
using Words = std::map<std::string, Cards>;

static Words filed;

static std::uint64_t step(std::uint64_t x) { return x * 6364136223846793005u + 1442695040888963407u; }

static void forget(const std::string& word) {
  const auto place = filed.find(word);
  if (place != filed.end() && place->second.empty()) filed.erase(place);
}

static void bulk() {
  std::string stem;
  std::uint64_t x, y, count, each, added = 0;
  std::cin >> stem >> x >> count >> each >> y;
  while (count-- > 0) {
    std::string word = stem;
    for (int part = 0; part < 2; ++part) {
      x = step(x);
      for (int i = 1; i <= 12; ++i) word += "abcdefghijklmnopqrstuvwxyz234567"[x >> (64 - 5 * i) & 31];
    }
    for (std::uint64_t i = 0; i < each; ++i) {
      y = step(y);
      added += filed[word].insert(static_cast<std::uint32_t>(y >> 32)).second;
    }
  }
  std::cout << "added " << added << '\n';
}

static void weed() {
  std::string from, to;
  std::uint64_t divisor, rest, removed = 0;
  std::cin >> from >> to >> divisor >> rest;
  for (auto place = filed.lower_bound(from); place != filed.end() && place->first <= to;) {
    removed += std::erase_if(place->second, [&](std::uint32_t card) { return card % divisor == rest; });
    place = place->second.empty() ? filed.erase(place) : std::next(place);
  }
  std::cout << "removed " << removed << '\n';
}

static void move() {
  std::string from, to;
  std::cin >> from >> to;
  const auto place = filed.find(from);
  if (place == filed.end()) {
    std::cout << "error none\n";
  } else if (from == to) {
    std::cout << "error same\n";
  } else {
    std::uint64_t moved = 0;
    for (const std::uint32_t card : place->second) moved += filed[to].insert(card).second;
    filed.erase(from);
    std::cout << "moved " << moved << '\n';
  }
}

static void cards() {
  std::string word;
  std::uint64_t skip, limit;
  std::cin >> word >> skip >> limit;
  const auto place = filed.find(word);
  std::cout << "cards " << (place == filed.end() ? 0 : place->second.size()) << '\n';
  if (place == filed.end()) return;
  for (const std::uint32_t card : place->second) {
    if (skip > 0) --skip;
    else if (limit-- > 0) std::cout << card << '\n';
    else break;
  }
}

static void range(const std::string& command) {
  std::string from, to;
  std::uint64_t skip = 0, limit = 0, words = 0, entries = 0;
  std::cin >> from >> to;
  if (command != "count") std::cin >> skip >> limit;
  std::ostringstream shown;
  for (auto place = filed.lower_bound(from); place != filed.end() && place->first <= to; ++place) {
    if (command == "words" && words >= skip && words - skip < limit) shown << place->first << ' ' << place->second.size() << '\n';
    if (command == "list" && entries < skip + limit && entries + place->second.size() > skip) {
      std::uint64_t number = entries;
      for (const std::uint32_t card : place->second) {
        if (number >= skip && number < skip + limit) shown << place->first << ' ' << card << '\n';
        ++number;
      }
    }
    ++words;
    entries += place->second.size();
  }
  if (command == "count") std::cout << words << ' ' << entries << '\n';
  else std::cout << (command == "words" ? "words " : "entries ") << (command == "words" ? words : entries) << '\n' << shown.str();
}

static void neighbour(const std::string& command) {
  std::string word;
  std::cin >> word;
  auto place = command == "next" ? filed.upper_bound(word) : filed.lower_bound(word);
  if (command == "prev") place = place == filed.begin() ? filed.end() : std::prev(place);
  if (place == filed.end()) std::cout << "error none\n";
  else std::cout << place->first << ' ' << place->second.size() << '\n';
}

static void one(const std::string& command) {
  std::string word;
  std::uint32_t card;
  std::cin >> word >> card;
  if (command == "put") {
    std::cout << (filed[word].insert(card).second ? "ok\n" : "error there\n");
  } else if (command == "drop") {
    const auto place = filed.find(word);
    std::cout << (place != filed.end() && place->second.erase(card) ? "ok\n" : "error none\n");
    forget(word);
  } else {
    const auto place = filed.find(word);
    std::cout << (place != filed.end() && place->second.contains(card) ? "yes\n" : "no\n");
  }
}

static void load() {
  std::ifstream in("cards.txt");
  std::string word;
  std::size_t count;
  std::uint32_t card;
  while (in >> word >> count) {
    Cards& cards = filed[word];
    while (count-- > 0 && in >> card) cards.insert(cards.end(), card);
  }
}

static void save() {
  std::ofstream out("cards.txt");
  for (const auto& [word, cards] : filed) {
    out << word << ' ' << cards.size();
    for (const std::uint32_t card : cards) out << ' ' << card;
    out << '\n';
  }
}

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  load();
  std::string command;
  while (std::cin >> command) {
    if (command == "bulk") bulk();
    else if (command == "weed") weed();
    else if (command == "move") move();
    else if (command == "cards") cards();
    else if (command == "next" || command == "prev") neighbour(command);
    else if (command == "put" || command == "drop" || command == "has") one(command);
    else range(command);
  }
  save();
}
