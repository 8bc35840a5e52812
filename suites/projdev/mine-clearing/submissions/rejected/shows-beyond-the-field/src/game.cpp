#include "game.hpp"

#include <algorithm>
#include <utility>

Game::Game(Band band, std::vector<bool> mines, int lives) : band_(band), mines_(std::move(mines)), lives_(lives) {
  const auto size = static_cast<std::size_t>(band_.size());
  numbers_.resize(size);
  states_.resize(size, State::closed);
  counts_[static_cast<int>(State::closed)] = band_.size();
  for (int cell = 0; cell < band_.size(); ++cell) {
    if (!mines_[static_cast<std::size_t>(cell)]) continue;
    ++mine_count_;
    band_.around(cell, [&](int near) { ++numbers_[static_cast<std::size_t>(near)]; });
  }
}

Game::Status Game::status() const {
  if (lives() <= 0) return Status::lost;
  return count(State::open) == band_.size() - mine_count_ ? Status::won : Status::playing;
}

void Game::begin_move() { moves_.push_back(journal_.size()); }

void Game::set(int cell, State state) {
  State& here = states_[static_cast<std::size_t>(cell)];
  journal_.push_back({cell, here});
  --counts_[static_cast<int>(here)];
  ++counts_[static_cast<int>(state)];
  here = state;
}

Game::Opening Game::open(int cell) {
  begin_move();
  return open_here(cell);
}

Game::Opening Game::open_here(int cell) {
  if (mines_[static_cast<std::size_t>(cell)]) {
    set(cell, State::exploded);
    return {0, 1};
  }
  return {flood(cell), 0};
}

// Without recursion: a flood may be as large as the field.
int Game::flood(int cell) {
  int opened = 1;
  set(cell, State::open);
  std::vector<int> waiting{cell};
  while (!waiting.empty()) {
    const int here = waiting.back();
    waiting.pop_back();
    if (number(here) != 0) continue;
    band_.around(here, [&](int near) {
      if (state(near) != State::closed) return;
      set(near, State::open);
      ++opened;
      waiting.push_back(near);
    });
  }
  return opened;
}

Game::Opening Game::sweep(int cell) {
  Opening all;
  begin_move();
  band_.around(cell, [&](int near) {
    if (state(near) != State::closed || lives() <= 0) return;
    const Opening one = open_here(near);
    all.opened += one.opened;
    all.exploded += one.exploded;
  });
  if (journal_.size() == moves_.back()) moves_.pop_back();
  return all;
}

void Game::toggle_mark(int cell) {
  begin_move();
  set(cell, state(cell) == State::marked ? State::closed : State::marked);
}

int Game::accounted(int cell) const {
  int found = 0;
  band_.around(cell, [&](int near) { found += state(near) == State::marked || state(near) == State::exploded; });
  return found;
}

bool Game::undo() {
  if (moves_.empty()) return false;
  for (const std::size_t start = moves_.back(); journal_.size() > start; journal_.pop_back()) {
    const Change& last = journal_.back();
    State& here = states_[static_cast<std::size_t>(last.cell)];
    --counts_[static_cast<int>(here)];
    ++counts_[static_cast<int>(last.before)];
    here = last.before;
  }
  moves_.pop_back();
  return true;
}
