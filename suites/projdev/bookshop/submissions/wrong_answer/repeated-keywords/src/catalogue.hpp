// rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae
// The books of the shop, and where to find them by title, author and keyword.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "words.hpp"

struct Book {
  std::string code, title, author, keys;
  Cents price = 0;
  std::int64_t stock = 0;
};

// What a book gets; fields that are not given stay as they are.
struct Change {
  std::optional<std::string> code, title, author, keys;
  std::optional<Cents> price;
};

struct ByCode {
  bool operator()(const Book* one, const Book* other) const { return one->code < other->code; }
};

using Shelf = std::set<const Book*, ByCode>;

class Catalogue {
 public:
  explicit Catalogue(std::string path);

  // Books stay at their addresses. nullptr: there is no such book.
  Book* find(const std::string& code);
  Book* find_or_make(const std::string& code);
  void change(Book& book, const Change& change);
  void set_stock(Book& book, std::int64_t stock);

  const std::map<std::string, std::unique_ptr<Book>>& all() const { return books_; }
  // nullptr: none has it.
  const Shelf* with_title(const std::string& title) const { return shelf(titles_, title); }
  const Shelf* with_author(const std::string& author) const { return shelf(authors_, author); }
  const Shelf* with_key(const std::string& key) const { return shelf(keys_, key); }

  void save();

 private:
  using Index = std::unordered_map<std::string, Shelf>;
  static const Shelf* shelf(const Index& index, const std::string& value);
  static void put(Index& index, const std::string& value, const Book& book);
  static void take(Index& index, const std::string& value, const Book& book);
  void put_all(const Book& book);
  void take_all(const Book& book);

  std::string path_;
  std::map<std::string, std::unique_ptr<Book>> books_;
  Index titles_, authors_, keys_;
  bool changed_ = false;
};
