// rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
#include "compiler.hpp"

#include <utility>

#include "expressions.hpp"
#include "scope.hpp"
#include "statements.hpp"
#include "text.hpp"

namespace {

// Makes the code of one scope.
class Compiler {
 public:
  Compiler(const Scopes& scopes, const Scope& scope) : scopes_(scopes), scope_(scope) {}

  BlockPtr block(const Node& node) const {
    std::vector<StatementPtr> statements;
    if (node.kind == Kind::block) {
      for (const NodePtr& part : node.parts) statements.push_back(statement(*part));
    } else {
      statements.push_back(statement(node));  // an `elif`
    }
    return std::make_unique<Block>(std::move(statements));
  }

  // A function that does nothing but give the value of an expression.
  BlockPtr returning(const Node& node, int line) const {
    std::vector<StatementPtr> statements;
    statements.push_back(std::make_unique<Return>(line, expression(node)));
    return std::make_unique<Block>(std::move(statements));
  }

 private:
  // ---------------------------------------------------------------------------------------------------- statements
  StatementPtr statement(const Node& node) const {
    const auto& parts = node.parts;
    switch (node.kind) {
      case Kind::evaluate: return std::make_unique<Evaluate>(node.line, expression(*parts[0]));
      case Kind::assign: return assign(node);
      case Kind::update: return update(node);
      case Kind::if_else:
        return std::make_unique<If>(node.line, expression(*parts[0]), block(*parts[1]), parts[2] == nullptr ? nullptr : block(*parts[2]));
      case Kind::while_loop: return std::make_unique<While>(node.line, expression(*parts[0]), block(*parts[1]));
      case Kind::for_loop:
        return std::make_unique<For>(node.line, target(*parts[0]), expression(*parts[1]), block(*parts[2]));
      case Kind::define: return set(node.line, {false, {scope_.place(node.text)}}, made_function(node));
      case Kind::return_value: return std::make_unique<Return>(node.line, optional(parts[0]));
      case Kind::break_loop: return std::make_unique<Leave>(node.line, Flow::break_loop);
      case Kind::continue_loop: return std::make_unique<Leave>(node.line, Flow::continue_loop);
      default: return std::make_unique<Leave>(node.line, Flow::next);
    }
  }

  static StatementPtr set(int line, Target target, ExpressionPtr value) {
    return std::make_unique<Assign>(line, std::vector<Target>{std::move(target)}, std::move(value));
  }

  Target target(const Node& node) const {
    if (node.kind == Kind::name) return {false, {scope_.place(node.text)}};
    Target result{true, {}};
    for (const NodePtr& name : node.parts) result.places.push_back(scope_.place(name->text));
    return result;
  }

  StatementPtr assign(const Node& node) const {
    std::vector<Target> targets;
    for (std::size_t i = 0; i + 1 < node.parts.size(); ++i) targets.push_back(target(*node.parts[i]));
    return std::make_unique<Assign>(node.line, std::move(targets), expression(*node.parts.back()));
  }

  StatementPtr update(const Node& node) const {
    return set(node.line, target(*node.parts[0]), binary(node));
  }

  // --------------------------------------------------------------------------------------------------- expressions
  ExpressionPtr expression(const Node& node) const {
    const auto& parts = node.parts;
    switch (node.kind) {
      case Kind::none: return constant(Value::none());
      case Kind::truth: return constant(Value::truth(node.text == "True"));
      case Kind::integer: return constant(parse_integer(node.text));
      case Kind::real: return constant(parse_real(node.text));
      case Kind::string: return constant(Value::string(node.text));
      case Kind::name: return std::make_unique<Variable>(node.text, scope_.place(node.text));
      case Kind::tuple: return std::make_unique<TupleOf>(all(node, 0));
      case Kind::unary: return std::make_unique<Sign>(node.text == "-", expression(*parts[0]));
      case Kind::binary: return binary(node);
      case Kind::compare: return chain(node);
      case Kind::conjunction: return std::make_unique<Either>(false, expression(*parts[0]), expression(*parts[1]));
      case Kind::disjunction: return std::make_unique<Either>(true, expression(*parts[0]), expression(*parts[1]));
      case Kind::negation: return std::make_unique<Not>(expression(*parts[0]));
      case Kind::conditional:
        return std::make_unique<Conditional>(expression(*parts[0]), expression(*parts[1]), expression(*parts[2]));
      case Kind::call: return call(node);
      case Kind::method: return std::make_unique<MethodCall>(node.text, expression(*parts[0]), all(node, 1));
      case Kind::index: return std::make_unique<Element>(expression(*parts[0]), expression(*parts[1]));
      case Kind::slice:
        return std::make_unique<Slice>(expression(*parts[0]), optional(parts[1]), optional(parts[2]), optional(parts[3]));
      default: return made_function(node);
    }
  }

  static ExpressionPtr constant(Value value) { return std::make_unique<Constant>(std::move(value)); }
  ExpressionPtr optional(const NodePtr& node) const { return node == nullptr ? nullptr : expression(*node); }

  std::vector<ExpressionPtr> all(const Node& node, std::size_t from) const {
    std::vector<ExpressionPtr> result;
    for (std::size_t i = from; i < node.parts.size(); ++i) result.push_back(expression(*node.parts[i]));
    return result;
  }

  ExpressionPtr binary(const Node& node) const {
    return std::make_unique<Binary>(operator_of(node.text), expression(*node.parts[0]), expression(*node.parts[1]));
  }

  ExpressionPtr chain(const Node& node) const {
    std::vector<Comparison> comparisons;
    for (const std::string& word : node.words) comparisons.push_back(comparison_of(word));
    return std::make_unique<Chain>(std::move(comparisons), all(node, 0));
  }

  ExpressionPtr call(const Node& node) const {
    std::vector<std::pair<std::string, ExpressionPtr>> arguments;
    for (std::size_t i = 1; i < node.parts.size(); ++i) {
      const Node& part = *node.parts[i];
      const bool named = part.kind == Kind::keyword;
      arguments.emplace_back(named ? part.text : "", expression(named ? *part.parts[0] : part));
    }
    return std::make_unique<Call>(expression(*node.parts[0]), std::move(arguments));
  }

  // ----------------------------------------------------------------------------------------------------- functions
  ExpressionPtr made_function(const Node& node) const {
    auto code = code_of(node);
    const Scope& inside = *scopes_.at(&node);
    const Compiler compiler(scopes_, inside);
    for (const NodePtr& part : node.parts) {
      if (part->kind == Kind::parameter) add_parameter(*code, *part, inside);
    }
    const Node& body = *node.parts.back();
    code->name = node.kind == Kind::define ? node.text : "lambda";
    code->body = node.kind == Kind::define ? compiler.block(body) : compiler.returning(body, node.line);
    return std::make_unique<MakeFunction>(std::move(code));
  }

  std::shared_ptr<FunctionCode> code_of(const Node& node) const {
    const Scope& inside = *scopes_.at(&node);
    auto code = std::make_shared<FunctionCode>();
    code->locals = inside.locals();
    code->cells = inside.cells().size();
    code->captured = inside.captured();
    return code;
  }

  void add_parameter(FunctionCode& code, const Node& parameter, const Scope& inside) const {
    const auto cell = inside.cells().find(parameter.text);
    if (cell != inside.cells().end()) code.shared_parameters.emplace_back(code.parameters.size(), cell->second);
    code.parameters.push_back(parameter.text);
    std::shared_ptr<FunctionCode> value;
    if (const Node* expression = parameter.parts[0].get()) {
      value = code_of(*expression);
      value->body = Compiler(scopes_, *scopes_.at(expression)).returning(*expression, parameter.line);
    }
    code.defaults.push_back(std::move(value));
  }

  const Scopes& scopes_;
  const Scope& scope_;
};

}  // namespace

Program compile(const Node& tree) {
  const Scopes scopes = resolve(tree);
  const Scope& scope = *scopes.at(&tree);
  return {Compiler(scopes, scope).block(tree), scope.global_names()};
}
