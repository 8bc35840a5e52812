// rigorbench-canary a434b772-c12c-41be-acce-e6e88575a926
// The session: lines of the input are stored, or done at once.
#include <iostream>

#include "parser.hpp"
#include "program.hpp"

namespace {

class Session {
 public:
  explicit Session(std::istream& input) : input_(input) {}
  void run() {
    for (std::string line; !over_ && std::getline(input_, line);) {
      try {
        take(line);
      } catch (const BasicError& error) {
        complain(error.message);
      }
    }
    screen_.flush();
  }

 private:
  void take(const std::string& line) {
    std::vector<Token> tokens = tokenize(line);
    if (tokens[0].kind == Token::Kind::end) return;
    if (tokens[0].kind == Token::Kind::number) {
      edit(line, tokens);
    } else if (tokens.size() == 2 && tokens[0].kind == Token::Kind::word && command(tokens[0].value)) {
      return;
    } else {
      immediate(tokens);
    }
  }

  void edit(const std::string& line, const std::vector<Token>& tokens) {
    int number = to_line_number(tokens[0].value);
    if (number == 0) throw kSyntaxError;
    if (tokens[1].kind == Token::Kind::end) {
      program_.remove(number);
      return;
    }
    std::size_t first = tokens[1].place, last = line.find_last_not_of(' ');
    program_.store(number, line.substr(first, last + 1 - first), names_);
  }

  bool command(const std::string& word) {
    if (word == "RUN") {
      execute();
    } else if (word == "LIST") {
      program_.list(screen_);
    } else if (word == "RENUMBER") {
      program_.renumber(names_);
    } else if (word == "NEW") {
      program_.clear();
      names_.clear();
    } else if (word == "CLEAR") {
      names_.clear();
    } else if (word == "BYE") {
      over_ = true;
    } else {
      return false;
    }
    return true;
  }

  void immediate(const std::vector<Token>& tokens) {
    StatementPtr statement = Parser(tokens, 0, names_).line();
    if (!statement->is_immediate()) throw kSyntaxError;
    State state(screen_, input_, program_);
    statement->execute(state);
  }

  void execute() {
    names_.clear();
    program_.arrange();
    State state(screen_, input_, program_);
    const Line* line = nullptr;
    try {
      while (!state.ended && state.next < program_.size()) {
        line = &program_.at(state.next++);
        line->statement->execute(state);
      }
      screen_.fresh_line();
    } catch (const BasicError& error) {
      complain(std::string(error.message) + " IN LINE " + std::to_string(line->number));
    }
  }

  void complain(const std::string& message) {
    screen_.fresh_line();
    screen_.print(message + "\n");
  }

  std::istream& input_;
  Screen screen_;
  Names names_;
  Program program_;
  bool over_ = false;
};

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  Session(std::cin).run();
}
