// rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
#include "text.hpp"

#include "heap.hpp"

bool Reader::read(Value& result) {
  Token token = lexer_.next();
  if (token.kind == Token::Kind::end) return false;
  result = datum(token);
  return true;
}

Value Reader::datum(const Token& token) {
  auto wrapped = [this](const char* name) {
    Value inner = datum(lexer_.next());
    return heap.pair(Value::of(heap.symbol(name)), heap.pair(inner, Value::nil()));
  };
  switch (token.kind) {
    case Token::Kind::open: return list();
    case Token::Kind::quote: return wrapped("quote");
    case Token::Kind::quasiquote: return wrapped("quasiquote");
    case Token::Kind::unquote: return wrapped("unquote");
    case Token::Kind::splice: return wrapped("unquote-splicing");
    case Token::Kind::integer: return Value::integer(std::stoll(token.text));
    case Token::Kind::boolean: return Value::boolean(token.text == "#t");
    case Token::Kind::string: return heap.text(token.text);
    default: return Value::of(heap.symbol(token.text));
  }
}

Value Reader::list() {
  std::vector<Value> items;
  Value tail = Value::nil();
  for (Token token = lexer_.next(); token.kind != Token::Kind::close && token.kind != Token::Kind::end;
       token = lexer_.next()) {
    if (token.kind == Token::Kind::dot) {
      tail = datum(lexer_.next());
    } else {
      items.push_back(datum(token));
    }
  }
  for (std::size_t i = items.size(); i-- > 0;) tail = heap.pair(items[i], tail);
  return tail;
}

namespace {

void write_string(std::string& out, const std::string& characters) {
  out += '"';
  for (char c : characters) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  out += '"';
}

void append(std::string& out, Value value, bool quoted) {
  switch (value.tag) {
    case Tag::unspecified: out += "#<unspecified>"; break;
    case Tag::nil: out += "()"; break;
    case Tag::boolean: out += value.truth ? "#t" : "#f"; break;
    case Tag::integer: out += std::to_string(value.number); break;
    case Tag::symbol: out += value.symbol->name; break;
    case Tag::string:
      if (quoted) {
        write_string(out, value.text().characters);
      } else {
        out += value.text().characters;
      }
      break;
    case Tag::pair:
      out += '(';
      append(out, value.pair().head, quoted);
      for (value = value.pair().tail; value.is(Tag::pair); value = value.pair().tail) {
        out += ' ';
        append(out, value.pair().head, quoted);
      }
      if (!value.is(Tag::nil)) {
        out += " . ";
        append(out, value, quoted);
      }
      out += ')';
      break;
    case Tag::vector: {
      out += "#(";
      bool first = true;
      for (Value item : value.vector().items) {
        if (!first) out += ' ';
        first = false;
        append(out, item, quoted);
      }
      out += ')';
      break;
    }
    case Tag::closure:
    case Tag::builtin:
    case Tag::continuation: out += "#<procedure>"; break;
    case Tag::promise: out += "#<promise>"; break;
    case Tag::condition: out += "#<error>"; break;
  }
}

}  // namespace

std::string to_text(Value value, bool quoted) {
  std::string out;
  append(out, value, quoted);
  return out;
}
