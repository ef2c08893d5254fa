#include "domains/axioms/equations.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "conpole/error.h"
#include "domains/axioms/equation_templates.h"
#include "domains/axioms/hard_equations.h"
#include "domains/axioms/integer_text.h"
#include "domains/axioms/rewrite.h"
#include "domains/axioms/term_domain.h"
#include "util/random.h"

namespace conpole {

const char* EquationNotation::ReadNumber(const char* at, const char* end, bool negative, Rational& number, TermError& error) {
  const char* const start = at;
  std::int64_t over = 0;
  std::int64_t under = 1;
  if (*at != '[') {
    at = ReadInteger(at, end, over, error);
    if (at == nullptr) return nullptr;
  } else {
    ++at;
    if (at != end && *at == '-') {
      negative = !negative;
      ++at;
    }
    at = ReadInteger(at, end, over, error);
    if (at == nullptr) return nullptr;
    if (at == end || *at != '/') {
      error = {at, term_internal::Expected("'/' in the fraction", at, end)};
      return nullptr;
    }
    at = ReadInteger(at + 1, end, under, error);
    if (at == nullptr) return nullptr;
    if (at == end || *at != ']') {
      error = {at, term_internal::Expected("']' after the fraction", at, end)};
      return nullptr;
    }
    ++at;
  }
  const std::optional<Rational> value = Rational::Make(negative ? -over : over, under);
  if (!value) {
    error = {start, "a fraction with denominator 0"};
    return nullptr;
  }
  number = *value;
  return at;
}

namespace {

using EquationTerm = Term<EquationNotation>;

// The axioms on one subterm. Each function is one family and gives at most one result; they stand in the order in which the
// families are listed.
class EquationRules {
 public:
  using Index = EquationTerm::Index;

  EquationRules(const EquationTerm& term, Labels labels, Successors& out)
      : term_(term), rewrite_(term, labels, out, kNewBytes) {}

  void Append() {
    const Sub left{term_.Left(0)};
    const Sub right{term_.Right(0)};
    rewrite_.ReplaceAll(Root('=', right, left), [](char* out) { return WriteText(out, "refl"); });
    thread_local std::vector<Index> operations;
    operations.clear();
    for (Index i = 1; i < term_.size(); ++i) {
      if (term_.IsOperation(i)) operations.push_back(i);
    }
    for (const auto family : kFamilies) {
      for (const Index i : operations) (this->*family)(i, term_[i].symbol, term_.Left(i), term_.Right(i));
    }
    OnBothSides(left, right);
  }

  // The same of one subterm alone.
  void AppendAt(Index i) {
    if (i == 0 || !term_.IsOperation(i)) return;
    for (const auto family : kFamilies) (this->*family)(i, term_[i].symbol, term_.Left(i), term_.Right(i));
  }

 private:
  // Punctuation and up to two new numbers.
  static constexpr std::size_t kNewBytes = 32 + 2 * EquationNotation::kMaxNumberBytes;
  using Number = Num<Rational>;

  static bool IsSum(char op) { return op == '+' || op == '-'; }
  bool IsSum(Index i) const { return term_.IsOperation(i) && IsSum(term_[i].symbol); }
  // Whether the subterm is this number, as it is written.
  bool IsLiteral(std::int64_t value, Index i) const { return term_.IsNumber(i) && term_[i].number.Is(value); }
  // 0, or 0 times a variable
  bool IsLiteralZero(Index i) const { return IsLiteral(0, i) || (term_.IsMonomial(i) && IsLiteral(0, term_.Left(i))); }

  void Commute(Index i, char op, Index l, Index r) {
    if (op == '+' || op == '*') {
      rewrite_.Replace("comm", i, Op(op, Sub{r}, Sub{l}));
    } else if (op == '-' && term_.IsOperation(l, '-')) {
      rewrite_.Replace("sub_comm", i, Op('-', Op('-', Sub{term_.Left(l)}, Sub{r}), Sub{term_.Right(l)}));
    }
  }

  void Associate(Index i, char op, Index l, Index r) {
    // + associates over + and -, * over * and /.
    const auto associates = [](char over, char other) {
      return over == '+' ? IsSum(other) : over == '*' && (other == '*' || other == '/');
    };
    if (term_.IsOperation(r) && associates(op, term_[r].symbol)) {
      rewrite_.Replace("assoc", i, Op(term_[r].symbol, Op(op, Sub{l}, Sub{term_.Left(r)}), Sub{term_.Right(r)}));
    } else if (term_.IsOperation(l) && associates(term_[l].symbol, op)) {
      rewrite_.Replace("assoc", i, Op(term_[l].symbol, Sub{term_.Left(l)}, Op(op, Sub{term_.Right(l)}, Sub{r})));
    }
  }

  void Distribute(Index i, char op, Index l, Index r) {
    if (op == '*' && IsSum(r)) {
      rewrite_.Replace("dist", i,
                       Op(term_[r].symbol, Op('*', Sub{l}, Sub{term_.Left(r)}), Op('*', Sub{l}, Sub{term_.Right(r)})));
    } else if (IsSum(op) && term_.IsOperation(l, '*') && term_.IsOperation(r, '*') &&
               term_.Equal(term_.Right(l), term_.Right(r))) {
      rewrite_.Replace("dist", i, Op('*', Op(op, Sub{term_.Left(l)}, Sub{term_.Left(r)}), Sub{term_.Right(l)}));
    } else if ((op == '*' || op == '/') && IsSum(l)) {
      rewrite_.Replace("dist", i, Op(term_[l].symbol, Op(op, Sub{term_.Left(l)}, Sub{r}), Op(op, Sub{term_.Right(l)}, Sub{r})));
    }
  }

  void Evaluate(Index i, char op, Index l, Index r) {
    if (!term_.IsNumber(l) || !term_.IsNumber(r)) return;
    const std::optional<Rational> value = Rational::Apply(op, term_[l].number, term_[r].number);
    if (value) rewrite_.Replace("eval", i, Number{*value});
  }

  void Cancel(Index i, char op, Index l, Index r) {
    if (op == '/' && !IsLiteralZero(r) && term_.Equal(l, r)) {
      rewrite_.Replace("div_self", i, Number{Rational(1)});
    } else if (op == '-' && term_.Equal(l, r)) {
      rewrite_.Replace("sub_self", i, Number{Rational(0)});
    } else if (op == '-' && term_.IsNumber(r)) {
      rewrite_.Replace("subsub", i, Op('+', Sub{l}, Number{-term_[r].number}));
    } else if (op == '-' && term_.IsOperation(r, '*') && term_.IsNumber(term_.Left(r))) {
      rewrite_.Replace("subsub", i, Op('+', Sub{l}, Op('*', Number{-term_[term_.Left(r)].number}, Sub{term_.Right(r)})));
    } else if (op == '*' && (IsLiteral(0, l) || IsLiteral(0, r))) {
      rewrite_.Replace("mul0", i, Number{Rational(0)});
    } else if (op == '/' && IsLiteral(0, l) && !IsLiteralZero(r)) {
      rewrite_.Replace("zero_div", i, Number{Rational(0)});
    }
  }

  void Identity(Index i, char op, Index l, Index r) {
    switch (op) {
      case '+':
        return IdentityElement("add0", 0, i, l, r, true);
      case '-':
        return IdentityElement("sub0", 0, i, l, r, false);
      case '*':
        return IdentityElement("mul1", 1, i, l, r, true);
      default:
        return IdentityElement("div1", 1, i, l, r, false);
    }
  }

  void IdentityElement(std::string_view name, std::int64_t element, Index i, Index l, Index r, bool on_the_left_too) {
    if (IsLiteral(element, r)) {
      rewrite_.Replace(name, i, Sub{l});
    } else if (on_the_left_too && IsLiteral(element, l)) {
      rewrite_.Replace(name, i, Sub{r});
    }
  }

  // add, sub, mul and div with every different number, variable and number times variable of the equation that is not zero.
  void OnBothSides(Sub left, Sub right) {
    struct Operation {
      char symbol;
      std::string_view label;
    };
    static constexpr std::array<Operation, 4> kOperations{{{'+', "add "}, {'-', "sub "}, {'*', "mul "}, {'/', "div "}}};
    thread_local std::vector<Index> seen;
    seen.clear();
    for (Index i = 1; i < term_.size(); ++i) {
      const bool usable =
          term_.IsNumber(i) ? !IsLiteral(0, i) : term_.IsVariable(i) || (term_.IsMonomial(i) && !IsLiteral(0, term_.Left(i)));
      if (!usable) continue;
      if (std::any_of(seen.begin(), seen.end(), [&](Index other) { return term_.Equal(i, other); })) continue;
      seen.push_back(i);
      for (const Operation& operation : kOperations) {
        rewrite_.ReplaceAll(Root('=', Op(operation.symbol, left, Sub{i}), Op(operation.symbol, right, Sub{i})),
                            [&](char* out) { return Sub{i}.Write(term_, WriteText(out, operation.label)); });
      }
    }
  }

  using Family = void (EquationRules::*)(Index, char, Index, Index);
  static constexpr std::array<Family, 6> kFamilies{&EquationRules::Commute,    &EquationRules::Associate,
                                                   &EquationRules::Distribute, &EquationRules::Evaluate,
                                                   &EquationRules::Cancel,     &EquationRules::Identity};

  const EquationTerm& term_;
  Rewriter<EquationNotation> rewrite_;
};

constexpr std::string_view kTemplates = "templates";
constexpr std::string_view kHard = "hard";

// Whether problems are drawn from the grammar of hard ones.
bool IsHard(const Parameters& parameters) {
  const std::string& source = parameters.Text("source");
  if (source != kTemplates && source != kHard) {
    throw Error(fmt::format("parameter 'source' must be {} or {}, not '{}'", kTemplates, kHard, source));
  }
  if (source == kHard && !parameters.Text("templates").empty()) {
    throw Error("source=hard draws no problems from templates: leave one of the two out");
  }
  return source == kHard;
}

class Equations final : public TermDomain<EquationNotation> {
 public:
  explicit Equations(const Parameters& parameters)
      : TermDomain(EquationsType(), parameters),
        hard_(IsHard(parameters)),
        templates_(parameters.Text("templates").empty() ? BuiltInTemplates() : ReadTemplateFile(parameters.Text("templates"))),
        size_(parameters.Integer("size")),
        max_constant_(static_cast<std::int32_t>(parameters.Integer("max_constant"))),
        zero_(parameters.Integer("zero") != 0),
        max_nodes_(static_cast<std::size_t>(parameters.Integer("max_nodes"))),
        max_bytes_(static_cast<std::size_t>(parameters.Integer("max_bytes"))) {}

  std::string Generate(std::uint64_t seed) const override {
    if (hard_) return DrawHardEquation(seed, {size_, max_constant_, zero_, max_nodes_, max_bytes_});
    Random random(seed);
    const EquationTemplate& shape = templates_[static_cast<std::size_t>(random.Int64(0, std::ssize(templates_)))];
    EquationTerm term;
    Malformed error;
    term.Read(shape.equation, error);
    if (!shape.literal) {
      for (EquationTerm::Index i = 0; i < term.size(); ++i) {
        if (term.IsNumber(i)) term.SetNumber(i, Rational(RandomConstant(random)));
      }
      term.Print();
    }
    return std::string(term.text());
  }

  bool Solved(std::string_view state) const override {
    if (state.size() < 5 || !IsLetter(state[0]) || state.substr(1, 3) != " = ") return false;
    // Of all terms, only a number has neither a blank nor a letter.
    const std::string_view right = state.substr(4);
    return std::none_of(right.begin(), right.end(), [](char c) { return c == ' ' || IsLetter(c); });
  }

 protected:
  bool WithinCap(const EquationTerm& term) const override {
    return term.size() <= max_nodes_ && term.text().size() <= max_bytes_;
  }

  void AppendSuccessors(const EquationTerm& term, Labels labels, Successors& out) const override {
    EquationRules(term, labels, out).Append();
  }

  bool AppendSuccessorsAt(const EquationTerm& term, std::uint32_t position, Successors& out) const override {
    if (position < term.size()) EquationRules(term, Labels::kOn, out).AppendAt(position);
    return true;
  }

 private:
  std::int32_t RandomConstant(Random& random) const {
    if (zero_) return random.Int32(-max_constant_, max_constant_ + 1);
    return random.Coin() ? random.Int32(1, max_constant_ + 1) : random.Int32(-max_constant_, 0);
  }

  bool hard_;
  std::vector<EquationTemplate> templates_;
  std::int64_t size_;
  std::int32_t max_constant_;
  bool zero_;
  std::size_t max_nodes_;
  std::size_t max_bytes_;
};

}  // namespace

const DomainType& EquationsType() {
  static const DomainType type{
      "equations",
      "linear equations in one unknown, solved by elementary axioms",
      {{"templates", "a file of equation shapes, one per line; empty for the built-in ones", "", std::nullopt},
       {"source", "where problems come from: templates, or hard, a grammar of long ones", std::string(kTemplates),
        std::nullopt},
       {"size", "terms of hard problems, at the most", "8", {{kSmallestHardEquation, kLargestHardEquation}}},
       {"max_constant", "constants are drawn from -max_constant to max_constant", "10", {{1, 1'000'000}}},
       {"zero", "1 if constants may be 0", "0", {{0, 1}}},
       {"max_nodes", "equations of more nodes have no successors", "30", {{3, 1'000'000}}},
       {"max_bytes", "equations of longer text have no successors", "80", {{5, 1'000'000}}}},
      {{"refl", "the two sides of an equation can be exchanged"},
       {"comm", "A + B is B + A, and A * B is B * A"},
       {"sub_comm", "(A - B) - C is (A - C) - B"},
       {"assoc", "+ associates over + and -, * over * and /"},
       {"dist", "* and / distribute over + and -"},
       {"eval", "an operation on two numbers is its result"},
       {"div_self", "A / A is 1 if A is not 0"},
       {"sub_self", "A - A is 0"},
       {"subsub", "subtracting a number, or a multiple, is adding its negative"},
       {"mul0", "a product with 0 is 0"},
       {"zero_div", "0 divided by what is not 0 is 0"},
       {"add0", "adding 0 changes nothing"},
       {"sub0", "subtracting 0 changes nothing"},
       {"mul1", "multiplying by 1 changes nothing"},
       {"div1", "dividing by 1 changes nothing"},
       {"add", "the same term can be added to both sides"},
       {"sub", "the same term can be subtracted from both sides"},
       {"mul", "both sides can be multiplied by the same term"},
       {"div", "both sides can be divided by the same term"}},
      [](const Parameters& parameters) -> std::unique_ptr<Domain> { return std::make_unique<Equations>(parameters); }};
  return type;
}

}  // namespace conpole
