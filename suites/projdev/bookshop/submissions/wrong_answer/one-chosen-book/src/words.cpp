// rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae
#include "words.hpp"

#include <algorithm>

namespace {

constexpr std::size_t kLongestIdentifier = 30;
constexpr std::size_t kLongestCode = 20;
constexpr std::size_t kLongestText = 60;
constexpr std::size_t kLongestMoney = 10;
constexpr std::size_t kLongestCount = 9;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_visible(char c) { return c >= 33 && c <= 126; }

bool has_length(std::string_view word, std::size_t longest) { return !word.empty() && word.size() <= longest; }

std::int64_t value_of(std::string_view digits) {
  std::int64_t value = 0;
  for (const char c : digits) value = value * 10 + (c - '0');
  return value;
}

}  // namespace

std::vector<std::string> split_line(std::string_view line) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  while (begin < line.size()) {
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    if (end > begin) words.emplace_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

bool is_identifier(std::string_view word) {
  return has_length(word, kLongestIdentifier) && std::all_of(word.begin(), word.end(), [](char c) {
           return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
         });
}

bool is_name(std::string_view word) {
  return has_length(word, kLongestIdentifier) && std::all_of(word.begin(), word.end(), is_visible);
}

bool is_code(std::string_view word) {
  return has_length(word, kLongestCode) && std::all_of(word.begin(), word.end(), is_visible);
}

bool is_text(std::string_view word) {
  return has_length(word, kLongestText) &&
         std::all_of(word.begin(), word.end(), [](char c) { return is_visible(c) && c != '"'; });
}

bool is_key(std::string_view word) { return is_text(word) && word.find('|') == std::string_view::npos; }

bool is_keys(std::string_view word) {
  if (!is_text(word)) return false;
  std::vector<std::string> keys = split_keys(word);
  std::sort(keys.begin(), keys.end());
  return !keys.front().empty() && std::adjacent_find(keys.begin(), keys.end()) == keys.end();
}

std::vector<std::string> split_keys(std::string_view keys) {
  std::vector<std::string> found;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = keys.find('|', begin);
    if (end == std::string_view::npos) break;
    found.emplace_back(keys.substr(begin, end - begin));
    begin = end + 1;
  }
  found.emplace_back(keys.substr(begin));
  return found;
}

std::optional<Cents> parse_money(std::string_view word) {
  if (!has_length(word, kLongestMoney)) return std::nullopt;
  const std::size_t dot = std::min(word.find('.'), word.size());
  const std::string_view whole = word.substr(0, dot);
  const std::string_view part = dot == word.size() ? std::string_view() : word.substr(dot + 1);
  if (whole.empty() || !std::all_of(whole.begin(), whole.end(), is_digit)) return std::nullopt;
  if (dot < word.size() && (part.empty() || part.size() > 2)) return std::nullopt;
  if (!std::all_of(part.begin(), part.end(), is_digit)) return std::nullopt;
  const std::int64_t cents = part.size() == 1 ? value_of(part) * 10 : value_of(part);
  return value_of(whole) * 100 + cents;
}

std::optional<std::int64_t> parse_count(std::string_view word) {
  if (!has_length(word, kLongestCount) || word[0] == '0') return std::nullopt;
  if (!std::all_of(word.begin(), word.end(), is_digit)) return std::nullopt;
  return value_of(word);
}

std::string money_text(Cents value) {
  const std::string cents = std::to_string(value % 100);
  return std::to_string(value / 100) + (cents.size() == 1 ? ".0" : ".") + cents;
}
