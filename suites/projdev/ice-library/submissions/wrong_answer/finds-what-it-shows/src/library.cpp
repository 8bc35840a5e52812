// rigorbench-canary 74a1702a-6ecf-460f-ad58-eec864a688ab
#include "library.hpp"

#include <fstream>
#include <stdexcept>

namespace {

constexpr std::size_t kBatch = 8192;  // samples of a bulk command that are in memory at a time

Sample sample_of(std::uint32_t core, std::uint32_t depth, std::uint32_t grams = 0, std::string_view tag = {}) {
  Sample sample{core, depth, grams, {}};
  tag.copy(sample.tag, kTag);
  return sample;
}

Mark mark_of(const char (&tag)[kTag], std::string_view core, std::uint32_t depth) {
  Mark mark;
  std::memcpy(mark.tag, tag, kTag);
  core.copy(mark.core, kName);
  mark.depth = depth;
  return mark;
}

std::uint32_t step(std::uint32_t& state) { return state = state * 1664525u + 1013904223u; }

}  // namespace

Library::Library() {
  std::ifstream table("cores.table");
  std::string name;
  Core core;
  while (table >> name >> core.number >> core.count >> core.grams) cores_[name] = core;
  std::vector<bool> used;
  for (const auto& [_, held] : cores_) {
    if (held.number >= used.size()) used.resize(held.number + 1);
    used[held.number] = true;
  }
  next_ = static_cast<std::uint32_t>(used.size());
  for (std::uint32_t number = 0; number < next_; ++number)
    if (!used[number]) unused_.push_back(number);
}

void Library::save() {
  samples_.save();
  marks_.save();
  std::ofstream table("cores.table", std::ios::trunc);
  for (const auto& [name, core] : cores_) table << name << ' ' << core.number << ' ' << core.count << ' ' << core.grams << '\n';
  table.close();
  if (!table) throw std::runtime_error("cannot write cores.table");
}

Library::Core& Library::open(const std::string& name) {
  auto [place, added] = cores_.try_emplace(name);
  if (added) {
    if (unused_.empty()) {
      place->second.number = next_++;
    } else {
      place->second.number = unused_.back();
      unused_.pop_back();
    }
  }
  return place->second;
}

void Library::close_if_empty(const std::string& name) {
  auto place = cores_.find(name);
  if (place == cores_.end() || place->second.count > 0) return;
  unused_.push_back(place->second.number);
  cores_.erase(place);
}

Result Library::add(const std::string& core, std::uint32_t depth, std::uint32_t grams, std::string_view tag) {
  Core& held = open(core);
  const Sample sample = sample_of(held.number, depth, grams, tag);
  if (!samples_.insert(sample)) return Result::taken;
  ++held.count;
  held.grams += grams;
  marks_.insert(mark_of(sample.tag, core, depth));
  return Result::ok;
}

std::uint64_t Library::saw(const std::string& core, std::uint32_t seed, std::uint32_t count, std::string_view tag) {
  static constexpr char kLetters[] = "abcdefghijklmnopqrstuvwxyz234567";
  Core& held = open(core);
  std::uint64_t sawn = 0;
  std::vector<Sample> samples;
  std::vector<Mark> marks;
  samples.reserve(std::min<std::size_t>(count, kBatch));
  marks.reserve(samples.capacity());
  std::uint32_t state = seed;
  while (count > 0) {
    samples.clear();
    marks.clear();
    for (; count > 0 && samples.size() < kBatch; --count) {
      Sample sample = sample_of(held.number, step(state) / 512, 0, tag);
      sample.grams = 1 + step(state) / 65536 % 1000;
      std::uint32_t digits = step(state) / 128;
      char* letter = sample.tag + tag.size();
      *letter++ = '-';
      for (int index = 0; index < 5; ++index, digits /= 32) *letter++ = kLetters[digits % 32];
      samples.push_back(sample);
    }
    std::stable_sort(samples.begin(), samples.end());  // of two at one depth the earlier is tried first
    for (const Sample& sample : samples) {
      if (!samples_.insert(sample)) continue;
      ++held.count;
      ++sawn;
      held.grams += sample.grams;
      marks.push_back(mark_of(sample.tag, core, sample.depth));
    }
    std::sort(marks.begin(), marks.end());
    for (const Mark& mark : marks) marks_.insert(mark);
  }
  close_if_empty(core);
  return sawn;
}

Result Library::take(const std::string& core, std::uint32_t depth, std::uint32_t& grams) {
  auto place = cores_.find(core);
  if (place == cores_.end()) return Result::none;
  Sample sample = sample_of(place->second.number, depth);
  if (!samples_.find(sample)) return Result::none;
  if (sample.grams < grams) return Result::too_little;
  place->second.grams -= grams;
  sample.grams -= grams;
  grams = sample.grams;
  if (sample.grams > 0) {
    samples_.replace(sample);
    return Result::ok;
  }
  samples_.erase(sample);
  marks_.erase(mark_of(sample.tag, core, depth));
  --place->second.count;
  close_if_empty(core);
  return Result::ok;
}

Result Library::tag(const std::string& core, std::uint32_t depth, std::string_view tag) {
  Sample sample;
  if (!show(core, depth, sample)) return Result::none;
  marks_.erase(mark_of(sample.tag, core, depth));
  sample = sample_of(sample.core, depth, sample.grams, tag);
  samples_.replace(sample);
  marks_.insert(mark_of(sample.tag, core, depth));
  return Result::ok;
}

Result Library::rename(const std::string& from, const std::string& to) {
  auto place = cores_.find(from);
  if (place == cores_.end()) return Result::none;
  if (cores_.contains(to)) return Result::taken;
  // Samples go by the core's number, which stays; only marks hold the name.
  const std::uint32_t number = place->second.number;
  Sample low = sample_of(number, 0);
  const Sample high = sample_of(number, 0xffffffffu);
  std::vector<Sample> samples;
  std::vector<Mark> marks;
  for (;;) {
    samples.clear();
    marks.clear();
    samples_.list(low, high, kBatch, samples);
    if (samples.empty()) break;
    for (const Sample& sample : samples) marks.push_back(mark_of(sample.tag, from, sample.depth));
    std::sort(marks.begin(), marks.end());
    for (Mark mark : marks) {
      marks_.erase(mark);
      marks_.insert(mark_of(mark.tag, to, mark.depth));
    }
    low.depth = samples.back().depth + 1;
  }
  cores_[to] = place->second;
  cores_.erase(from);
  return Result::ok;
}

Weight Library::melt(const std::string& core, std::uint32_t from, std::uint32_t to) {
  Weight melted;
  auto place = cores_.find(core);
  if (place == cores_.end()) return melted;
  const Sample low = sample_of(place->second.number, from), high = sample_of(place->second.number, to);
  std::vector<Sample> samples;
  std::vector<Mark> marks;
  for (;;) {
    samples.clear();
    marks.clear();
    samples_.list(low, high, kBatch, samples);
    if (samples.empty()) break;
    for (const Sample& sample : samples) {
      melted.add(sample);
      marks.push_back(mark_of(sample.tag, core, sample.depth));
      samples_.erase(sample);
    }
    std::sort(marks.begin(), marks.end());
    for (const Mark& mark : marks) marks_.erase(mark);
  }
  place->second.count -= melted.count;
  place->second.grams -= melted.grams;
  close_if_empty(core);
  return melted;
}

bool Library::show(const std::string& core, std::uint32_t depth, Sample& sample) {
  auto place = cores_.find(core);
  if (place == cores_.end()) return false;
  sample = sample_of(place->second.number, depth);
  return samples_.find(sample);
}

Weight Library::weigh(const std::string& core, std::uint32_t from, std::uint32_t to) {
  auto place = cores_.find(core);
  if (place == cores_.end()) return {};
  return samples_.summary(sample_of(place->second.number, from), sample_of(place->second.number, to));
}

std::uint64_t Library::find(std::string_view prefix, std::size_t most, std::vector<Mark>& marks) {
  Mark low, high;
  std::memset(high.tag, 0x7f, kTag + kName);
  high.depth = 0xffffffffu;
  prefix.copy(low.tag, kTag);
  prefix.copy(high.tag, kTag);
  marks_.list(low, high, most, marks);
  return marks.size();
}
