#include "parser.hpp"

#include <initializer_list>
#include <string_view>
#include <utility>

#include "lexer.hpp"

namespace {

// One function for each rule of the grammar; each leaves `at_` behind what it has read.
class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  NodePtr program() {
    NodePtr all = make(Kind::block);
    while (token().kind != Token::Kind::end) all->parts.push_back(statement());
    return all;
  }

 private:
  const Token& token() const { return tokens_[at_]; }

  bool is(std::string_view text) const {
    return (token().kind == Token::Kind::symbol || token().kind == Token::Kind::keyword) && token().text == text;
  }

  bool is_one_of(std::initializer_list<std::string_view> texts) const {
    for (std::string_view text : texts) {
      if (is(text)) return true;
    }
    return false;
  }

  bool take(std::string_view text) {
    const bool found = is(text);
    if (found) ++at_;
    return found;
  }

  [[noreturn]] void fail(const std::string& wanted) const {
    throw SyntaxError(token().line, "expected " + wanted + ", not \"" + token().text + "\"");
  }

  void need(std::string_view text) {
    if (!take(text)) fail(std::string(text));
  }

  std::string need(Token::Kind kind, const char* what) {
    if (token().kind != kind) fail(what);
    return tokens_[at_++].text;
  }

  std::string name() { return need(Token::Kind::name, "a name"); }

  NodePtr make(Kind kind, std::string text = {}) const {
    return std::make_unique<Node>(Node{kind, token().line, std::move(text)});
  }

  template <typename... Parts>
  static NodePtr with(NodePtr node, Parts... parts) {
    (node->parts.push_back(std::move(parts)), ...);
    return node;
  }

  // ---------------------------------------------------------------------------------------------------- statements
  NodePtr statement() {
    if (is("if")) return if_else();
    if (is("while")) return while_loop();
    if (is("for")) return for_loop();
    if (is("def")) return define();
    NodePtr made = simple();
    need(Token::Kind::line_end, "the end of the line");
    return made;
  }

  NodePtr block() {
    need(":");
    need(Token::Kind::line_end, "the end of the line");
    need(Token::Kind::indent, "a block");
    NodePtr made = make(Kind::block);
    while (token().kind != Token::Kind::dedent) made->parts.push_back(statement());
    ++at_;
    return made;
  }

  NodePtr if_else() {
    NodePtr made = make(Kind::if_else);
    ++at_;
    made->parts.push_back(expression());
    made->parts.push_back(block());
    NodePtr otherwise;
    if (is("elif")) {
      otherwise = if_else();
    } else if (take("else")) {
      otherwise = block();
    }
    made->parts.push_back(std::move(otherwise));
    return made;
  }

  NodePtr while_loop() {
    NodePtr made = make(Kind::while_loop);
    need("while");
    made->parts.push_back(expression());
    made->parts.push_back(block());
    return made;
  }

  NodePtr for_loop() {
    NodePtr made = make(Kind::for_loop);
    need("for");
    made->parts.push_back(target());
    need("in");
    made->parts.push_back(expressions());
    made->parts.push_back(block());
    return made;
  }

  NodePtr target() {
    NodePtr first = make(Kind::name, name());
    if (!is(",")) return first;
    NodePtr names = with(make(Kind::tuple), std::move(first));
    while (take(",") && token().kind == Token::Kind::name) names->parts.push_back(make(Kind::name, name()));
    return names;
  }

  NodePtr define() {
    NodePtr made = make(Kind::define);
    need("def");
    made->text = name();
    need("(");
    parameters(*made, ")");
    need(")");
    made->parts.push_back(block());
    return made;
  }

  void parameters(Node& function, std::string_view end) {
    while (!is(end)) {
      NodePtr parameter = make(Kind::parameter);
      parameter->text = name();
      parameter->parts.push_back(take("=") ? expression() : nullptr);
      function.parts.push_back(std::move(parameter));
      if (!take(",")) return;
    }
  }

  NodePtr simple() {
    if (is("return")) return return_value();
    if (is("global")) return declaration(Kind::global);
    if (is("nonlocal")) return declaration(Kind::nonlocal);
    NodePtr word = make(Kind::pass);
    if (take("pass")) return word;
    word->kind = Kind::break_loop;
    if (take("break")) return word;
    word->kind = Kind::continue_loop;
    if (take("continue")) return word;
    return assignment();
  }

  NodePtr return_value() {
    NodePtr made = make(Kind::return_value);
    need("return");
    made->parts.push_back(token().kind == Token::Kind::line_end ? nullptr : expressions());
    return made;
  }

  NodePtr declaration(Kind kind) {
    NodePtr made = make(kind);
    do {
      ++at_;  // the keyword, then commas
      made->words.push_back(name());
    } while (is(","));
    return made;
  }

  NodePtr assignment() {
    NodePtr made = make(Kind::assign);
    NodePtr first = expressions();
    if (is_one_of({"+=", "-=", "*=", "/=", "//=", "%=", "**="})) {
      if (first->kind != Kind::name) fail("a name before it");
      made->kind = Kind::update;
      made->text = token().text.substr(0, token().text.size() - 1);
      ++at_;
      return with(std::move(made), std::move(first), expressions());
    }
    if (!is("=")) made->kind = Kind::evaluate;
    made->parts.push_back(std::move(first));
    while (is("=")) {
      check_target(*made->parts.back());
      ++at_;
      made->parts.push_back(expressions());
    }
    return made;
  }

  void check_target(const Node& target) const {
    if (target.kind == Kind::name) return;
    if (target.kind != Kind::tuple || target.parts.empty()) fail("a name before it");
    for (const NodePtr& each : target.parts) {
      if (each->kind != Kind::name) fail("names before it");
    }
  }

  // --------------------------------------------------------------------------------------------------- expressions
  // One expression, or a tuple without parentheses.
  NodePtr expressions() {
    NodePtr made = make(Kind::tuple);
    NodePtr first = expression();
    if (!is(",")) return first;
    made->parts.push_back(std::move(first));
    while (take(",") && token().kind != Token::Kind::line_end && !is_one_of({"=", ":", ")"})) {
      made->parts.push_back(expression());
    }
    return made;
  }

  NodePtr expression() {
    if (is("lambda")) return lambda();
    NodePtr made = make(Kind::conditional);
    NodePtr value = disjunction();
    if (!take("if")) return value;
    NodePtr condition = disjunction();
    need("else");
    return with(std::move(made), std::move(condition), std::move(value), expression());
  }

  NodePtr lambda() {
    NodePtr made = make(Kind::lambda);
    need("lambda");
    parameters(*made, ":");
    need(":");
    made->parts.push_back(expression());
    return made;
  }

  NodePtr disjunction() {
    NodePtr left = conjunction();
    while (is("or")) {
      NodePtr made = make(Kind::disjunction);
      ++at_;
      left = with(std::move(made), std::move(left), conjunction());
    }
    return left;
  }

  NodePtr conjunction() {
    NodePtr left = negation();
    while (is("and")) {
      NodePtr made = make(Kind::conjunction);
      ++at_;
      left = with(std::move(made), std::move(left), negation());
    }
    return left;
  }

  NodePtr negation() {
    NodePtr made = make(Kind::negation);
    if (!take("not")) return comparison();
    return with(std::move(made), negation());
  }

  NodePtr comparison() {
    NodePtr made = make(Kind::compare);
    NodePtr first = sum();
    if (!is_comparison()) return first;
    made->parts.push_back(std::move(first));
    while (is_comparison()) {
      made->words.push_back(is("not") ? "not in" : token().text);
      at_ += is("not") ? 2 : 1;
      made->parts.push_back(sum());
    }
    return made;
  }

  bool is_comparison() const { return is_one_of({"==", "!=", "<", "<=", ">", ">=", "in", "not"}); }

  NodePtr sum() {
    NodePtr left = product();
    while (is_one_of({"+", "-"})) left = binary(std::move(left), &Parser::product);
    return left;
  }

  NodePtr product() {
    NodePtr left = factor();
    while (is_one_of({"*", "/", "//", "%"})) left = binary(std::move(left), &Parser::factor);
    return left;
  }

  // The operator that comes next, with what is left of it and what `right` reads.
  NodePtr binary(NodePtr left, NodePtr (Parser::*right)()) {
    NodePtr made = make(Kind::binary, token().text);
    ++at_;
    return with(std::move(made), std::move(left), (this->*right)());
  }

  NodePtr factor() {
    if (!is_one_of({"+", "-"})) return power();
    NodePtr made = make(Kind::unary, token().text);
    ++at_;
    return with(std::move(made), factor());
  }

  NodePtr power() {
    NodePtr left = primary();
    return is("**") ? binary(std::move(left), &Parser::factor) : std::move(left);
  }

  NodePtr primary() {
    NodePtr made = atom();
    while (is_one_of({"(", "[", "."})) {
      if (take("(")) {
        made = with(make(Kind::call), std::move(made));
        arguments(*made, true);
      } else if (take("[")) {
        made = subscript(std::move(made));
      } else {
        need(".");
        made = with(make(Kind::method, name()), std::move(made));
        need("(");
        arguments(*made, false);
      }
    }
    return made;
  }

  void arguments(Node& call, bool keywords) {
    while (!is(")")) {
      if (keywords && token().kind == Token::Kind::name && tokens_[at_ + 1].text == "=" &&
          tokens_[at_ + 1].kind == Token::Kind::symbol) {
        NodePtr keyword = make(Kind::keyword, name());
        need("=");
        call.parts.push_back(with(std::move(keyword), expression()));
      } else {
        call.parts.push_back(expression());
      }
      if (!take(",")) break;
    }
    need(")");
  }

  NodePtr subscript(NodePtr sequence) {
    NodePtr made = with(make(Kind::index), std::move(sequence));
    made->parts.push_back(bound());
    if (take(":")) {
      made->kind = Kind::slice;
      made->parts.push_back(bound());
      made->parts.push_back(take(":") ? bound() : nullptr);
    }
    need("]");
    if (made->kind == Kind::index && made->parts.back() == nullptr) fail("an index");
    return made;
  }

  NodePtr bound() { return is_one_of({":", "]"}) ? nullptr : expression(); }

  NodePtr atom() {
    NodePtr made = make(Kind::none, token().text);
    switch (token().kind) {
      case Token::Kind::integer: made->kind = Kind::integer; break;
      case Token::Kind::real: made->kind = Kind::real; break;
      case Token::Kind::string: made->kind = Kind::string; break;
      case Token::Kind::name: made->kind = Kind::name; break;
      default:
        if (is("(")) return parenthesised();
        if (is_one_of({"True", "False"})) {
          made->kind = Kind::truth;
        } else if (is("None")) {
          made->text.clear();
        } else {
          fail("an expression");
        }
    }
    ++at_;
    return made;
  }

  NodePtr parenthesised() {
    NodePtr empty = make(Kind::tuple);
    need("(");
    if (take(")")) return empty;
    NodePtr made = expressions();
    need(")");
    return made;
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace

NodePtr parse(const std::string& program) { return Parser(tokenize(program)).program(); }
