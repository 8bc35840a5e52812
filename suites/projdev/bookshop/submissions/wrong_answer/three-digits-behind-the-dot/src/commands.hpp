// rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae
// The commands: their form, who may use them, and their answers.
#pragma once

#include <iosfwd>
#include <string>
#include <unordered_map>
#include <vector>

#include "accounts.hpp"
#include "catalogue.hpp"
#include "ledger.hpp"
#include "session.hpp"

class Commands {
 public:
  Commands(Accounts& accounts, Catalogue& catalogue, Ledger& ledger, std::ostream& out);

  // Answers a line; false: it was `quit`.
  bool answer(const std::string& line);

 private:
  using Words = std::vector<std::string>;
  // Does a command and answers it; false: it is refused, and nothing has changed.
  using Handler = bool (Commands::*)(const Words&);

  struct Command {
    int rank;           // the lowest that may use it
    std::size_t least;  // words, with the command itself
    std::size_t most;
    Handler handler;
  };

  bool login(const Words& words);
  bool logout(const Words& words);
  bool register_customer(const Words& words);
  bool hire(const Words& words);
  bool password(const Words& words);
  bool dismiss(const Words& words);
  bool choose(const Words& words);
  bool change(const Words& words);
  bool import(const Words& words);
  bool buy(const Words& words);
  bool find(const Words& words);
  bool ledger(const Words& words);
  bool list_accounts(const Words& words);

  bool ok();
  bool add_account(const std::string& id, const std::string& password, int rank, const std::string& name);
  // Understands one FIELD of `change`; false: it is not valid, or was given before.
  bool understand(const std::string& word, Change& change);
  void show(const Book& book);

  static const std::unordered_map<std::string, Command> kCommands;

  Accounts& accounts_;
  Catalogue& catalogue_;
  Ledger& ledger_;
  Session session_;
  std::ostream& out_;
};
