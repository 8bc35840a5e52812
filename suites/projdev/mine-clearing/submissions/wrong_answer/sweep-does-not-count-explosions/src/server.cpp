#include "server.hpp"

#include <cstdint>
#include <istream>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "game.hpp"

namespace {

using Words = std::vector<std::string>;

Words split(const std::string& line) {
  Words words;
  std::size_t from = 0;
  while (true) {
    const std::size_t space = line.find(' ', from);
    words.push_back(line.substr(from, space - from));
    if (space == std::string::npos) return words;
    from = space + 1;
  }
}

// A number of the input: up to nine digits, at least 1, no leading zero.
std::optional<int> number(const std::string& word) {
  if (word.empty() || word.size() > 9 || word.front() == '0') return std::nullopt;
  int value = 0;
  for (const char c : word) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

class Server {
 public:
  Server(std::istream& in, std::ostream& out) : in_(in), out_(out) {}

  void run() {
    std::string line;
    while (std::getline(in_, line)) {
      answer(split(line));
      out_.flush();
    }
  }

 private:
  using Numbers = std::vector<int>;

  void answer(const Words& words) {
    if (words[0] == "new") return begin(words, false);
    if (words[0] == "make") return begin(words, true);
    static const std::map<std::string, std::size_t> arguments = {{"open", 2},  {"mark", 2}, {"sweep", 2},
                                                                 {"undo", 0},  {"show", 4}, {"state", 0}};
    const auto known = arguments.find(words[0]);
    Numbers numbers;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::optional<int> value = number(words[i]);
      if (!value) break;
      numbers.push_back(*value);
    }
    if (known == arguments.end() || words.size() != known->second + 1 || numbers.size() != known->second) {
      out_ << "error command\n";
    } else if (!game_) {
      out_ << "error game\n";
    } else {
      carry_out(words[0], numbers);
    }
  }

  void carry_out(const std::string& word, const Numbers& numbers) {
    if (word == "undo") {
      out_ << (game_->undo() ? "undone\n" : "nothing\n");
    } else if (word == "state") {
      state();
    } else if (word == "show") {
      show(numbers);
    } else if (game_->status() != Game::Status::playing) {
      out_ << "error over\n";
    } else if (!in_field(numbers[0], numbers[1])) {
      out_ << "error cell\n";
    } else {
      move(word, game_->band().cell(numbers[0] - 1, numbers[1] - 1));
    }
  }

  bool in_field(int row, int column) const { return row <= game_->band().rows && column <= game_->band().columns; }

  void begin(const Words& words, bool made) {
    Band band;
    band.rows = std::stoi(words[1]);
    band.columns = std::stoi(words[2]);
    std::vector<bool> mines(static_cast<std::size_t>(band.size()));
    const int lives = std::stoi(words[made ? 4 : 3]);
    if (made) {
      scatter(mines, std::stoi(words[3]), static_cast<std::uint32_t>(std::stoul(words[5])));
    } else {
      read_field(mines, band);
    }
    game_ = std::make_unique<Game>(band, std::move(mines), lives);
    out_ << "field " << band.rows << ' ' << band.columns << ' ' << game_->mines() << '\n';
  }

  static void scatter(std::vector<bool>& mines, int count, std::uint32_t x) {
    while (count > 0) {
      x = 1664525u * x + 1013904223u;
      const auto cell = static_cast<std::size_t>((static_cast<std::uint64_t>(x) * mines.size()) >> 32);
      if (mines[cell]) continue;
      mines[cell] = true;
      --count;
    }
  }

  void read_field(std::vector<bool>& mines, const Band& band) {
    std::string line;
    for (int row = 0; row < band.rows; ++row) {
      std::getline(in_, line);
      for (int column = 0; column < band.columns; ++column) {
        mines[static_cast<std::size_t>(band.cell(row, column))] = line[static_cast<std::size_t>(column)] == '*';
      }
    }
  }

  void move(const std::string& word, int cell) {
    const Game::State state = game_->state(cell);
    if (word == "open") {
      open(cell, state);
    } else if (word == "sweep") {
      sweep(cell, state);
    } else if (state == Game::State::closed || state == Game::State::marked) {
      game_->toggle_mark(cell);
      out_ << (state == Game::State::closed ? "marked\n" : "unmarked\n");
    } else {
      out_ << "known\n";
    }
  }

  void open(int cell, Game::State state) {
    if (state == Game::State::marked) {
      out_ << "marked\n";
    } else if (state != Game::State::closed) {
      out_ << "known\n";
    } else {
      const Game::Opening opening = game_->open(cell);
      if (opening.exploded > 0) {
        out_ << "mine " << game_->lives() << '\n';
      } else {
        out_ << "opened " << opening.opened << '\n';
      }
      tell_end();
    }
  }

  void sweep(int cell, Game::State state) {
    if (state != Game::State::open) {
      out_ << "closed\n";
      return;
    }
    const int accounted = game_->accounted(cell);
    if (accounted != game_->number(cell)) {
      out_ << "no " << accounted << '\n';
      return;
    }
    const Game::Opening opening = game_->sweep(cell);
    out_ << "swept " << opening.opened << ' ' << opening.exploded << '\n';
    tell_end();
  }

  void tell_end() {
    if (game_->status() == Game::Status::won) out_ << "won\n";
    if (game_->status() == Game::Status::lost) out_ << "lost\n";
  }

  void state() {
    static const char* const names[] = {"playing", "won", "lost"};
    out_ << names[static_cast<int>(game_->status())] << ' ' << game_->count(Game::State::open) << ' '
         << game_->count(Game::State::marked) << ' ' << game_->count(Game::State::exploded) << ' ' << game_->lives() << '\n';
  }

  void show(const Numbers& n) {
    if (!in_field(n[0], n[1]) || !in_field(n[2], n[3]) || n[2] < n[0]) {
      out_ << "error cell\n";
      return;
    }
    const Band& band = game_->band();
    const int width = n[3] >= n[1] ? n[3] - n[1] + 1 : band.columns - n[1] + 1 + n[3];
    for (int row = n[0] - 1; row < n[2]; ++row) {
      for (int i = 0; i < width; ++i) out_ << shown(band.cell(row, (n[1] - 1 + i) % band.columns));
      out_ << '\n';
    }
  }

  char shown(int cell) const {
    switch (game_->state(cell)) {
      case Game::State::closed:
        return '#';
      case Game::State::marked:
        return '?';
      case Game::State::exploded:
        return '*';
      case Game::State::open:
        break;
    }
    return game_->number(cell) == 0 ? '-' : static_cast<char>('0' + game_->number(cell));
  }

  std::istream& in_;
  std::ostream& out_;
  std::unique_ptr<Game> game_;
};

}  // namespace

void serve(std::istream& in, std::ostream& out) { Server(in, out).run(); }
