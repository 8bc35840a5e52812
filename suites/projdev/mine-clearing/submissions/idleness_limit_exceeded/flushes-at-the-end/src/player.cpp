#include "player.hpp"

#include <istream>
#include <ostream>
#include <string>
#include <vector>

#include "solver.hpp"

namespace {

class Player {
 public:
  Player(std::istream& in, std::ostream& out) : in_(in), out_(out) {}

  void run() {
    std::string word;
    int games = 0;
    in_ >> games;
    while (in_ >> word && word == "game") {
      int lives = 0;
      in_ >> band_.rows >> band_.columns >> mines_ >> lives;
      seen_.assign(static_cast<std::size_t>(band_.size()), kClosed);
      hidden_ = band_.size() - mines_;
      read_answer(-1);
      one_game();
    }
  }

 private:
  void one_game() {
    over_ = false;
    const Solver solver(band_, mines_);
    while (!over_) {
      const std::vector<double> mined = solver.probabilities(seen_);
      std::vector<int> safe;
      int best = -1;
      for (int cell = 0; cell < band_.size(); ++cell) {
        const double here = mined[static_cast<std::size_t>(cell)];
        if (here < 0) continue;
        if (here == 0) safe.push_back(cell);
        if (best < 0 || here < mined[static_cast<std::size_t>(best)]) best = cell;
      }
      for (const int cell : safe) {
        // A flood of one before may have opened it.
        if (!over_ && seen_[static_cast<std::size_t>(cell)] == kClosed) open(cell);
      }
      if (over_ || !safe.empty()) continue;
      if (best < 0 || !worth_it(mined[static_cast<std::size_t>(best)])) {
        out_ << "stop" << std::endl;
        std::string over;
        in_ >> over;
        return;
      }
      open(best);
    }
  }

  // An explosion costs a tenth; what is to be gained is at most what is still hidden, and usually about half of it.
  bool worth_it(double risk) const {
    const double all = band_.size() - mines_;
    return risk * 0.1 < (1 - risk) * 0.5 * hidden_ / all;
  }

  void open(int cell) {
    out_ << "open " << band_.row(cell) + 1 << ' ' << band_.column(cell) + 1 << std::endl;
    read_answer(cell);
  }

  // The answer to the opening of a cell, and whether the game is over with it.
  void read_answer(int cell) {
    std::string word;
    int count = 0;
    in_ >> word >> count;
    bool ended = false;
    if (word == "mine") {
      seen_[static_cast<std::size_t>(cell)] = kExploded;
      ended = count == 0;
    } else {
      for (int i = 0; i < count; ++i) {
        int row = 0, column = 0, number = 0;
        in_ >> row >> column >> number;
        seen_[static_cast<std::size_t>(band_.cell(row - 1, column - 1))] = number;
      }
      hidden_ -= count;
      ended = hidden_ == 0;
    }
    if (ended && cell >= 0) {
      in_ >> word;
      over_ = true;
    }
  }

  std::istream& in_;
  std::ostream& out_;
  Band band_;
  int mines_ = 0, hidden_ = 0;
  bool over_ = false;
  std::vector<int> seen_;
};

}  // namespace

void play(std::istream& in, std::ostream& out) { Player(in, out).run(); }
