#include "explain/mistake_rules.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "domains/files/definition.h"
#include "domains/files/expression.h"
#include "explain/function_rules.h"
#include "explain/mistake_rules_data.h"
#include "math/rational.h"
#include "util/text.h"

namespace conpole::mistakes {
namespace {

namespace mp = boost::multiprecision;

using algebra::Equation;
using algebra::Exact;
using algebra::Integer;
using algebra::Kind;
using algebra::Negation;
using algebra::Node;
using algebra::NumberStyle;
using algebra::Power;
using algebra::Product;
using algebra::Quotient;
using algebra::Sum;
using algebra::WithoutSign;
using files::Definition;
using files::Part;
using files::PartKind;
using files::Type;

bool IsWrittenNumber(const Node& node) {
  const Node& size = WithoutSign(WithoutSign(node));
  switch (size.kind) {
    case Kind::kNumber:
    case Kind::kDecimal:
    case Kind::kMixed:
      return true;
    case Kind::kQuotient:
      return WithoutSign(size.children[0]).Is(Kind::kNumber) && WithoutSign(size.children[1]).Is(Kind::kNumber);
    default:
      return false;
  }
}
bool IsWhole(const Node& node) { return WithoutSign(node).Is(Kind::kNumber); }
bool IsConstant(const Node& node) { return !algebra::HasUnknown(node) && !algebra::Contains(node, Kind::kRoot); }

// A number times a power of the unknown, however it is written.
struct Monomial {
  Exact coefficient = 1;
  unsigned degree = 0;
};
std::optional<Monomial> MonomialOf(const Node& node) {
  switch (node.kind) {
    case Kind::kNumber:
    case Kind::kDecimal:
    case Kind::kMixed: {
      std::optional<Exact> value = algebra::NumberValue(node);
      if (!value) return std::nullopt;
      return Monomial{std::move(*value), 0};
    }
    case Kind::kUnknown:
      return Monomial{1, 1};
    case Kind::kPower:
      if (!node.children[0].Is(Kind::kUnknown)) return std::nullopt;
      return Monomial{1, node.exponent};
    case Kind::kNegation:
    case Kind::kProduct:
    case Kind::kQuotient:
      break;
    default:
      return std::nullopt;
  }
  std::optional<Monomial> result = MonomialOf(node.children[0]);
  if (!result) return std::nullopt;
  if (node.Is(Kind::kNegation)) result->coefficient = -result->coefficient;
  for (std::size_t i = 1; i < node.children.size(); ++i) {
    const std::optional<Monomial> next = MonomialOf(node.children[i]);
    if (!next) return std::nullopt;
    if (node.Is(Kind::kProduct)) {
      result->coefficient *= next->coefficient;
      result->degree += next->degree;
    } else {
      if (next->degree != 0 || next->coefficient == 0) return std::nullopt;
      result->coefficient /= next->coefficient;
    }
  }
  return result;
}

bool IsOfType(const Node& node, Type type) {
  switch (type) {
    case Type::kNumber:
      return IsWrittenNumber(node);
    case Type::kInteger:
      return IsWhole(node);
    case Type::kLetter:
      return node.Is(Kind::kUnknown);
    case Type::kConstant:
      return IsConstant(node);
    case Type::kAtom:
      return node.Is(Kind::kNumber) || node.Is(Kind::kDecimal) || node.Is(Kind::kUnknown);
    case Type::kMonomial:
      return MonomialOf(node).has_value();
    case Type::kTerm:
      return true;
  }
  return false;
}

// --- Patterns -------------------------------------------------------------------------------------------------------------

struct Pattern {
  enum class Kind : std::uint8_t {
    kVariable,
    kNumber,
    kComputed,
    kUnknown,
    kNegation,
    kSum,
    kProduct,
    kMonomial,  // children: the coefficient and, if it is not 1, the exponent
    kQuotient,
    kPower,
    kMixed,  // children: the whole number, and what is above and below the line
    kEquation,
    kOr,
  };
  Kind kind = Kind::kVariable;
  std::int32_t id = 0;  // of a variable or a worked-out part
  Exact number = 0;
  std::vector<Pattern> children = {};

  bool Is(Kind wanted) const { return kind == wanted; }
};

// Reads the parts of a rule, which are operators with one or two operands, into sums and products.
class PatternReader {
 public:
  PatternReader(const Definition& file, std::span<const Part> parts) : file_(file), parts_(parts) {}

  Pattern Read() {
    const Part& part = parts_[at_++];
    switch (part.kind) {
      case PartKind::kNumber:
        return {Pattern::Kind::kNumber, 0, Exact(part.number.numerator()) / part.number.denominator()};
      case PartKind::kVariable:
        return {Pattern::Kind::kVariable, part.id};
      case PartKind::kComputed:
        return {Pattern::Kind::kComputed, part.id};
      case PartKind::kLetter:
        return {Pattern::Kind::kUnknown};
      default:
        return ReadOperator(file_.grammar.op(part.id));
    }
  }

 private:
  Pattern ReadOperator(const files::Operator& op) {
    std::vector<Pattern> operands;
    for (std::size_t i = 0; i < op.arity; ++i) operands.push_back(Read());
    if (op.symbol == "mixed") return {Pattern::Kind::kMixed, 0, 0, std::move(operands)};
    if (op.arity == 1) return {Pattern::Kind::kNegation, 0, 0, std::move(operands)};
    static const std::map<std::string, Pattern::Kind, std::less<>> kKinds{
        {"+", Pattern::Kind::kSum},      {"-", Pattern::Kind::kSum},   {"*", Pattern::Kind::kProduct},
        {"/", Pattern::Kind::kQuotient}, {"^", Pattern::Kind::kPower}, {"=", Pattern::Kind::kEquation},
        {"or", Pattern::Kind::kOr},
    };
    const Pattern::Kind kind = kKinds.at(op.symbol);
    if (op.symbol == "-") operands[1] = {Pattern::Kind::kNegation, 0, 0, {std::move(operands[1])}};
    Pattern pattern{kind};
    const bool joins = kind == Pattern::Kind::kSum || kind == Pattern::Kind::kProduct || kind == Pattern::Kind::kOr;
    for (Pattern& operand : operands) {
      if (joins && operand.kind == kind) {
        std::move(operand.children.begin(), operand.children.end(), std::back_inserter(pattern.children));
      } else {
        pattern.children.push_back(std::move(operand));
      }
    }
    return pattern;
  }

  const Definition& file_;
  std::span<const Part> parts_;
  std::size_t at_ = 0;
};

bool IsNumeric(const Definition& file, const Pattern& part) {
  if (part.Is(Pattern::Kind::kNumber)) return true;
  if (!part.Is(Pattern::Kind::kVariable)) return false;
  const Type type = file.variables[static_cast<std::size_t>(part.id)].type;
  return type == Type::kNumber || type == Type::kInteger;
}
bool Mentions(const Pattern& pattern, std::int32_t variable) {
  return (pattern.Is(Pattern::Kind::kVariable) && pattern.id == variable) ||
         std::any_of(pattern.children.begin(), pattern.children.end(),
                     [&](const Pattern& child) { return Mentions(child, variable); });
}

// A number times the unknown is one thing where a rule matches: 3x, -x, x/2.
void FindMonomials(const Definition& file, Pattern& pattern) {
  for (Pattern& child : pattern.children) FindMonomials(file, child);
  if (!pattern.Is(Pattern::Kind::kProduct) || pattern.children.size() != 2) return;
  Pattern& power = pattern.children[1];
  if (!IsNumeric(file, pattern.children[0])) return;
  if (power.Is(Pattern::Kind::kUnknown)) {
    pattern.children.pop_back();
  } else if (power.Is(Pattern::Kind::kPower) && power.children[0].Is(Pattern::Kind::kUnknown)) {
    Pattern exponent = power.children[1];
    power = std::move(exponent);
  } else {
    return;
  }
  pattern.kind = Pattern::Kind::kMonomial;
}

struct CompiledForm {
  std::size_t rule = 0;
  Pattern left;
  Pattern right;
  const std::vector<files::Condition>* conditions = nullptr;
  std::vector<std::pair<std::string, std::int32_t>> slots;  // of the sentences; below 0: the part before and after
  bool in_order = false;
  bool is_worked_out = false;  // whether it is about what a part is worth
  bool has_made = false;       // whether the right side is what the learner made of the part
  bool is_last = false;        // whether all others go before it
};
constexpr std::int32_t kPartBefore = -1;
constexpr std::int32_t kPartAfter = -2;

struct Bindings {
  explicit Bindings(std::size_t count) : nodes(count) {}

  const Node& operator[](std::int32_t id) const { return *nodes[static_cast<std::size_t>(id)]; }

  std::vector<const Node*> nodes;  // null for what stands for nothing yet; they live as long as somebody is told of the match
  std::vector<Node> beside;        // what stands beside the matched parts of the outermost sum or product
  std::optional<Node> matched;
};

std::optional<Rational> WorkOut(const files::Expression& expression, const Bindings& bindings) {
  using files::Function;
  if (expression.function == Function::kNumber) return expression.number;
  if (expression.function == Function::kDigits && expression.arguments[0].function == Function::kVariable) {
    const Node& size = WithoutSign(bindings[expression.arguments[0].variable]);
    if (size.Is(Kind::kDecimal)) return Rational(size.exponent);
  }
  if (expression.function == Function::kVariable) {
    const Node& node = bindings[expression.variable];
    const std::optional<Exact> value = IsConstant(node) ? algebra::NumberValue(node) : std::nullopt;
    constexpr std::size_t kMostBits = 62;
    if (!value || algebra::BitsOf(mp::numerator(*value)) > kMostBits || algebra::BitsOf(mp::denominator(*value)) > kMostBits)
      return std::nullopt;
    return Rational::Make(static_cast<std::int64_t>(mp::numerator(*value)), static_cast<std::int64_t>(mp::denominator(*value)));
  }
  std::vector<Rational> values(2);
  for (std::size_t i = 0; i < expression.arguments.size(); ++i) {
    const std::optional<Rational> value = WorkOut(expression.arguments[i], bindings);
    if (!value) return std::nullopt;
    values[i] = *value;
  }
  return files::ApplyFunction(expression.function, values[0], values[1]);
}

// --- Matching -------------------------------------------------------------------------------------------------------------

class Matcher {
 public:
  using Found = std::function<void()>;

  Matcher(const Definition& file, bool in_order) : file_(file), in_order_(in_order), bindings_(file.variables.size()) {}

  Bindings& bindings() { return bindings_; }

  // Calls `found` for each way in which the node looks like the pattern, with the bindings made.
  void Match(const Pattern& pattern, const Node& node, bool outermost, const Found& found) {
    switch (pattern.kind) {
      case Pattern::Kind::kVariable:
        return Bind(pattern.id, node, found);
      case Pattern::Kind::kNumber: {
        if (!IsWrittenNumber(node)) return;
        if (algebra::NumberValue(node) == pattern.number) found();
        return;
      }
      case Pattern::Kind::kComputed:
        if (IsWrittenNumber(node) && IsWorth(node, file_.expressions[static_cast<std::size_t>(pattern.id)])) found();
        return;
      case Pattern::Kind::kUnknown:
        if (node.Is(Kind::kUnknown)) found();
        return;
      case Pattern::Kind::kNegation:
        if (node.Is(Kind::kNegation)) Match(pattern.children[0], node.children[0], false, found);
        return;
      case Pattern::Kind::kQuotient:
        if (HasSignBefore(node, Kind::kQuotient)) return Match(pattern, WithSignInside(node), false, found);
        if (!node.Is(Kind::kQuotient)) return;
        return Match(pattern.children[0], node.children[0], false,
                     [&] { Match(pattern.children[1], node.children[1], false, found); });
      case Pattern::Kind::kPower:
        if (!node.Is(Kind::kPower)) return;
        return Match(pattern.children[0], node.children[0], false,
                     [&] { Match(pattern.children[1], algebra::Number(node.exponent), false, found); });
      case Pattern::Kind::kMixed:
        if (!node.Is(Kind::kMixed)) return;
        return Match(pattern.children[0], algebra::Number(node.value), false, [&] {
          Match(pattern.children[1], node.children[0], false,
                [&] { Match(pattern.children[2], node.children[1], false, found); });
        });
      case Pattern::Kind::kMonomial: {
        if (!algebra::HasUnknown(node)) return;
        const std::optional<Monomial> monomial = MonomialOf(node);
        if (!monomial || monomial->degree == 0 || monomial->coefficient == 0) return;
        const bool with_exponent = pattern.children.size() == 2;
        if (!with_exponent && monomial->degree != 1) return;
        return Match(pattern.children[0], algebra::NumberNode(monomial->coefficient, NumberStyle::kFractions), false, [&] {
          if (!with_exponent) return found();
          Match(pattern.children[1], algebra::Number(monomial->degree), false, found);
        });
      }
      case Pattern::Kind::kSum:
        if (node.Is(Kind::kSum)) MatchParts(pattern, node, outermost, found);
        return;
      case Pattern::Kind::kProduct:
        if (HasSignBefore(node, Kind::kProduct)) return Match(pattern, WithSignInside(node), false, found);
        if (node.Is(Kind::kProduct)) MatchParts(pattern, node, outermost, found);
        return;
      default:
        return;
    }
  }

 private:
  // -(3/x) is also (-3)/x, and -(3(x + 1)) is (-3)(x + 1).
  static bool HasSignBefore(const Node& node, Kind kind) { return node.Is(Kind::kNegation) && node.children[0].Is(kind); }
  static Node WithSignInside(const Node& node) {
    Node inside = node.children[0];
    inside.children[0] = Negation(std::move(inside.children[0]));
    return inside;
  }

  bool IsWorth(const Node& node, const files::Expression& expression) const {
    const std::optional<Rational> value = WorkOut(expression, bindings_);
    return value && algebra::NumberValue(node) == Exact(value->numerator()) / value->denominator();
  }

  void Bind(std::int32_t id, const Node& node, const Found& found) {
    const Node*& place = bindings_.nodes[static_cast<std::size_t>(id)];
    if (place != nullptr) {
      if (*place == node) found();
      return;
    }
    if (!IsOfType(node, file_.variables[static_cast<std::size_t>(id)].type)) return;
    place = &node;
    found();
    place = nullptr;
  }

  // The parts of a sum or product in any order. What is left over stands beside the matched parts if this is the outermost one;
  // else one of the variables takes it, with what it stands for itself.
  void MatchParts(const Pattern& pattern, const Node& node, bool outermost, const Found& found) {
    const std::size_t count = pattern.children.size();
    if (node.children.size() < count) return;
    std::vector<bool> taken(node.children.size());
    if (node.children.size() == count || outermost) Assign(pattern, node, 0, count, taken, outermost, 0, found);
    // 2x(x + 3) has the factor 2x, not only the factors 2 and x.
    if (node.children.size() == count || (outermost && node.Is(Kind::kSum))) return;
    for (std::size_t i = 0; i < count; ++i) {
      const Pattern& part = pattern.children[i];
      if (!part.Is(Pattern::Kind::kVariable)) continue;
      const Type type = file_.variables[static_cast<std::size_t>(part.id)].type;
      if (type != Type::kTerm && type != Type::kConstant) continue;
      Assign(pattern, node, 0, i, taken, outermost, 0, found);
    }
  }

  // Gives the part `i` and those after it a child each. The part `rest` gets, at the end, all that nobody took.
  void Assign(const Pattern& pattern, const Node& node, std::size_t i, std::size_t rest, std::vector<bool>& taken,
              bool outermost, std::size_t from, const Found& found) {
    if (i == pattern.children.size()) return Complete(pattern, node, rest, taken, outermost, found);
    if (i == rest) return Assign(pattern, node, i + 1, rest, taken, outermost, from, found);
    const std::size_t end = in_order_ && i > 0 ? std::min(from + 1, node.children.size()) : node.children.size();
    for (std::size_t j = in_order_ ? from : 0; j < end; ++j) {
      if (taken[j]) continue;
      taken[j] = true;
      Match(pattern.children[i], node.children[j], false,
            [&, j] { Assign(pattern, node, i + 1, rest, taken, outermost, j + 1, found); });
      taken[j] = false;
    }
  }

  void Complete(const Pattern& pattern, const Node& node, std::size_t rest, const std::vector<bool>& taken, bool outermost,
                const Found& found) {
    std::vector<Node> left;
    std::vector<Node> used;
    for (std::size_t j = 0; j < node.children.size(); ++j) (taken[j] ? used : left).push_back(node.children[j]);
    const auto whole = [&](std::vector<Node> parts) {
      return node.Is(Kind::kSum) ? Sum(std::move(parts)) : Product(std::move(parts));
    };
    if (rest < pattern.children.size()) return Bind(pattern.children[rest].id, whole(std::move(left)), found);
    if (!outermost) return found();
    bindings_.beside = std::move(left);
    bindings_.matched = whole(std::move(used));
    found();
    bindings_.beside.clear();
    bindings_.matched.reset();
  }

  const Definition& file_;
  const bool in_order_;
  Bindings bindings_;
};

// --- Conditions and building -----------------------------------------------------------------------------------------------

bool Holds(const Definition& file, const files::Condition& condition, const Bindings& bindings) {
  using ConditionKind = files::Condition::Kind;
  const auto is_variable = [](const files::Expression& side) { return side.function == files::Function::kVariable; };
  switch (condition.kind) {
    case ConditionKind::kIs: {
      if (is_variable(condition.left))
        return IsOfType(bindings[condition.left.variable], condition.type) != condition.is_negated;
      const std::optional<Rational> value = WorkOut(condition.left, bindings);
      return value && (condition.type != Type::kInteger || value->IsInteger()) != condition.is_negated;
    }
    case ConditionKind::kOccurs: {
      const Node& node = bindings[condition.in];
      bool occurs = false;
      if (condition.part.empty()) {
        const std::function<bool(const Node&)> has = [&](const Node& part) {
          return part == bindings[condition.left.variable] || std::any_of(part.children.begin(), part.children.end(), has);
        };
        occurs = has(node);
      } else {
        occurs = algebra::Contains(node, condition.part[0].kind == PartKind::kLetter ? Kind::kUnknown : Kind::kSum);
      }
      return occurs != condition.is_negated;
    }
    case ConditionKind::kCompare: {
      const std::optional<Rational> left = WorkOut(condition.left, bindings);
      const std::optional<Rational> right = WorkOut(condition.right, bindings);
      if (left && right) return files::HoldsFor(condition.comparison, *left, *right);
      if (condition.comparison == "=" && is_variable(condition.left) && is_variable(condition.right))
        return bindings[condition.left.variable] == bindings[condition.right.variable];
      return condition.comparison == "!=";
    }
    case ConditionKind::kLike: {
      bool is_like = false;
      Matcher(file, false).Match(PatternReader(file, condition.part).Read(), bindings[condition.in], true, [&] {
        is_like = true;
      });
      return is_like != condition.is_negated;
    }
    default:
      return false;
  }
}

class Builder {
 public:
  Builder(const Definition& file, const Bindings& bindings) : file_(file), bindings_(bindings) {}

  // Nothing if something cannot be worked out.
  std::optional<Node> Build(const Pattern& pattern) const {
    switch (pattern.kind) {
      case Pattern::Kind::kVariable:
        return bindings_[pattern.id];
      case Pattern::Kind::kNumber:
        return algebra::NumberNode(pattern.number, NumberStyle::kFractions);
      case Pattern::Kind::kComputed: {
        const std::optional<Rational> value = WorkOut(file_.expressions[static_cast<std::size_t>(pattern.id)], bindings_);
        if (!value) return std::nullopt;
        return algebra::NumberNode(Exact(value->numerator()) / value->denominator(), NumberStyle::kFractions);
      }
      case Pattern::Kind::kUnknown:
        return algebra::Unknown();
      default:
        break;
    }
    std::vector<Node> parts;
    for (const Pattern& child : pattern.children) {
      std::optional<Node> part = Build(child);
      if (!part) return std::nullopt;
      parts.push_back(std::move(*part));
    }
    switch (pattern.kind) {
      case Pattern::Kind::kNegation:
        return Negation(std::move(parts[0]));
      case Pattern::Kind::kSum:
        return Sum(std::move(parts));
      case Pattern::Kind::kProduct:
        return Product(std::move(parts));
      case Pattern::Kind::kQuotient:
        return Quotient(std::move(parts[0]), std::move(parts[1]));
      case Pattern::Kind::kPower: {
        constexpr unsigned kMostExponent = 100;
        if (!parts[1].Is(Kind::kNumber) || parts[1].value > kMostExponent) return std::nullopt;
        return Power(std::move(parts[0]), static_cast<unsigned>(parts[1].value));
      }
      default:
        return std::nullopt;
    }
  }

 private:
  const Definition& file_;
  const Bindings& bindings_;
};

// --- The rules of the file ------------------------------------------------------------------------------------------------

class RuleBook {
 public:
  static const RuleBook& Get() {
    static const RuleBook book;
    return book;
  }

  void ListTerms(const Node& node, std::vector<WrongTerm>& wrong) const {
    const auto forms = at_.find(node.kind);
    if (forms == at_.end()) return;
    for (const std::size_t index : forms->second) {
      const CompiledForm& form = forms_[index];
      Matcher matcher(*file_, form.in_order);
      matcher.Match(form.left, node, true, [&] {
        const Bindings& bindings = matcher.bindings();
        if (!AllHold(form, bindings)) return;
        std::optional<Node> result = Builder(*file_, bindings).Build(form.right);
        if (!result) return;
        std::vector<Named> named = NamesOf(form, bindings, bindings.matched ? *bindings.matched : node, *result);
        if (!bindings.beside.empty()) {
          std::vector<Node> parts = bindings.beside;
          parts.insert(parts.begin(), std::move(*result));
          result = node.Is(Kind::kSum) ? Sum(std::move(parts)) : Product(std::move(parts));
        }
        wrong.push_back({form.rule, std::move(*result), std::move(named)});
      });
    }
  }

  void ListEquations(const Equation& equation, std::vector<WrongEquations>& wrong) const {
    for (const std::size_t index : equations_) {
      const CompiledForm& form = forms_[index];
      for (const bool turned : {false, true}) {
        const Node& left = turned ? equation.right : equation.left;
        const Node& right = turned ? equation.left : equation.right;
        Matcher matcher(*file_, form.in_order);
        matcher.Match(form.left.children[0], left, false, [&] {
          matcher.Match(form.left.children[1], right, false, [&] { AddEquations(form, matcher.bindings(), turned, wrong); });
        });
      }
    }
  }

  std::optional<WrongTerm> FindSlip(const Node& was, const Node& is, bool last, const IsWritten& is_written) const {
    const Node old_worth = WorthOf(was);
    const Node new_worth = IsWrittenNumber(is) ? is : WorthOf(is);
    for (const std::size_t index : slips_) {
      const CompiledForm& form = forms_[index];
      if (form.is_last != last || (last && !IsWrittenNumber(is)) || (rules[form.rule].visible && !is_written(was))) continue;
      for (const bool without_sign : {false, true}) {
        if (without_sign && (!was.Is(Kind::kNegation) || form.is_worked_out)) continue;
        const Node before = without_sign ? was.children[0] : form.is_worked_out ? old_worth : was;
        const Node after = !without_sign                   ? new_worth
                           : new_worth.Is(Kind::kNegation) ? new_worth.children[0]
                                                           : Negation(new_worth);
        std::optional<WrongTerm> found;
        Matcher matcher(*file_, form.in_order);
        const auto check = [&] {
          if (!found && AllHold(form, matcher.bindings()))
            found = WrongTerm{form.rule, is, NamesOf(form, matcher.bindings(), was, is)};
        };
        matcher.Match(form.left, before, false, [&] {
          // A product is looked at as it was written.
          if (form.has_made)
            return matcher.Match(form.right, form.right.Is(Pattern::Kind::kProduct) ? is : after, false, check);
          const std::optional<Node> result = Builder(*file_, matcher.bindings()).Build(form.right);
          if (result && algebra::SameForm(*result, after)) check();
        });
        if (found) return found;
      }
    }
    return std::nullopt;
  }

  std::vector<Rule> rules;
  std::vector<Example> examples;

 private:
  // What a part is when it is worked out, if it is a polynomial.
  static Node WorthOf(const Node& part) {
    const std::optional<algebra::NormalForm> form = algebra::FormOf(part);
    return form && form->IsPolynomial() ? algebra::PolynomialNode(form->numerator, NumberStyle::kFractions) : part;
  }

  RuleBook() {
    for (const files::Rule& rule : file_->errors) {
      Slots slots;
      Rule made = Said(rule, slots);
      bool in_order = false;
      bool worked_out = false;
      bool last = false;
      const std::map<std::string_view, bool*> flags{{"exact", &made.exact},
                                                    {"visible", &made.visible},
                                                    {"in-order", &in_order},
                                                    {"worked-out", &worked_out},
                                                    {"last", &last}};
      if (rule.label) {
        for (const std::string_view word : Split(rule.label->literals.front(), " ")) {
          if (word.empty()) continue;
          const auto flag = flags.find(word);
          if (flag == flags.end()) {
            throw Error(fmt::format(
                "mistake '{}': unknown word '{}' in its label; there are: exact, visible, in-order, worked-out, last",
                rule.name, word));
          }
          *flag->second = true;
        }
      }
      for (const files::Form& form : rule.forms) {
        CompiledForm compiled{
            rules.size(), PatternReader(*file_, form.left).Read(), PatternReader(*file_, form.right).Read(), &form.where, slots,
            in_order};
        FindMonomials(*file_, compiled.left);
        const bool is_alone = compiled.left.Is(Pattern::Kind::kVariable);
        compiled.has_made = !rule.choices.empty() && Mentions(compiled.right, rule.choices.front().variable);
        compiled.is_last = last;
        compiled.is_worked_out = worked_out || (is_alone && IsNumeric(*file_, compiled.left));
        if (compiled.has_made) FindMonomials(*file_, compiled.right);
        if (compiled.has_made || is_alone) {
          slips_.push_back(forms_.size());
        } else {
          Place(compiled.left);
        }
        forms_.push_back(std::move(compiled));
      }
      rules.push_back(std::move(made));
    }
    for (const files::Rule& rule : FunctionFile().errors) {
      Slots slots;
      const auto has_name = [&](const Rule& other) { return other.name == rule.name; };
      if (std::none_of(rules.begin(), rules.end(), has_name)) rules.push_back(Said(rule, slots));
    }
    for (const files::Definition* const file : {file_.get(), &FunctionFile()}) {
      for (const files::FileTest& test : file->tests) examples.push_back({test.from, test.by, test.to});
    }
  }

  using Slots = std::vector<std::pair<std::string, std::int32_t>>;
  // What is said of a rule, and the slots of that.
  Rule Said(const files::Rule& rule, Slots& slots) const {
    Rule made{rule.name};
    for (const auto& [language, sentence] : rule.sentences) made.sentences[language] = TextOf(sentence, slots);
    for (const auto& [language, hint] : rule.hints) made.hints[language] = hint;
    return made;
  }

  // The sentence with {NAME} for each slot, and which slots there are.
  std::string TextOf(const files::Template& sentence, Slots& slots) const {
    std::string text = sentence.literals[0];
    for (std::size_t i = 0; i < sentence.slots.size(); ++i) {
      const std::int32_t id = sentence.slots[i];
      const std::int32_t part = id == files::Template::kTo ? kPartAfter : kPartBefore;
      const std::string name = id >= 0              ? file_->variables[static_cast<std::size_t>(id)].name
                               : part == kPartAfter ? "is"
                                                    : "term";
      text += "{" + name + "}" + sentence.literals[i + 1];
      const std::pair<std::string, std::int32_t> slot{name, id >= 0 ? id : part};
      if (std::find(slots.begin(), slots.end(), slot) == slots.end()) slots.push_back(slot);
    }
    return text;
  }

  // The kinds of nodes that may look like this.
  void Place(const Pattern& left) {
    static const std::map<Pattern::Kind, std::vector<Kind>> kLookLike{
        {Pattern::Kind::kEquation, {}},
        {Pattern::Kind::kSum, {Kind::kSum}},
        {Pattern::Kind::kProduct, {Kind::kProduct}},
        {Pattern::Kind::kNegation, {Kind::kNegation}},
        {Pattern::Kind::kQuotient, {Kind::kQuotient}},
        {Pattern::Kind::kPower, {Kind::kPower}},
        {Pattern::Kind::kMonomial, {Kind::kProduct, Kind::kQuotient, Kind::kNegation}},
        {Pattern::Kind::kMixed, {Kind::kMixed}},
    };
    const auto kinds = kLookLike.find(left.kind);
    if (kinds == kLookLike.end()) throw Error("a mistake begins with an operator or an equation");
    if (left.Is(Pattern::Kind::kEquation)) equations_.push_back(forms_.size());
    for (const Kind kind : kinds->second) at_[kind].push_back(forms_.size());
  }

  bool AllHold(const CompiledForm& form, const Bindings& bindings) const {
    return std::all_of(form.conditions->begin(), form.conditions->end(),
                       [&](const files::Condition& condition) { return Holds(*file_, condition, bindings); });
  }

  static std::vector<Named> NamesOf(const CompiledForm& form, const Bindings& bindings, const Node& was, const Node& is) {
    std::vector<Named> named;
    for (const auto& [name, id] : form.slots) named.emplace_back(name, id >= 0 ? bindings[id] : id == kPartAfter ? is : was);
    return named;
  }

  void AddEquations(const CompiledForm& form, const Bindings& bindings, bool turned, std::vector<WrongEquations>& wrong) const {
    if (!AllHold(form, bindings)) return;
    const Builder builder(*file_, bindings);
    WrongEquations made{form.rule, {}, {}};
    const std::span<const Pattern> all =
        form.right.Is(Pattern::Kind::kOr) ? std::span(form.right.children) : std::span(&form.right, 1);
    for (const Pattern& one : all) {
      std::optional<Node> left = builder.Build(one.children[turned ? 1 : 0]);
      std::optional<Node> right = builder.Build(one.children[turned ? 0 : 1]);
      if (!left || !right) return;
      made.equations.push_back({std::move(*left), std::move(*right)});
    }
    made.named = NamesOf(form, bindings, algebra::Number(0), algebra::Number(0));
    wrong.push_back(std::move(made));
  }

  std::shared_ptr<const Definition> file_ = files::ReadMistakes("algebra.domain", std::string(kAlgebraMistakes));
  std::vector<CompiledForm> forms_;
  std::map<Kind, std::vector<std::size_t>> at_;
  std::vector<std::size_t> equations_;
  std::vector<std::size_t> slips_;
};

}  // namespace

const std::vector<Rule>& Rules() { return RuleBook::Get().rules; }

const std::vector<Example>& Examples() { return RuleBook::Get().examples; }

void ListWrongTerms(const Node& node, std::vector<WrongTerm>& wrong) { RuleBook::Get().ListTerms(node, wrong); }

void ListWrongEquations(const Equation& equation, std::vector<WrongEquations>& wrong) {
  RuleBook::Get().ListEquations(equation, wrong);
}

std::optional<WrongTerm> FindSlip(const Node& was, const Node& is, bool last, const IsWritten& is_written) {
  return RuleBook::Get().FindSlip(was, is, last, is_written);
}

}  // namespace conpole::mistakes
