// rigorbench-canary af2a9595-30e3-4ce1-b98c-b2b53c6d44b8
#include "commands.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::size_t kBuffer = 1 << 16;

// The words of the input, one after the other.
class Words {
 public:
  explicit Words(std::FILE* in) : in_(in), buffer_(kBuffer) {}

  // False at the end of the input. The text is good until the next call.
  bool next(std::string_view& word) {
    text_.clear();
    int sign = get();
    while (sign == ' ' || sign == '\n' || sign == '\r') sign = get();
    for (; sign != EOF && sign != ' ' && sign != '\n' && sign != '\r'; sign = get()) text_ += static_cast<char>(sign);
    word = text_;
    return !text_.empty();
  }

  std::string_view text() {
    std::string_view word;
    if (!next(word)) throw std::runtime_error("the input ends within a command");
    return word;
  }
  Word word() { return Word(text()); }
  std::uint64_t number() {
    const std::string_view digits = text();
    std::uint64_t value = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc()) {
      throw std::runtime_error("a number is missing");
    }
    return value;
  }
  Entry entry() {
    const Word name = word();
    return {name, static_cast<Card>(number())};
  }
  Range range() {
    const Word from = word();
    return {from, word()};
  }

 private:
  int get() {
    if (at_ == filled_) {
      filled_ = std::fread(buffer_.data(), 1, buffer_.size(), in_);
      at_ = 0;
      if (filled_ == 0) return EOF;
    }
    return static_cast<unsigned char>(buffer_[at_++]);
  }

  std::FILE* in_;
  std::vector<char> buffer_;
  std::size_t at_ = 0, filled_ = 0;
  std::string text_;
};

// Collects lines of words and numbers.
class Answers {
 public:
  explicit Answers(std::FILE* out) : out_(out) {}

  template <class... Parts>
  void line(const Parts&... parts) {
    const std::size_t begin = text_.size();
    (add(begin, parts), ...);
    text_ += '\n';
    if (text_.size() > kBuffer) write();
  }
  void write() {
    if (std::fwrite(text_.data(), 1, text_.size(), out_) != text_.size() || std::fflush(out_) != 0) {
      throw std::runtime_error("the answers cannot be written");
    }
    text_.clear();
  }

 private:
  void add(std::size_t begin, std::string_view part) {
    if (text_.size() > begin) text_ += ' ';
    text_ += part;
  }
  void add(std::size_t begin, std::uint64_t number) {
    char digits[24];
    add(begin, std::string_view(digits, std::to_chars(digits, digits + sizeof digits, number).ptr - digits));
  }
  void add(std::size_t begin, const Word& word) { add(begin, word.text()); }

  std::FILE* out_;
  std::string text_;
};

void bulk(CardIndex& index, Words& in, Answers& out) {
  const std::string stem(in.text());
  const std::uint64_t seed = in.number(), words = in.number(), each = in.number();
  out.line("added", index.bulk({stem, seed, words, each, in.number()}));
}

void weed(CardIndex& index, Words& in, Answers& out) {
  const Range range = in.range();
  const std::uint64_t divisor = in.number();
  out.line("removed", index.weed(range, divisor, in.number()));
}

void move(CardIndex& index, Words& in, Answers& out) {
  const Range words = in.range();
  std::uint32_t added = 0;
  switch (index.move(words.from, words.to, added)) {
    case Moved::done: out.line("moved", added); break;
    case Moved::same: out.line("error", "same"); break;
    case Moved::none: out.line("error", "none"); break;
  }
}

void cards(CardIndex& index, Words& in, Answers& out) {
  const Word word = in.word();
  const std::uint64_t skip = in.number(), most = in.number();
  out.line("cards", index.count({word, word}).entries);
  for (const Entry& entry : index.list({word, word}, skip, most)) out.line(entry.card);
}

void count(CardIndex& index, Words& in, Answers& out) {
  const Tally tally = index.count(in.range());
  out.line(tally.words, tally.entries);
}

void words(CardIndex& index, Words& in, Answers& out) {
  const Range range = in.range();
  const std::uint64_t skip = in.number(), most = in.number();
  out.line("words", index.count(range).words);
  for (const WordCount& found : index.words(range, skip, most)) out.line(found.word, found.cards);
}

void list(CardIndex& index, Words& in, Answers& out) {
  const Range range = in.range();
  const std::uint64_t skip = in.number(), most = in.number();
  out.line("entries", index.count(range).entries);
  for (const Entry& entry : index.list(range, skip, most)) out.line(entry.word, entry.card);
}

void neighbour(const std::optional<WordCount>& found, Answers& out) {
  if (found) out.line(found->word, found->cards);
  else out.line("error", "none");
}

using Command = void (*)(CardIndex&, Words&, Answers&);
const std::map<std::string_view, Command> kCommands = {
    {"put", [](CardIndex& index, Words& in, Answers& out) { out.line(index.put(in.entry()) ? "ok" : "error there"); }},
    {"drop", [](CardIndex& index, Words& in, Answers& out) { out.line(index.drop(in.entry()) ? "ok" : "error none"); }},
    {"has", [](CardIndex& index, Words& in, Answers& out) { out.line(index.has(in.entry()) ? "yes" : "no"); }},
    {"next", [](CardIndex& index, Words& in, Answers& out) { neighbour(index.next(in.word()), out); }},
    {"prev", [](CardIndex& index, Words& in, Answers& out) { neighbour(index.previous(in.word()), out); }},
    {"bulk", bulk},
    {"weed", weed},
    {"move", move},
    {"cards", cards},
    {"count", count},
    {"words", words},
    {"list", list},
};

}  // namespace

void answer_all(CardIndex& index, std::FILE* in, std::FILE* out) {
  Words words(in);
  Answers answers(out);
  std::string_view name;
  while (words.next(name)) {
    const auto command = kCommands.find(name);
    if (command == kCommands.end()) throw std::runtime_error("no such command");
    command->second(index, words, answers);
  }
  answers.write();
}
