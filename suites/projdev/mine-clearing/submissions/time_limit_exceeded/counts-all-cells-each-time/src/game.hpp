// The rules of one game, and a journal of its changes with which moves are taken back.
#pragma once

#include <cstdint>
#include <vector>

#include "band.hpp"

class Game {
 public:
  enum class State : std::uint8_t { closed, marked, open, exploded };
  enum class Status : std::uint8_t { playing, won, lost };

  struct Opening {
    int opened = 0, exploded = 0;
  };

  Game(Band band, std::vector<bool> mines, int lives);

  const Band& band() const { return band_; }
  Status status() const;
  State state(int cell) const { return states_[static_cast<std::size_t>(cell)]; }
  int number(int cell) const { return numbers_[static_cast<std::size_t>(cell)]; }
  int mines() const { return mine_count_; }
  int lives() const { return lives_ - count(State::exploded); }
  int count(State state) const {
    int found = 0;
    for (int row = 0; row < band_.rows; ++row) {
      for (int column = 0; column < band_.columns; ++column) {
        if (states_.at(static_cast<std::size_t>(band_.cell(row, column))) == state) ++found;
      }
    }
    return found;
  }

  // Opens a closed cell, with the flood that follows.
  Opening open(int cell);
  // Opens the closed neighbours of an open cell, in the order of Band::around, while a life is left.
  Opening sweep(int cell);
  void toggle_mark(int cell);
  // The number of neighbours that are marked or exploded.
  int accounted(int cell) const;
  // Takes back the last move that changed something; false if there is none.
  bool undo();

 private:
  struct Change {
    int cell;
    State before;
  };

  void begin_move();
  void set(int cell, State state);
  Opening open_here(int cell);
  int flood(int cell);

  Band band_;
  std::vector<bool> mines_;
  std::vector<std::uint8_t> numbers_;
  std::vector<State> states_;
  int mine_count_ = 0, lives_;
  int counts_[4] = {0, 0, 0, 0};
  // Where each move begins in the journal: a move costs as much memory as it changed cells, however large the field is.
  std::vector<std::size_t> moves_;
  std::vector<Change> journal_;
};
