// rigorbench-canary 9a625236-3290-4684-9d26-901f0e50fcf0
// Sends commands to a server and compares its answers, or plays the field's side of games.
// Status 42: score.txt holds 1 for a conversation, and for games their mean worth as a share of the judge's player's; 43: not.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr int accepted = 42, refused = 43, broken = 1;
constexpr std::size_t longest_line = 2000;

std::string feedback;

[[noreturn]] void end(int status, const std::string& message, double score = 0) {
  // Nothing of the case is in a message: its author may read it.
  std::ofstream(feedback + "judgemessage.txt") << message << '\n';
  std::ofstream(feedback + "teammessage.txt") << message << '\n';
  if (status == accepted) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6f", score);
    std::ofstream(feedback + "score.txt") << text << '\n';
  }
  std::_Exit(status);
}

[[noreturn]] void fail(const std::string& message) {
  std::cerr << message << '\n';
  std::_Exit(broken);
}

// The next line of the program without its end; false: there is none.
bool next_line(std::string& line) {
  line.clear();
  int c = 0;
  while ((c = std::getchar()) != EOF && c != '\n') {
    if (line.size() == longest_line) end(refused, "a line of more than 2000 characters");
    line.push_back(static_cast<char>(c));
  }
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return c != EOF || !line.empty();
}

void send(const std::string& text) {
  // A program that has gone is noticed when nothing more comes from it.
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void expect_end() {
  std::fclose(stdout);
  std::string line;
  while (next_line(line)) {
    if (line.find_first_not_of(" \t") != std::string::npos) end(refused, "output after the end");
  }
}

// -- conversations with a server

void converse(std::istream& input, std::istream& answers) {
  send("serve\n");
  std::string command, expected, line;
  for (int number = 1; std::getline(input, command); ++number) {
    std::string text = command + "\n";
    if (command.rfind("new ", 0) == 0) {
      std::istringstream words(command.substr(4));
      int rows = 0;
      words >> rows;
      for (; rows > 0 && std::getline(input, line); --rows) text += line + "\n";
    }
    send(text);
    int count = 0;
    if (!(answers >> count)) fail("an answer is missing");
    answers.ignore(1);
    for (; count > 0; --count) {
      if (!std::getline(answers, expected)) fail("a line of an answer is missing");
      const std::string where = "command " + std::to_string(number);
      if (!next_line(line)) end(refused, where + ": no more output");
      if (line != expected) end(refused, where + ": another answer was expected");
    }
  }
  expect_end();
  end(accepted, "all answers are right", 1);
}

// -- games

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

class field {
 public:
  int rows, columns, mines, lives, opened = 0, exploded = 0, first = 0;

  field(int rows_, int columns_, int mines_, int lives_, std::uint64_t seed)
      : rows(rows_), columns(columns_), mines(mines_), lives(lives_) {
    mined_.resize(static_cast<std::size_t>(rows * columns));
    seen_.resize(mined_.size());
    splitmix random(seed);
    first_ = static_cast<int>(random() % mined_.size());
    std::vector<int> near = around(first_);
    near.push_back(first_);
    for (int left = mines; left > 0;) {
      const int cell = static_cast<int>(random() % mined_.size());
      if (mined_[at(cell)] || std::find(near.begin(), near.end(), cell) != near.end()) continue;
      mined_[at(cell)] = true;
      --left;
    }
  }

  // The cells that the judge opens, as it tells them.
  std::string begin() {
    const std::string text = open(first_);
    first = opened;
    return text;
  }

  bool knows(int cell) const { return seen_[at(cell)]; }
  bool over() const { return exploded == lives || opened == rows * columns - mines; }

  std::string open(int cell) {
    seen_[at(cell)] = true;
    if (mined_[at(cell)]) {
      ++exploded;
      return "mine " + std::to_string(lives - exploded) + "\n";
    }
    std::vector<int> all{cell};
    for (std::size_t next = 0; next < all.size(); ++next) {
      if (number(all[next]) != 0) continue;
      for (const int near : around(all[next])) {
        if (seen_[at(near)]) continue;
        seen_[at(near)] = true;
        all.push_back(near);
      }
    }
    opened += static_cast<int>(all.size());
    std::string text = "opened " + std::to_string(all.size()) + "\n";
    for (const int each : all) {
      text += std::to_string(each / columns + 1) + " " + std::to_string(each % columns + 1) + " " +
              std::to_string(number(each)) + "\n";
    }
    return text;
  }

  double worth() const {
    const double share = static_cast<double>(opened - first) / (rows * columns - mines - first);
    return std::max(0.0, share - 0.1 * exploded);
  }

 private:
  static std::size_t at(int cell) { return static_cast<std::size_t>(cell); }

  std::vector<int> around(int cell) const {
    std::vector<int> found;
    for (int down = -1; down <= 1; ++down) {
      const int row = cell / columns + down;
      if (row < 0 || row >= rows) continue;
      for (int right = -1; right <= 1; ++right) {
        if (down != 0 || right != 0) found.push_back(row * columns + (cell + right + columns) % columns);
      }
    }
    return found;
  }

  int number(int cell) const {
    int found = 0;
    for (const int near : around(cell)) found += mined_[at(near)];
    return found;
  }

  std::vector<char> mined_, seen_;
  int first_ = 0;
};

bool is_number(const std::string& word) {
  return !word.empty() && word.size() < 6 && word[0] != '0' &&
         std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// The cell that "open ROW COL" names, or -1.
int named(const field& here, const std::string& line) {
  std::istringstream words(line);
  std::string open, row, column, more;
  words >> open >> row >> column;
  if (open != "open" || !is_number(row) || !is_number(column) || words >> more) return -1;
  const int r = std::stoi(row), c = std::stoi(column);
  return r <= here.rows && c <= here.columns ? (r - 1) * here.columns + c - 1 : -1;
}

double one_game(field& here, const std::string& first, const std::string& where) {
  send("game " + std::to_string(here.rows) + " " + std::to_string(here.columns) + " " + std::to_string(here.mines) + " " +
       std::to_string(here.lives) + "\n" + first);
  std::string line;
  while (!here.over()) {
    if (!next_line(line)) end(refused, where + "no more output, though the game goes on");
    if (line == "stop") break;
    const int cell = named(here, line);
    if (cell < 0) end(refused, where + "neither open ROW COL nor stop");
    if (here.knows(cell)) end(refused, where + "a cell that is open or exploded was opened");
    const std::string answer = here.open(cell);
    send(here.over() ? answer + "over\n" : answer);
  }
  if (!here.over()) send("over\n");
  return here.worth();
}

void play(std::istream& input, std::istream& answers) {
  int games = 0;
  double best = 0, sum = 0;
  input >> games;
  if (!(answers >> best) || best <= 0) fail("the answer is no worth");
  send("play " + std::to_string(games) + "\n");
  for (int number = 1; number <= games; ++number) {
    int rows = 0, columns = 0, mines = 0, lives = 0;
    std::uint64_t seed = 0;
    if (!(input >> rows >> columns >> mines >> lives >> seed)) fail("a field is missing");
    field here(rows, columns, mines, lives, seed);
    std::string first = here.begin();
    while (here.over()) {  // cleared by its first cell: another one
      here = field(rows, columns, mines, lives, ++seed);
      first = here.begin();
    }
    sum += one_game(here, first, "game " + std::to_string(number) + ": ");
  }
  send("end\n");
  expect_end();
  char text[64];
  std::snprintf(text, sizeof text, "mean worth %.6f", sum / games);
  end(accepted, text, sum / games / best);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) fail("arguments: input, answer, feedback directory");
  feedback = argv[3];
  if (!feedback.empty() && feedback.back() != '/') feedback += '/';
  std::ifstream input(argv[1]), answers(argv[2]);
  std::string mode;
  input >> mode;
  if (mode == "play") play(input, answers);
  std::getline(input, mode);
  converse(input, answers);
}
