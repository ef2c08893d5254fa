#include "verify/exact.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace conpole {
namespace {

// Some tens of milliseconds.
constexpr std::uint64_t kMaxAnalysis = 10'000'000;

// What an expression is, as a function of its unknown, wherever it is defined.
struct Function {
  Polynomial over;
  Polynomial under{1};
};

class SideAnalysis {
 public:
  // With a value for the unknown, all functions are constant.
  explicit SideAnalysis(Work& work, const Exact* unknown = nullptr) : work_(work), unknown_(unknown) {}

  // An equality counts as the difference of its sides.
  Function Analyse(const Expression& expression) {
    std::vector<Function> stack;
    for (const ExpressionNode& node : expression) {
      switch (node.kind) {
        case ExpressionNode::Kind::kNumber:
          stack.push_back(Number(node));
          break;
        case ExpressionNode::Kind::kUnknown:
          stack.push_back(unknown_ == nullptr ? Function{{0, 1}, {1}} : Constant(*unknown_));
          break;
        case ExpressionNode::Kind::kNegation:
          for (Integer& coefficient : stack.back().over) coefficient = -coefficient;
          break;
        case ExpressionNode::Kind::kOperation:
          const Function right = std::move(stack.back());
          stack.pop_back();
          stack.back() = Apply(node.symbol, stack.back(), right);
          break;
      }
    }
    return std::move(stack.back());
  }

  // The roots of these are where what was analysed is not defined; if one is the polynomial 0, that is everywhere.
  const std::vector<Polynomial>& holes() const { return holes_; }
  bool DefinedNowhere() const {
    return std::any_of(holes_.begin(), holes_.end(), [](const auto& p) { return p.empty(); });
  }

 private:
  Function Number(const ExpressionNode& node) {
    if (node.exponent == 0) return Constant(node.number);
    const std::uint64_t words = 1 + node.exponent / 19;
    work_.Spend(words * words);
    return Constant(node.number * pow(Integer(10), node.exponent));
  }

  static Function Constant(const Exact& value) {
    if (value == 0) return {};
    return {{numerator(value)}, {denominator(value)}};
  }

  Function Apply(char op, const Function& a, const Function& b) {
    Function result;
    if (op == '*' || op == '/') {
      if (op == '/') AddHoles(b.over);
      const bool times = op == '*';
      result.over = Multiply(a.over, times ? b.over : b.under, work_);
      result.under = Multiply(a.under, times ? b.under : b.over, work_);
    } else {
      const bool same = a.under == b.under;
      const Polynomial left = same ? a.over : Multiply(a.over, b.under, work_);
      const Polynomial right = same ? b.over : Multiply(b.over, a.under, work_);
      result.over = op == '+' ? Add(left, right, work_) : Subtract(left, right, work_);
      result.under = same ? a.under : Multiply(a.under, b.under, work_);
    }
    Reduce(result);
    return result;
  }

  void AddHoles(const Polynomial& divisor) {
    if (divisor.size() == 1) return;
    Polynomial hole = Primitive(divisor, work_);
    if (std::find(holes_.begin(), holes_.end(), hole) == holes_.end()) holes_.push_back(std::move(hole));
  }

  // By common factors of numbers only: those of polynomials stay, and with them the knowledge of where something is not
  // defined.
  void Reduce(Function& function) {
    Integer common = 0;
    for (const Polynomial* const part : {&function.over, &function.under}) {
      for (const Integer& coefficient : *part) {
        work_.SpendOn(common, coefficient);
        common = gcd(common, coefficient);
        if (common == 1) return;
      }
    }
    if (common == 0) return;
    for (Polynomial* const part : {&function.over, &function.under}) {
      for (Integer& coefficient : *part) {
        work_.SpendOn(common, coefficient);
        coefficient /= common;
      }
    }
  }

  Work& work_;
  const Exact* unknown_;
  std::vector<Polynomial> holes_;
};

// 0 if there is no unknown; nothing if there is more than one.
std::optional<char> UnknownOf(const Expression& expression) {
  char letter = 0;
  for (const ExpressionNode& node : expression) {
    if (node.kind != ExpressionNode::Kind::kUnknown || node.symbol == letter) continue;
    if (letter != 0) return std::nullopt;
    letter = node.symbol;
  }
  return letter;
}

RealRoots RootsOfAll(const std::vector<Polynomial>& polynomials, Work& work) {
  Polynomial product{1};
  for (const Polynomial& p : polynomials) product = Multiply(product, p, work);
  return FindRealRoots(product, work);
}

// Whether two expressions are equal wherever both are defined, and there is such a number. Nothing if they are too large.
std::optional<bool> Equal(const Expression& a, const Expression& b) {
  try {
    Work work(kMaxAnalysis);
    Expression difference = a;
    difference.insert(difference.end(), b.begin(), b.end());
    PushOperation(difference, '-');
    SideAnalysis analysis(work);
    const Function value = analysis.Analyse(difference);
    return !analysis.DefinedNowhere() && value.over.empty();
  } catch (const OutOfWork&) {
    return std::nullopt;
  }
}

}  // namespace

SolutionSet SolveExactly(std::string_view equation) {
  const std::optional<Expression> expression = ReadCanonical(equation);
  if (expression) return SolveExactly(*expression);
  SolutionSet set;
  set.kind = SolutionSet::Kind::kNotAnalysed;
  return set;
}

SolutionSet SolveExactly(const Expression& equation) {
  SolutionSet set;
  const std::optional<char> unknown = UnknownOf(equation);
  if (!unknown || !IsEquation(equation)) {
    set.kind = SolutionSet::Kind::kNotAnalysed;
    return set;
  }
  set.unknown = *unknown;
  try {
    Work work(kMaxAnalysis);
    SideAnalysis analysis(work);
    const Function difference = analysis.Analyse(equation);
    if (analysis.DefinedNowhere()) {
      set.kind = SolutionSet::Kind::kNone;
    } else if (difference.over.empty()) {
      set.exceptions = RootsOfAll(analysis.holes(), work);
      set.kind = SolutionSet::Kind::kEvery;
    } else {
      Polynomial zeros = difference.over;
      for (const Polynomial& hole : analysis.holes()) zeros = WithoutRootsOf(std::move(zeros), hole, work);
      set.roots = FindRealRoots(zeros, work);
      set.kind = set.count() == 0 ? SolutionSet::Kind::kNone : SolutionSet::Kind::kRoots;
    }
  } catch (const OutOfWork&) {
    set.kind = SolutionSet::Kind::kCannotTell;
  }
  return set;
}

std::optional<bool> SameSolutions(const SolutionSet& a, const SolutionSet& b) {
  for (const SolutionSet* const set : {&a, &b}) {
    if (set->kind == SolutionSet::Kind::kCannotTell || set->kind == SolutionSet::Kind::kNotAnalysed) return std::nullopt;
  }
  if (a.kind != b.kind) return false;
  try {
    Work work(kMaxAnalysis);
    return SameRoots(a.roots, b.roots, work) && SameRoots(a.exceptions, b.exceptions, work);
  } catch (const OutOfWork&) {
    return std::nullopt;
  }
}

std::optional<Exact> EvaluateTerm(std::string_view term, const Exact& unknown) {
  const std::optional<Expression> expression = ReadCanonical(term);
  return expression ? EvaluateTerm(*expression, unknown) : std::nullopt;
}

std::optional<Exact> EvaluateTerm(const Expression& term, const Exact& unknown) {
  try {
    Work work(kMaxAnalysis);
    SideAnalysis analysis(work, &unknown);
    const Function value = analysis.Analyse(term);
    if (analysis.DefinedNowhere()) return std::nullopt;
    return value.over.empty() ? Exact(0) : Exact(value.over.front(), value.under.front());
  } catch (const OutOfWork&) {
    return std::nullopt;
  }
}

std::optional<bool> SameFunction(const Expression& a, const Expression& b) {
  if (IsEquation(a) || IsEquation(b)) return std::nullopt;
  const std::optional<char> one = UnknownOf(a);
  const std::optional<char> other = UnknownOf(b);
  if (!one || !other || (*one != 0 && *other != 0 && *one != *other)) return std::nullopt;
  return Equal(a, b);
}

std::optional<bool> SameFunction(std::string_view a, std::string_view b) {
  const std::optional<Expression> left = ReadCanonical(a);
  const std::optional<Expression> right = ReadCanonical(b);
  if (!left || !right) return std::nullopt;
  return SameFunction(*left, *right);
}

}  // namespace conpole
