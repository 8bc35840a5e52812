// rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae
#include "ledger.hpp"

#include <stdexcept>
#include <utility>

namespace {

constexpr std::size_t kRecent = 4096;

}  // namespace

Ledger::Ledger(std::string path) : path_(std::move(path)) {
  std::ifstream file(path_, std::ios::binary | std::ios::ate);
  if (!file) return;
  stored_ = static_cast<std::int64_t>(file.tellg()) / static_cast<std::int64_t>(sizeof(Sums));
  total_ = up_to(stored_);
}

void Ledger::add(Cents in, Cents out) {
  total_.in += in;
  total_.out += out;
  recent_.push_back(total_);
  if (recent_.size() >= kRecent) write_recent();
}

Sums Ledger::last(std::int64_t count) {
  const Sums before = up_to(size() - count);
  return {total_.in - before.in, total_.out - before.out};
}

Sums Ledger::up_to(std::int64_t count) {
  if (count == 0) return {};
  if (count > stored_) return recent_[count - stored_ - 1];
  std::ifstream file(path_, std::ios::binary);
  file.seekg((count - 1) * static_cast<std::int64_t>(sizeof(Sums)));
  Sums sums;
  if (!file.read(reinterpret_cast<char*>(&sums), sizeof sums)) throw std::runtime_error("cannot read " + path_);
  return sums;
}

void Ledger::write_recent() {
  if (recent_.empty()) return;
  std::ofstream file(path_, std::ios::binary | std::ios::app);
  file.write(reinterpret_cast<const char*>(recent_.data()),
             static_cast<std::streamsize>(recent_.size() * sizeof(Sums)));
  file.flush();
  if (!file) throw std::runtime_error("cannot write " + path_);
  stored_ += static_cast<std::int64_t>(recent_.size());
  recent_.clear();
}
