// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
// The rules of the contest. Commands reach it with words already understood; it answers with values, not with text.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "ranking.hpp"
#include "team.hpp"

enum class State : std::uint8_t { waiting, running, over };

enum class Outcome : std::uint8_t {
  ok,
  started,
  taken,
  empty,
  waiting,
  over,
  no_team,
  no_problem,
  no_submission,
  frozen,
  open,
  out,
  in,
};

// A team that passed others in a scroll.
struct Step {
  const Team& team;
  int problem;
  int rank_before;
  int rank_after;
  const Team& passed;
};

struct Tally {
  int solved = 0;
  std::array<int, kVerdicts.size()> verdicts{};
};

class Contest {
 public:
  Contest(int problems, std::int64_t penalty);

  Outcome add_team(std::string name);
  Outcome start();
  Outcome end();
  Outcome freeze();
  // Calls `tell` for each step; `uncovered` becomes the number of cells.
  Outcome scroll(const std::function<void(const Step&)>& tell, int& uncovered);

  // `number` becomes that of the new submission.
  Outcome submit(const std::string& name, int problem, Verdict verdict, std::int32_t time, std::int32_t& number);
  // `was` becomes the verdict before.
  Outcome rejudge(std::int32_t number, Verdict verdict, Verdict& was);
  Outcome disqualify(const std::string& name);
  Outcome reinstate(const std::string& name);

  // nullptr: there is no such team.
  const Team* find(const std::string& name) const;
  bool has_problem(int problem) const { return problem < problems_; }
  const Ranking& ranking() const { return ranking_; }
  const Submission& submission(std::int32_t number) const { return submissions_[number - 1]; }
  // The number of the first solution of a ranked team; 0: there is none.
  std::int32_t first_solution(int problem) const;
  Tally tally(int problem) const;
  std::int32_t latest(const Team& team, int problem, int verdict) const;
  const Team& team_of(const Submission& made) const { return teams_[made.team]; }

 private:
  Team* named(const std::string& name);
  // Outcome of a command that needs a running contest.
  Outcome running() const;
  // Counts a cell again and puts everything in its place that depends on it.
  void recount(Team& team, int problem);
  void uncover(Team& team, int problem);
  // Tells of a team whose result was `before`, if it is now listed above others.
  void tell_if_passed(const Team& team, int problem, const Result& before,
                      const std::function<void(const Step&)>& tell) const;
  // Adds or removes all solutions of a team in `solutions_`.
  void list_solutions(const Team& team, bool present);

  int problems_;
  std::int64_t penalty_;
  State state_ = State::waiting;
  bool frozen_ = false;
  std::deque<Team> teams_;  // does not move its elements
  std::unordered_map<std::string, std::int32_t> by_name_;
  Ranking ranking_;
  Submissions submissions_;
  std::vector<std::set<std::int32_t>> solutions_;  // by problem: numbers, of ranked teams
  std::vector<std::array<int, kVerdicts.size()>> verdicts_;
  std::vector<std::vector<Result>> boards_;
  std::vector<std::int32_t> hidden_;  // submissions since the last freeze
};
