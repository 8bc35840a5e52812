// rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae
#include <exception>
#include <iostream>
#include <string>

#include "commands.hpp"

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  try {
    Accounts accounts("accounts.tsv");
    Catalogue catalogue("books.tsv");
    Ledger ledger("deals.bin");
    Commands commands(accounts, catalogue, ledger, std::cout);
    std::string line;
    while (std::getline(std::cin, line) && commands.answer(line)) {
    }
    accounts.save();
    catalogue.save();
    ledger.save();
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
