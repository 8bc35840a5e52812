// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
// The scroll: covered cells are uncovered one by one, always of the team that is listed last among those that have one.
#include <iterator>
#include <set>

#include "contest.hpp"

namespace {

// A team with a covered cell. The result is copied here so that comparing need not look into the teams.
struct Waiting {
  Result result;
  Team* team;

  bool operator<(const Waiting& other) const { return listed_before(*team, result, *other.team, other.result); }
};

}  // namespace

void Contest::uncover(Team& team, int problem) {
  team.uncover(problem, submissions_);
  recount(team, problem);
}

void Contest::tell_if_passed(const Team& team, int problem, const Result& before,
                             const std::function<void(const Step&)>& tell) const {
  // An uncovered cell can only improve a team, so it is now itself among those before its old place.
  const int place = ranking_.place(team, before) - 1;
  const int now = ranking_.place(team, team.result());
  if (now == place) return;
  tell({team, problem, ranking_.rank(before) - 1, ranking_.rank(team.result()), ranking_.at(now + 1)});
}

Outcome Contest::scroll(const std::function<void(const Step&)>& tell, int& uncovered) {
  if (!frozen_) return Outcome::open;
  uncovered = 0;
  // A set of its own, so that a scroll costs what is hidden and not what is listed.
  std::set<Waiting> waiting;
  for (const std::int32_t number : hidden_) {
    Team& team = teams_[submissions_[number - 1].team];
    if (!team.disqualified && team.first_covered() >= 0) waiting.insert({team.result(), &team});
  }
  while (!waiting.empty()) {
    const auto lowest = std::prev(waiting.end());
    const Result before = lowest->result;
    Team& team = *lowest->team;
    waiting.erase(lowest);
    for (int problem = team.first_covered(); problem >= 0; problem = team.first_covered()) {
      uncover(team, problem);
      ++uncovered;
      if (team.result() == before) continue;  // it is still the lowest
      tell_if_passed(team, problem, before, tell);
      if (team.first_covered() >= 0) waiting.insert({team.result(), &team});
      break;
    }
  }
  for (const std::int32_t number : hidden_) {
    const Submission& made = submissions_[number - 1];
    if (made.hidden && !teams_[made.team].disqualified) uncover(teams_[made.team], made.problem);
  }
  hidden_.clear();
  frozen_ = false;
  return Outcome::ok;
}
