// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
#include "contest.hpp"

Contest::Contest(int problems, std::int64_t penalty)
    : problems_(problems), penalty_(penalty), solutions_(problems), verdicts_(problems) {}

Outcome Contest::running() const {
  if (state_ == State::waiting) return Outcome::waiting;
  return state_ == State::over ? Outcome::over : Outcome::ok;
}

Outcome Contest::add_team(std::string name) {
  if (state_ != State::waiting) return Outcome::started;
  const auto [entry, added] = by_name_.emplace(name, static_cast<std::int32_t>(teams_.size()));
  if (!added) return Outcome::taken;
  teams_.emplace_back(std::move(name), problems_);
  ranking_.insert(teams_.back());
  return Outcome::ok;
}

Outcome Contest::start() {
  if (state_ != State::waiting) return Outcome::started;
  if (teams_.empty()) return Outcome::empty;
  state_ = State::running;
  return Outcome::ok;
}

Outcome Contest::end() {
  const Outcome outcome = running();
  if (outcome == Outcome::ok) state_ = State::over;
  return outcome;
}

Outcome Contest::freeze() {
  const Outcome outcome = running();
  if (outcome != Outcome::ok) return outcome;
  if (frozen_) return Outcome::frozen;
  frozen_ = true;
  return Outcome::ok;
}

Outcome Contest::submit(const std::string& name, int problem, Verdict verdict, std::int32_t time,
                        std::int32_t& number) {
  const Outcome outcome = running();
  if (outcome != Outcome::ok) return outcome;
  Team* team = named(name);
  if (team == nullptr) return Outcome::no_team;
  if (!has_problem(problem)) return Outcome::no_problem;
  number = static_cast<std::int32_t>(submissions_.size()) + 1;
  submissions_.push_back({number, by_name_.at(name), problem, time, verdict, frozen_, team->cell(problem).solved()});
  if (frozen_) hidden_.push_back(number);
  ++verdicts_[problem][static_cast<std::size_t>(verdict)];
  team->add(submissions_.back());
  recount(*team, problem);
  return Outcome::ok;
}

Outcome Contest::rejudge(std::int32_t number, Verdict verdict, Verdict& was) {
  if (number < 1 || number > static_cast<std::int32_t>(submissions_.size())) return Outcome::no_submission;
  Submission& made = submissions_[number - 1];
  was = made.verdict;
  made.verdict = verdict;
  auto& counts = verdicts_[made.problem];
  --counts[static_cast<std::size_t>(was)];
  ++counts[static_cast<std::size_t>(verdict)];
  Team& team = teams_[made.team];
  team.change_verdict(made, was);
  recount(team, made.problem);
  return Outcome::ok;
}

void Contest::recount(Team& team, int problem) {
  const Cell& cell = team.cell(problem);
  const std::int32_t before = cell.solution();
  const bool ranked = !team.disqualified;
  const Result result = team.count(problem, submissions_, penalty_);
  if (result != team.result()) {
    if (ranked) ranking_.erase(team);
    team.set_result(result);
    if (ranked) ranking_.insert(team);
  }
  if (!ranked || before == cell.solution()) return;
  if (before != 0) solutions_[problem].erase(before);
  if (cell.solved()) solutions_[problem].insert(cell.solution());
}

void Contest::list_solutions(const Team& team, bool present) {
  for (int problem = 0; problem < problems_; ++problem) {
    const std::int32_t number = team.cell(problem).solution();
    if (number == 0) continue;
    if (present) {
      solutions_[problem].insert(number);
    } else {
      solutions_[problem].erase(number);
    }
  }
}

Outcome Contest::disqualify(const std::string& name) {
  Team* team = named(name);
  if (team == nullptr) return Outcome::no_team;
  if (team->disqualified) return Outcome::out;
  team->disqualified = true;
  ranking_.erase(*team);
  list_solutions(*team, false);
  return Outcome::ok;
}

Outcome Contest::reinstate(const std::string& name) {
  Team* team = named(name);
  if (team == nullptr) return Outcome::no_team;
  if (!team->disqualified) return Outcome::in;
  team->disqualified = false;
  ranking_.insert(*team);
  list_solutions(*team, true);
  return Outcome::ok;
}

Team* Contest::named(const std::string& name) {
  const auto entry = by_name_.find(name);
  return entry == by_name_.end() ? nullptr : &teams_[entry->second];
}

const Team* Contest::find(const std::string& name) const {
  const auto entry = by_name_.find(name);
  return entry == by_name_.end() ? nullptr : &teams_[entry->second];
}

std::int32_t Contest::first_solution(int problem) const {
  const auto& numbers = solutions_[problem];
  return numbers.empty() ? 0 : *numbers.begin();
}

Tally Contest::tally(int problem) const {
  return {static_cast<int>(solutions_[problem].size()), verdicts_[problem]};
}

std::int32_t Contest::latest(const Team& team, int problem, int verdict) const {
  return team.latest(problem, verdict, submissions_);
}
