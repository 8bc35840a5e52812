// rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae
#include "commands.hpp"

#include <optional>
#include <ostream>

#include "words.hpp"

const std::unordered_map<std::string, Commands::Command> Commands::kCommands = {
    {"login", {0, 2, 3, &Commands::login}},
    {"logout", {kCustomer, 1, 1, &Commands::logout}},
    {"register", {0, 4, 4, &Commands::register_customer}},
    {"hire", {kClerk, 5, 5, &Commands::hire}},
    {"password", {kCustomer, 3, 4, &Commands::password}},
    {"dismiss", {kOwner, 2, 2, &Commands::dismiss}},
    {"choose", {kClerk, 2, 2, &Commands::choose}},
    {"change", {kClerk, 2, 6, &Commands::change}},
    {"import", {kClerk, 3, 3, &Commands::import}},
    {"buy", {kCustomer, 3, 3, &Commands::buy}},
    {"find", {kCustomer, 1, 2, &Commands::find}},
    {"ledger", {kOwner, 1, 2, &Commands::ledger}},
    {"accounts", {kOwner, 1, 1, &Commands::list_accounts}},
};

Commands::Commands(Accounts& accounts, Catalogue& catalogue, Ledger& ledger, std::ostream& out)
    : accounts_(accounts), catalogue_(catalogue), ledger_(ledger), session_(accounts), out_(out) {}

bool Commands::answer(const std::string& line) {
  const Words words = split_line(line);
  if (words.empty()) return true;
  if (words.size() == 1 && words[0] == "quit") return false;
  const auto found = kCommands.find(words[0]);
  const bool done = found != kCommands.end() && session_.rank() >= found->second.rank &&
                    words.size() >= found->second.least && words.size() <= found->second.most &&
                    (this->*found->second.handler)(words);
  if (!done) out_ << "refused\n";
  return true;
}

bool Commands::ok() {
  out_ << "ok\n";
  return true;
}

bool Commands::login(const Words& words) {
  if (!session_.may_login(words[1], words.size() == 3 ? &words[2] : nullptr)) return false;
  session_.login(words[1]);
  return ok();
}

bool Commands::logout(const Words&) {
  session_.logout();
  return ok();
}

bool Commands::add_account(const std::string& id, const std::string& password, int rank, const std::string& name) {
  if (!is_identifier(id) || !is_identifier(password) || !is_name(name)) return false;
  return accounts_.add(id, {password, rank, name}) && ok();
}

bool Commands::register_customer(const Words& words) { return add_account(words[1], words[2], kCustomer, words[3]); }

bool Commands::hire(const Words& words) {
  if (words[3] != "1" && words[3] != "2") return false;
  const int rank = words[3][0] - '0';
  return rank < session_.rank() && add_account(words[1], words[2], rank, words[4]);
}

bool Commands::password(const Words& words) {
  const Account* account = accounts_.find(words[1]);
  if (account == nullptr || !is_identifier(words.back())) return false;
  if (words.size() == 4 ? words[2] != account->password : session_.rank() < kOwner) return false;
  accounts_.set_password(words[1], words.back());
  return ok();
}

bool Commands::dismiss(const Words& words) {
  if (accounts_.find(words[1]) == nullptr || session_.contains(words[1])) return false;
  accounts_.remove(words[1]);
  return ok();
}

bool Commands::choose(const Words& words) {
  if (!is_code(words[1])) return false;
  session_.choose(catalogue_.find_or_make(words[1]));
  return ok();
}

bool Commands::understand(const std::string& word, Change& change) {
  const std::size_t sign = word.find('=');
  if (sign == std::string::npos) return false;
  const std::string field = word.substr(0, sign), value = word.substr(sign + 1);
  if (field == "price") {
    if (change.price) return false;
    change.price = parse_money(value);
    return change.price.has_value();
  }
  std::optional<std::string>* place = nullptr;
  bool valid = false;
  if (field == "code") {
    place = &change.code;
    valid = is_code(value) && catalogue_.find(value) == nullptr;
  } else if (field == "title") {
    place = &change.title;
    valid = is_text(value);
  } else if (field == "author") {
    place = &change.author;
    valid = is_text(value);
  } else if (field == "keys") {
    place = &change.keys;
    valid = is_keys(value);
  }
  if (!valid || place->has_value()) return false;
  *place = value;
  return true;
}

bool Commands::change(const Words& words) {
  if (session_.chosen() == nullptr) return false;
  Change change;
  for (std::size_t at = 1; at < words.size(); ++at)
    if (!understand(words[at], change)) return false;
  catalogue_.change(*session_.chosen(), change);
  return ok();
}

bool Commands::import(const Words& words) {
  Book* book = session_.chosen();
  const auto count = parse_count(words[1]);
  const auto cost = parse_money(words[2]);
  if (book == nullptr || !count || !cost || *cost == 0) return false;
  catalogue_.set_stock(*book, book->stock + *count);
  ledger_.add(0, *cost);
  return ok();
}

bool Commands::buy(const Words& words) {
  Book* book = catalogue_.find(words[1]);
  const auto count = parse_count(words[2]);
  if (book == nullptr || !count || *count > book->stock) return false;
  const Cents price = book->price * *count;
  catalogue_.set_stock(*book, book->stock - *count);
  ledger_.add(price, 0);
  out_ << money_text(price) << '\n';
  return true;
}

void Commands::show(const Book& book) {
  out_ << book.code << '\t' << book.title << '\t' << book.author << '\t' << book.keys << '\t' << money_text(book.price)
       << '\t' << book.stock << '\n';
}

bool Commands::find(const Words& words) {
  if (words.size() == 1) {
    for (const auto& [code, book] : catalogue_.all()) show(*book);
    if (catalogue_.all().empty()) out_ << "none\n";
    return true;
  }
  const std::size_t sign = words[1].find('=');
  if (sign == std::string::npos) return false;
  const std::string field = words[1].substr(0, sign), value = words[1].substr(sign + 1);
  const Shelf* shelf = nullptr;
  Shelf single;
  if (field == "code" && is_code(value)) {
    if (const Book* book = catalogue_.find(value); book != nullptr) single.insert(book);
    shelf = &single;
  } else if (field == "title" && is_text(value)) {
    shelf = catalogue_.with_title(value);
  } else if (field == "author" && is_text(value)) {
    shelf = catalogue_.with_author(value);
  } else if (field == "key" && is_key(value)) {
    shelf = catalogue_.with_key(value);
  } else {
    return false;
  }
  if (shelf == nullptr || shelf->empty()) {
    out_ << "none\n";
    return true;
  }
  for (const Book* book : *shelf) show(*book);
  return true;
}

bool Commands::ledger(const Words& words) {
  std::int64_t count = ledger_.size();
  if (words.size() == 2) {
    const auto wanted = parse_count(words[1]);
    if (!wanted || *wanted > count) return false;
    count = *wanted;
  }
  const Sums sums = ledger_.last(count);
  out_ << "in " << money_text(sums.in) << " out " << money_text(sums.out) << '\n';
  return true;
}

bool Commands::list_accounts(const Words&) {
  for (const auto& [id, account] : accounts_.all()) out_ << id << ' ' << account.rank << ' ' << account.name << '\n';
  return true;
}
