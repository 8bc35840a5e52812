// rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae
// Which words are valid, and what they mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// An amount of money in cents.
using Cents = std::int64_t;

// The words of a line, which one or more spaces separate.
std::vector<std::string> split_line(std::string_view line);

// ID and PASSWORD.
bool is_identifier(std::string_view word);
// NAME of an account.
bool is_name(std::string_view word);
bool is_code(std::string_view word);
// TITLE, AUTHOR.
bool is_text(std::string_view word);
// KEYS: several keywords.
bool is_keys(std::string_view word);
// KEY: one keyword.
bool is_key(std::string_view word);

// The keywords of a valid KEYS.
std::vector<std::string> split_keys(std::string_view keys);

// PRICE, COST; nothing if the word is not valid.
std::optional<Cents> parse_money(std::string_view word);
// COUNT.
std::optional<std::int64_t> parse_count(std::string_view word);

std::string money_text(Cents value);
