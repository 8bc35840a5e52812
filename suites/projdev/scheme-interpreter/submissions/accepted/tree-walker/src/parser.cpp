// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
#include "parser.hpp"

bool Parser::next(Value& result) {
  Token token = lexer_.next();
  if (token.kind == Token::Kind::end) return false;
  result = datum(token);
  return true;
}

Value Parser::datum(const Token& token) {
  switch (token.kind) {
    case Token::Kind::open: return list();
    case Token::Kind::quote: return prefixed("quote");
    case Token::Kind::quasiquote: return prefixed("quasiquote");
    case Token::Kind::unquote: return prefixed("unquote");
    case Token::Kind::splice: return prefixed("unquote-splicing");
    case Token::Kind::integer: return integer(std::stoll(token.text));
    case Token::Kind::boolean: return boolean(token.text == "#t");
    case Token::Kind::string: return string(token.text);
    default: return symbol(token.text);
  }
}

// Pairs are linked at their end, so that long lists need no recursion.
Value Parser::list() {
  Value before = cons(kNone, kEmpty), last = before;
  for (Token token = lexer_.next(); token.kind != Token::Kind::close; token = lexer_.next()) {
    if (token.kind == Token::Kind::dot) {
      last.cell->second = datum(lexer_.next());
    } else {
      Value item = datum(token);
      last = last.cell->second = cons(item, kEmpty);
    }
  }
  return before.cell->second;
}

namespace {

std::string in_quotes(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

void show_pair(Value value, bool quoted, std::string& out);

void show_on(Value value, bool quoted, std::string& out) {
  switch (value.type) {
    case Type::empty: out += "()"; return;
    case Type::boolean: out += value.truth() ? "#t" : "#f"; return;
    case Type::integer: out += std::to_string(value.number); return;
    case Type::symbol: out += value.name->text; return;
    case Type::string: out += quoted ? in_quotes(*value.cell->text) : *value.cell->text; return;
    case Type::pair: show_pair(value, quoted, out); return;
    case Type::vector: {
      out += '#';
      const char* between = "(";
      for (Value item : *value.cell->items) {
        out += between;
        show_on(item, quoted, out);
        between = " ";
      }
      out += value.cell->items->empty() ? "()" : ")";
      return;
    }
    case Type::promise: out += "#<promise>"; return;
    case Type::error: out += "#<error>"; return;
    case Type::none: out += "#<unspecified>"; return;
    default: out += "#<procedure>"; return;
  }
}

void show_pair(Value value, bool quoted, std::string& out) {
  const char* between = "(";
  for (; value.type == Type::pair; value = value.cell->second) {
    out += between;
    show_on(value.cell->first, quoted, out);
    between = " ";
  }
  if (value.type != Type::empty) {
    out += " . ";
    show_on(value, quoted, out);
  }
  out += ')';
}

}  // namespace

std::string show(Value value, bool quoted) {
  std::string out;
  show_on(value, quoted, out);
  return out;
}
