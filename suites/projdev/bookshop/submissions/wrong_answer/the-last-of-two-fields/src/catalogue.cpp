// rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae
#include "catalogue.hpp"

#include <utility>

#include "tables.hpp"

Catalogue::Catalogue(std::string path) : path_(std::move(path)) {
  read_table(path_, [this](const Fields& fields) {
    auto book = std::make_unique<Book>(Book{fields.at(0), fields.at(1), fields.at(2), fields.at(3),
                                            std::stoll(fields.at(4)), std::stoll(fields.at(5))});
    put_all(*book);
    const std::string code = book->code;
    books_[code] = std::move(book);
  });
}

Book* Catalogue::find(const std::string& code) {
  const auto found = books_.find(code);
  return found == books_.end() ? nullptr : found->second.get();
}

Book* Catalogue::find_or_make(const std::string& code) {
  auto& place = books_[code];
  if (place == nullptr) {
    place = std::make_unique<Book>();
    place->code = code;
    changed_ = true;
  }
  return place.get();
}

void Catalogue::change(Book& book, const Change& change) {
  // Shelves are ordered by code, so the book leaves them before it changes.
  take_all(book);
  if (change.code) {
    auto node = books_.extract(book.code);
    node.key() = *change.code;
    books_.insert(std::move(node));
    book.code = *change.code;
  }
  if (change.title) book.title = *change.title;
  if (change.author) book.author = *change.author;
  if (change.keys) book.keys = *change.keys;
  if (change.price) book.price = *change.price;
  put_all(book);
  changed_ = true;
}

void Catalogue::set_stock(Book& book, std::int64_t stock) {
  book.stock = stock;
  changed_ = true;
}

const Shelf* Catalogue::shelf(const Index& index, const std::string& value) {
  const auto found = index.find(value);
  return found == index.end() ? nullptr : &found->second;
}

void Catalogue::put(Index& index, const std::string& value, const Book& book) {
  if (!value.empty()) index[value].insert(&book);
}

void Catalogue::take(Index& index, const std::string& value, const Book& book) {
  const auto found = index.find(value);
  if (found == index.end()) return;
  found->second.erase(&book);
  if (found->second.empty()) index.erase(found);
}

void Catalogue::put_all(const Book& book) {
  put(titles_, book.title, book);
  put(authors_, book.author, book);
  for (const std::string& key : split_keys(book.keys)) put(keys_, key, book);
}

void Catalogue::take_all(const Book& book) {
  take(titles_, book.title, book);
  take(authors_, book.author, book);
  for (const std::string& key : split_keys(book.keys)) take(keys_, key, book);
}

void Catalogue::save() {
  if (!changed_) return;
  write_table(path_, [this](std::ostream& out) {
    for (const auto& [code, book] : books_)
      out << code << '\t' << book->title << '\t' << book->author << '\t' << book->keys << '\t' << book->price << '\t'
          << book->stock << '\n';
  });
  changed_ = false;
}
