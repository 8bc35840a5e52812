// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
#include "commands.hpp"

#include <algorithm>
#include <charconv>
#include <istream>
#include <ostream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "contest.hpp"

namespace {

using Words = std::vector<std::string>;

std::string_view text_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::ok: return "ok";
    case Outcome::started: return "error started";
    case Outcome::taken: return "error taken";
    case Outcome::empty: return "error empty";
    case Outcome::waiting: return "error waiting";
    case Outcome::over: return "error over";
    case Outcome::no_team: return "error team";
    case Outcome::no_problem: return "error problem";
    case Outcome::no_submission: return "error submission";
    case Outcome::frozen: return "error frozen";
    case Outcome::open: return "error open";
    case Outcome::out: return "error out";
    case Outcome::in: return "error in";
  }
  return "";
}

int number_of(const std::string& word) {
  int value = 0;
  std::from_chars(word.data(), word.data() + word.size(), value);
  return value;
}

int problem_of(const std::string& word) { return word[0] - 'A'; }

char letter_of(int problem) { return static_cast<char>('A' + problem); }

Verdict verdict_of(const std::string& word) {
  for (std::size_t place = 0; place < kVerdicts.size(); ++place)
    if (kVerdicts[place] == word) return static_cast<Verdict>(place);
  return Verdict::compile;
}

std::string_view word_of(Verdict verdict) { return kVerdicts[static_cast<std::size_t>(verdict)]; }

void split(const std::string& line, Words& words) {
  words.clear();
  std::size_t begin = 0;
  while (begin < line.size()) {
    std::size_t end = line.find(' ', begin);
    if (end == std::string::npos) end = line.size();
    if (end > begin) words.emplace_back(line, begin, end - begin);
    begin = end + 1;
  }
}

class Commands {
 public:
  Commands(Contest& contest, std::ostream& out) : contest_(contest), out_(out) {}

  void answer(const Words& words) {
    const auto found = kHandlers.find(words[0]);
    if (found != kHandlers.end()) (this->*found->second)(words);
  }

 private:
  using Handler = void (Commands::*)(const Words&);
  static const std::unordered_map<std::string_view, Handler> kHandlers;

  void say(Outcome outcome) { out_ << text_of(outcome) << '\n'; }

  void team(const Words& words) { say(contest_.add_team(words[1])); }
  void start(const Words&) { say(contest_.start()); }
  void end(const Words&) { say(contest_.end()); }
  void freeze(const Words&) { say(contest_.freeze()); }
  void disqualify(const Words& words) { say(contest_.disqualify(words[1])); }
  void reinstate(const Words& words) { say(contest_.reinstate(words[1])); }

  void submit(const Words& words) {
    std::int32_t number = 0;
    const Outcome outcome =
        contest_.submit(words[1], problem_of(words[2]), verdict_of(words[3]), number_of(words[4]), number);
    if (outcome != Outcome::ok) return say(outcome);
    out_ << "submission " << number << '\n';
  }

  void rejudge(const Words& words) {
    Verdict was{};
    const Outcome outcome = contest_.rejudge(number_of(words[1]), verdict_of(words[2]), was);
    if (outcome != Outcome::ok) return say(outcome);
    out_ << "was " << word_of(was) << '\n';
  }

  void scroll(const Words&) {
    int uncovered = 0;
    const auto tell = [this](const Step& step) {
      out_ << step.team.name() << ' ' << letter_of(step.problem) << ' ' << step.rank_before << ' ' << step.rank_after
           << ' ' << step.passed.name() << '\n';
    };
    const Outcome outcome = contest_.scroll(tell, uncovered);
    if (outcome != Outcome::ok) return say(outcome);
    out_ << "scrolled " << uncovered << '\n';
  }

  void rank(const Words& words) {
    const Team* team = contest_.find(words[1]);
    if (team == nullptr) return say(Outcome::no_team);
    if (team->disqualified) {
      out_ << "out\n";
      return;
    }
    out_ << "rank " << contest_.ranking().rank(team->result()) << " of " << contest_.ranking().size() << ' '
         << team->result().solved << ' ' << team->result().penalty << '\n';
  }

  void board(const Words& words) {
    const Ranking& ranking = contest_.ranking();
    const int first = number_of(words[1]) - 1, wanted = number_of(words[2]);
    const int count = std::max(0, std::min(wanted, ranking.size() - first));
    out_ << "board " << count << '\n';
    ranking.each(first, count, [&](const Team& team) {
      out_ << ranking.rank(team.result()) << ' ' << team.name() << ' ' << team.result().solved << ' ' << team.result().penalty;
      for (const Cell& cell : team.cells()) show(cell);
      out_ << '\n';
    });
  }

  void show(const Cell& cell) {
    if (cell.solved()) {
      out_ << " +" << cell.attempts();
    } else if (cell.covered()) {
      out_ << " ?" << cell.attempts() << '/' << cell.hidden();
    } else if (cell.attempts() > 0) {
      out_ << " -" << cell.attempts();
    } else {
      out_ << " .";
    }
  }

  void first(const Words& words) {
    const int problem = problem_of(words[1]);
    if (!contest_.has_problem(problem)) return say(Outcome::no_problem);
    const std::int32_t number = contest_.first_solution(problem);
    if (number == 0) {
      out_ << "none\n";
      return;
    }
    const Submission& made = contest_.submission(number);
    out_ << "first " << contest_.team_of(made).name() << ' ' << made.time << '\n';
  }

  void tally(const Words& words) {
    const int problem = problem_of(words[1]);
    if (!contest_.has_problem(problem)) return say(Outcome::no_problem);
    const Tally tally = contest_.tally(problem);
    out_ << "tally " << tally.solved;
    for (const int count : tally.verdicts) out_ << ' ' << count;
    out_ << '\n';
  }

  void last(const Words& words) {
    const Team* team = contest_.find(words[1]);
    if (team == nullptr) return say(Outcome::no_team);
    const int problem = words[2] == "*" ? -1 : problem_of(words[2]);
    if (!contest_.has_problem(problem)) return say(Outcome::no_problem);
    const int verdict = words[3] == "*" ? -1 : static_cast<int>(verdict_of(words[3]));
    const std::int32_t number = contest_.latest(*team, problem, verdict);
    if (number == 0) {
      out_ << "none\n";
      return;
    }
    const Submission& made = contest_.submission(number);
    out_ << "last " << number << ' ' << letter_of(made.problem) << ' ' << word_of(made.verdict) << ' ' << made.time
         << '\n';
  }

  Contest& contest_;
  std::ostream& out_;
};

const std::unordered_map<std::string_view, Commands::Handler> Commands::kHandlers = {
    {"team", &Commands::team},
    {"start", &Commands::start},
    {"end", &Commands::end},
    {"submit", &Commands::submit},
    {"rejudge", &Commands::rejudge},
    {"freeze", &Commands::freeze},
    {"scroll", &Commands::scroll},
    {"rank", &Commands::rank},
    {"board", &Commands::board},
    {"first", &Commands::first},
    {"tally", &Commands::tally},
    {"last", &Commands::last},
    {"disqualify", &Commands::disqualify},
    {"reinstate", &Commands::reinstate},
};

}  // namespace

void answer_all(std::istream& in, std::ostream& out) {
  std::string line;
  Words words;
  if (!std::getline(in, line)) return;
  split(line, words);
  Contest contest(number_of(words[1]), number_of(words[2]));
  Commands commands(contest, out);
  while (std::getline(in, line)) {
    split(line, words);
    if (!words.empty()) commands.answer(words);
    if (line == "end") break;
  }
}
