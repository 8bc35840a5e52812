// rigorbench-canary 3946732e-f346-4ca6-977b-b81bb144cf12
// The garden: tells how many barrels there are, answers looks, empties barrels, counts what is collected.
// Status 42: the season ended as it should, score.txt holds the share of what the informed gardener collects; 43: not.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr int accepted = 42, refused = 43, broken = 1;
constexpr std::size_t longest_line = 100;

std::string feedback;

[[noreturn]] void end(int status, const std::string& message) {
  // Nothing of the case is in a message: its author may read it.
  std::ofstream(feedback + "judgemessage.txt") << message << '\n';
  std::ofstream(feedback + "teammessage.txt") << message << '\n';
  std::_Exit(status);
}

[[noreturn]] void fail(const std::string& message) {
  std::cerr << message << '\n';
  std::_Exit(broken);
}

class splitmix {
 public:
  explicit splitmix(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

struct barrel {
  std::int64_t capacity, before_turn, after_turn, content;
};

struct garden {
  std::int64_t hours = 0, looks = 0, gusts = 0, turn = 0, hour = 0, collected = 0;
  std::string weather;
  std::vector<barrel> barrels;
  splitmix random{0};

  explicit garden(const char* path) {
    std::ifstream file(path);
    std::size_t count = 0;
    std::uint64_t seed = 0;
    file >> count >> hours >> looks >> seed >> gusts >> turn >> weather;
    random = splitmix(seed);
    barrels.resize(file ? count : 0);
    for (barrel& each : barrels) file >> each.capacity >> each.before_turn >> each.after_turn;
    if (!file || barrels.empty() || weather.size() != static_cast<std::size_t>(hours)) fail("the input is no garden");
    rain();
  }

  void rain() {
    if (hour >= hours) return;
    const char sky = weather[static_cast<std::size_t>(hour)];
    const std::int64_t wet = sky == 'w' ? 160 : sky == 'd' ? 40 : 100;
    for (barrel& each : barrels) {
      const std::int64_t gust = 100 - gusts + static_cast<std::int64_t>(random() % (2 * gusts + 1));
      const std::int64_t rate = hour >= turn ? each.after_turn : each.before_turn;
      each.content = std::min(each.capacity, each.content + rate * wet * gust / 10000);
    }
  }

  std::int64_t empty(barrel& which) {
    const std::int64_t taken = which.content;
    which.content = 0;
    collected += taken;
    ++hour;
    rain();
    return taken;
  }
};

enum class got { line, nothing, too_long };

// The next line that is not blank, without white space around it.
got next_line(std::string& line) {
  while (true) {
    line.clear();
    int c = 0;
    while ((c = std::getchar()) != EOF && c != '\n') {
      if (line.empty() && (c == ' ' || c == '\t' || c == '\r')) continue;
      if (line.size() == longest_line) return got::too_long;
      line.push_back(static_cast<char>(c));
    }
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r')) line.pop_back();
    if (!line.empty()) return got::line;
    if (c == EOF) return got::nothing;
  }
}

void reply(std::int64_t number) {
  // A program that has gone is noticed when nothing more comes from it.
  std::printf("%lld\n", static_cast<long long>(number));
  std::fflush(stdout);
}

// The barrel that "WORD NUMBER" names, or none.
barrel* named(garden& season, std::string_view line, std::string_view word) {
  if (line.substr(0, word.size()) != word) return nullptr;
  line.remove_prefix(word.size());
  const std::size_t space = line.find_first_not_of(' ');
  if (space == 0 || space == std::string_view::npos) return nullptr;
  line.remove_prefix(space);
  std::size_t number = 0;
  const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  if (error != std::errc() || rest != line.data() + line.size()) return nullptr;
  return number >= 1 && number <= season.barrels.size() ? &season.barrels[number - 1] : nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) fail("arguments: input, answer, feedback directory");
  feedback = argv[3];
  if (!feedback.empty() && feedback.back() != '/') feedback += '/';
  garden season(argv[1]);
  std::int64_t informed = 0;
  if (!(std::ifstream(argv[2]) >> informed) || informed <= 0) fail("the answer is no amount");

  std::printf("%zu %lld %lld\n", season.barrels.size(), static_cast<long long>(season.hours),
              static_cast<long long>(season.looks));
  std::fflush(stdout);

  std::string line;
  bool stopped = false;
  while (!stopped && season.hour < season.hours) {
    const std::string hour = "hour " + std::to_string(season.hour + 1) + ": ";
    switch (next_line(line)) {
      case got::nothing:
        end(refused, hour + "no more commands, though the season goes on");
      case got::too_long:
        end(refused, hour + "a line of more than 100 characters");
      case got::line:
        break;
    }
    if (line == "stop") {
      stopped = true;
    } else if (barrel* seen = named(season, line, "look")) {
      if (season.looks-- == 0) end(refused, hour + "one look too many");
      reply(seen->content);
    } else if (barrel* chosen = named(season, line, "empty")) {
      reply(season.empty(*chosen));
    } else {
      end(refused, hour + "neither look I, nor empty I, nor stop");
    }
  }
  if (next_line(line) != got::nothing) end(refused, "a command after the end of the season");
  char share[32];
  std::snprintf(share, sizeof share, "%.6f", static_cast<double>(season.collected) / static_cast<double>(informed));
  std::ofstream(feedback + "score.txt") << share << '\n';
  end(accepted, "collected " + std::to_string(season.collected) + " cl");
}
