// rigorbench-canary 74a1702a-6ecf-460f-ad58-eec864a688ab
// Everything in memory between two runs: right, and far too large.
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <tuple>

struct Sample {
  std::uint64_t grams;
  std::string tag;
};
using Core = std::map<std::uint32_t, Sample>;

static std::map<std::string, Core> cores;
static std::set<std::tuple<std::string, std::string, std::uint32_t>> marks;

static bool put(const std::string& core, std::uint32_t depth, std::uint64_t grams, const std::string& tag) {
  if (!cores[core].try_emplace(depth, Sample{grams, tag}).second) return false;
  marks.emplace(tag, core, depth);
  return true;
}

static void drop(const std::string& core, Core::iterator sample) {
  marks.erase({sample->second.tag, core, sample->first});
  cores[core].erase(sample);
  if (cores[core].empty()) cores.erase(core);
}

static std::uint32_t step(std::uint32_t& x) { return x = x * 1664525u + 1013904223u; }

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  std::string command, core, tag;
  std::uint32_t depth, to;
  std::uint64_t grams;
  std::ifstream in("register.txt");
  while (in >> core >> depth >> grams >> tag) put(core, depth, grams, tag);
  in.close();
  while (std::cin >> command) {
    if (command == "cores") {
      std::cout << "cores " << cores.size() << '\n';
      for (const auto& [name, samples] : cores) {
        std::uint64_t sum = 0;
        for (const auto& [_, sample] : samples) sum += sample.grams;
        std::cout << name << ' ' << samples.size() << ' ' << sum << '\n';
      }
      continue;
    }
    if (command == "find") {
      std::size_t limit, found = 0;
      std::string shown;
      std::cin >> tag >> limit;
      for (auto mark = marks.lower_bound({tag, "", 0}); mark != marks.end() && std::get<0>(*mark).starts_with(tag); ++mark)
        if (found++ < limit) shown += std::get<0>(*mark) + ' ' + std::get<1>(*mark) + ' ' + std::to_string(std::get<2>(*mark)) + '\n';
      std::cout << "found " << found << '\n' << shown;
      continue;
    }
    std::cin >> core;
    auto held = cores.find(core);
    if (command == "rename") {
      std::cin >> tag;
      if (held == cores.end()) {
        std::cout << "error none\n";
      } else if (cores.contains(tag)) {
        std::cout << "error taken\n";
      } else {
        const Core moved = std::move(held->second);
        cores.erase(held);
        for (const auto& [at, sample] : moved) marks.erase({sample.tag, core, at}), put(tag, at, sample.grams, sample.tag);
        std::cout << "ok\n";
      }
      continue;
    }
    std::cin >> depth;
    if (command == "add") {
      std::cin >> grams >> tag;
      std::cout << (put(core, depth, grams, tag) ? "ok\n" : "error taken\n");
      continue;
    }
    if (command == "saw") {
      std::uint32_t count, x = depth;
      std::size_t sawn = 0;
      std::cin >> count >> tag;
      while (count-- > 0) {
        const std::uint32_t at = step(x) / 512, weight = 1 + step(x) / 65536 % 1000;
        std::uint32_t y = step(x) / 128;
        std::string mark = tag + '-';
        for (int letter = 0; letter < 5; ++letter, y /= 32) mark += "abcdefghijklmnopqrstuvwxyz234567"[y % 32];
        sawn += put(core, at, weight, mark);
      }
      std::cout << "sawn " << sawn << '\n';
      continue;
    }
    if (command == "melt" || command == "weigh" || command == "heaviest") {
      std::cin >> to;
      std::uint64_t count = 0, sum = 0, most = 0;
      std::uint32_t where = 0;
      if (held != cores.end()) {
        for (auto at = held->second.lower_bound(depth); at != held->second.end() && at->first <= to; ++at) {
          ++count;
          sum += at->second.grams;
          if (at->second.grams > most) most = at->second.grams, where = at->first;
        }
        if (command == "melt") {
          for (std::uint64_t gone = 0; gone < count; ++gone) drop(core, cores[core].lower_bound(depth));
        }
      }
      if (command == "heaviest") {
        if (count > 0) std::cout << where << ' ' << most << '\n';
        else std::cout << "error none\n";
      } else {
        std::cout << (command == "melt" ? "melted " : "") << count << ' ' << sum << '\n';
      }
      continue;
    }
    if (command == "take") std::cin >> grams;
    if (command == "tag") std::cin >> tag;
    Core::iterator sample;
    if (held == cores.end() || (sample = held->second.find(depth)) == held->second.end()) {
      std::cout << "error none\n";
    } else if (command == "show") {
      std::cout << sample->second.grams << ' ' << sample->second.tag << '\n';
    } else if (command == "tag") {
      marks.erase({sample->second.tag, core, depth});
      sample->second.tag = tag;
      marks.emplace(tag, core, depth);
      std::cout << "ok\n";
    } else if (sample->second.grams < grams) {
      std::cout << "error short\n";
    } else {
      sample->second.grams -= grams;
      std::cout << "left " << sample->second.grams << '\n';
      if (sample->second.grams == 0) drop(core, sample);
    }
  }
  std::ofstream out("register.txt", std::ios::trunc);
  for (const auto& [name, samples] : cores)
    for (const auto& [at, sample] : samples) out << name << ' ' << at << ' ' << sample.grams << ' ' << sample.tag << '\n';
  return 0;
}
