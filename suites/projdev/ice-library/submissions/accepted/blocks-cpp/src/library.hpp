// rigorbench-canary 74a1702a-6ecf-460f-ad58-eec864a688ab
// The register of the ice library: what the commands do, without their words.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "block_list.hpp"

constexpr std::size_t kTag = 16, kName = 12;

struct Sample {
  std::uint32_t core = 0;
  std::uint32_t depth = 0;
  std::uint32_t grams = 0;
  char tag[kTag] = {};

  friend bool operator<(const Sample& a, const Sample& b) {
    return std::tie(a.core, a.depth) < std::tie(b.core, b.depth);
  }
};

struct Weight {
  std::uint64_t count = 0, grams = 0;
  std::uint32_t heaviest = 0, depth = 0;  // a later sample is heavier only if it weighs more: ties go to the shallower

  void add(const Sample& sample) { add(Weight{1, sample.grams, sample.grams, sample.depth}); }
  void add(const Weight& other) {
    count += other.count;
    grams += other.grams;
    if (other.heaviest > heaviest) heaviest = other.heaviest, depth = other.depth;
  }
};

// A tag in the order in which tags are listed; the core goes by its name.
struct Mark {
  char tag[kTag] = {};
  char core[kName] = {};
  std::uint32_t depth = 0;

  friend bool operator<(const Mark& a, const Mark& b) {
    const int order = std::memcmp(a.tag, b.tag, kTag + kName);
    return order != 0 ? order < 0 : a.depth < b.depth;
  }
};
static_assert(sizeof(Mark) == kTag + kName + 4);

struct Count {
  std::uint64_t count = 0;

  void add(const Mark&) { ++count; }
  void add(const Count& other) { count += other.count; }
};

enum class Result { ok, none, taken, too_little };

class Library {
 public:
  struct Core {
    std::uint32_t number = 0;
    std::uint64_t count = 0, grams = 0;
  };

  Library();
  void save();

  Result add(const std::string& core, std::uint32_t depth, std::uint32_t grams, std::string_view tag);
  std::uint64_t saw(const std::string& core, std::uint32_t seed, std::uint32_t count, std::string_view tag);
  Result take(const std::string& core, std::uint32_t depth, std::uint32_t& grams);  // grams: then what is left
  Result tag(const std::string& core, std::uint32_t depth, std::string_view tag);
  Result rename(const std::string& from, const std::string& to);
  Weight melt(const std::string& core, std::uint32_t from, std::uint32_t to);
  bool show(const std::string& core, std::uint32_t depth, Sample& sample);
  Weight weigh(const std::string& core, std::uint32_t from, std::uint32_t to);
  std::uint64_t find(std::string_view prefix, std::size_t most, std::vector<Mark>& marks);
  const std::map<std::string, Core>& cores() const { return cores_; }

 private:
  Core& open(const std::string& name);
  void close_if_empty(const std::string& name);

  std::map<std::string, Core> cores_;
  std::vector<std::uint32_t> unused_;  // numbers of cores below next_ that no core has now
  std::uint32_t next_ = 0;
  BlockList<Sample, Weight> samples_{"samples"};
  BlockList<Mark, Count> marks_{"marks"};
};
