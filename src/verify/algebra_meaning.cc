#include "verify/algebra_meaning.h"

#include <algorithm>
#include <string>
#include <utility>

#include "math/polynomial.h"
#include "util/text.h"

namespace conpole {
namespace {

constexpr std::uint64_t kMaxWork = 10'000'000;
constexpr std::size_t kMaxNodes = 20'000;
constexpr unsigned kMaxExponent = 1'000;
constexpr std::size_t kMaxNesting = 500;
constexpr unsigned kMaxRootDegree = 12;
// What stands for a root in an expression. No unknown is written so.
constexpr char kRootSymbol = '@';

// Thrown and caught within this file.
struct NotRead {};

struct Relation {
  Expression left;
  Expression right;
  std::optional<Integer> radicand;  // of the root in it
  unsigned degree = 2;              // of that root
};

struct Statement {
  enum class Form : std::uint8_t { kTerm, kEquations, kNoSolution, kEveryNumber };
  Form form = Form::kTerm;
  Expression term;
  std::vector<Relation> equations;
  std::vector<Relation> conditions;  // that do not hold
  char unknown = 0;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Statement ReadStatement() {
    Statement statement;
    if (Eat("no solution")) {
      statement.form = Statement::Form::kNoSolution;
    } else if (Eat("every number")) {
      statement.form = Statement::Form::kEveryNumber;
    } else {
      Expression first = ReadTerm();
      if (at_ == text_.size()) {
        if (unknown_ != 0 || radicand_) throw NotRead();
        statement.term = std::move(first);
        return statement;
      }
      statement.form = Statement::Form::kEquations;
      statement.equations.push_back(ReadRelation(std::move(first), " = "));
      while (Eat(" or ")) {
        Expression left = ReadTerm();
        statement.equations.push_back(ReadRelation(std::move(left), " = "));
      }
    }
    if (Eat("; ")) {
      do {
        Expression left = ReadTerm();
        statement.conditions.push_back(ReadRelation(std::move(left), " != "));
      } while (Eat(", "));
    }
    if (at_ != text_.size()) throw NotRead();
    statement.unknown = unknown_;
    return statement;
  }

  Expression ReadOnlyTerm() {
    Expression term = ReadTerm();
    if (at_ != text_.size() || radicand_) throw NotRead();
    return term;
  }

 private:
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool Eat(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  Relation ReadRelation(Expression left, std::string_view sign) {
    if (!Eat(sign)) throw NotRead();
    Expression right = ReadTerm();
    return {std::move(left), std::move(right), std::exchange(radicand_, std::nullopt), degree_};
  }

  Expression ReadTerm() {
    Expression term;
    ReadSum(term);
    return term;
  }

  void Operate(Expression& out, char symbol) const {
    PushOperation(out, symbol);
    if (out.size() > kMaxNodes) throw NotRead();
  }

  void ReadSum(Expression& out) {
    if (++nesting_ > kMaxNesting) throw NotRead();
    if (Eat("-")) {
      ReadProduct(out);
      PushNegation(out);
    } else {
      ReadProduct(out);
    }
    for (;;) {
      const bool plus = Eat(" + ");
      if (!plus && !Eat(" - ")) break;
      ReadProduct(out);
      Operate(out, plus ? '+' : '-');
    }
    --nesting_;
  }

  // Divisions bind tighter than the sign of a product, and apply to all factors without a sign before them.
  void ReadProduct(Expression& out) {
    ReadQuotient(out);
    while (Eat(" * ")) {
      ReadQuotient(out);
      Operate(out, '*');
    }
  }

  void ReadQuotient(Expression& out) {
    ReadFactor(out);
    for (;;) {
      if (Eat("/")) {
        ReadFactor(out);
        Operate(out, '/');
      } else if (Peek() == '(' || IsLetter(Peek())) {
        ReadFactor(out);
        Operate(out, '*');
      } else {
        return;
      }
    }
  }

  void ReadFactor(Expression& out) {
    const std::size_t start = out.size();
    ReadAtom(out);
    if (!Eat("^")) return;
    const Integer digits = ReadInteger();
    if (digits > kMaxExponent) throw NotRead();
    const auto exponent = static_cast<unsigned>(digits);
    if (exponent == 0) {
      out.resize(start);
      PushNumber(out, 1);
      return;
    }
    const std::size_t size = out.size() - start;
    if (size * exponent * 2 > kMaxNodes) throw NotRead();
    const Expression base(out.begin() + static_cast<std::ptrdiff_t>(start), out.end());
    for (unsigned i = 1; i < exponent; ++i) {
      out.insert(out.end(), base.begin(), base.end());
      Operate(out, '*');
    }
  }

  void ReadAtom(Expression& out) {
    if (Eat("(")) {
      ReadSum(out);
      if (!Eat(")")) throw NotRead();
    } else if (IsDigit(Peek())) {
      ReadNumber(out);
    } else if (Eat("sqrt(")) {
      ReadRoot(2, out);
    } else if (Eat("cbrt(")) {
      ReadRoot(3, out);
    } else if (Eat("root(")) {
      const Integer degree = ReadInteger();
      if (degree < 2 || degree > kMaxRootDegree || !Eat(", ")) throw NotRead();
      ReadRoot(static_cast<unsigned>(degree), out);
    } else if (IsLetter(Peek())) {
      if (unknown_ != 0 && unknown_ != Peek()) throw NotRead();
      unknown_ = Peek();
      PushUnknown(out, unknown_);
      ++at_;
    } else {
      throw NotRead();
    }
  }

  void ReadRoot(unsigned degree, Expression& out) {
    Integer radicand = ReadInteger();
    if (!Eat(")") || (radicand_ && (*radicand_ != radicand || degree_ != degree))) throw NotRead();
    radicand_ = std::move(radicand);
    degree_ = degree;
    PushUnknown(out, kRootSymbol);
  }

  std::string_view Digits() {
    const std::size_t start = at_;
    while (IsDigit(Peek())) ++at_;
    return text_.substr(start, at_ - start);
  }
  // A leading zero would mean octal to the constructor of Integer.
  static Integer ToInteger(std::string_view digits) {
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    return digits.empty() ? Integer(0) : Integer(std::string(digits));
  }
  Integer ReadInteger() {
    const std::string_view digits = Digits();
    if (digits.empty()) throw NotRead();
    return ToInteger(digits);
  }

  // 12, 1.5 or 1 1/2.
  void ReadNumber(Expression& out) {
    const std::string whole(Digits());
    if (Eat(".")) {
      const std::string places(Digits());
      if (places.empty()) throw NotRead();
      PushNumber(out, Exact(ToInteger(whole + places), pow(Integer(10), static_cast<unsigned>(places.size()))));
      return;
    }
    PushNumber(out, Exact(ToInteger(whole)));
    if (Peek() != ' ' || at_ + 1 >= text_.size() || !IsDigit(text_[at_ + 1])) return;
    ++at_;
    Integer above = ReadInteger();
    if (!Eat("/")) throw NotRead();
    Integer below = ReadInteger();
    if (below == 0) throw NotRead();
    PushNumber(out, Exact(std::move(above), std::move(below)));
    Operate(out, '+');
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t nesting_ = 0;
  char unknown_ = 0;
  std::optional<Integer> radicand_;
  unsigned degree_ = 2;
};

Expression EquationOf(const Relation& relation) {
  Expression equation = relation.left;
  equation.insert(equation.end(), relation.right.begin(), relation.right.end());
  PushOperation(equation, '=');
  return equation;
}

// q x - p for p/q.
Polynomial LinearWithRoot(const Exact& root) { return {-numerator(root), denominator(root)}; }

// A polynomial with exactly these real roots.
Polynomial PolynomialWith(const RealRoots& roots, Work& work) {
  Polynomial product{1};
  for (const Exact& root : roots.rational) product = Multiply(product, LinearWithRoot(root), work);
  if (roots.irrational > 0) product = Multiply(product, roots.rest, work);
  return product;
}

// The union of what several equations have as solutions, less what conditions exclude.
class Union {
 public:
  Union() : work_(kMaxWork) {}

  void Add(const Relation& equation) {
    if (equation.radicand) {
      AddSurd(equation);
      return;
    }
    const SolutionSet set = SolveExactly(EquationOf(equation));
    switch (set.kind) {
      case SolutionSet::Kind::kNone:
        return;
      case SolutionSet::Kind::kRoots:
        roots_ = Multiply(roots_, PolynomialWith(set.roots, work_), work_);
        return;
      case SolutionSet::Kind::kEvery:
        // Of several equations none divides by the unknown.
        every_ = true;
        excluded_ = PolynomialWith(set.exceptions, work_);
        return;
      case SolutionSet::Kind::kCannotTell:
      case SolutionSet::Kind::kNotAnalysed:
        throw NotRead();
    }
  }
  void AddEvery() { every_ = true; }

  void Exclude(const Relation& condition) {
    const SolutionSet set = SolveExactly(EquationOf(condition));
    if (set.kind == SolutionSet::Kind::kNone) return;
    if (set.kind != SolutionSet::Kind::kRoots) throw NotRead();
    excluded_ = Multiply(excluded_, PolynomialWith(set.roots, work_), work_);
  }

  // The roots that stand without their conjugates, in a fixed order.
  std::vector<std::pair<Polynomial, bool>> Unpaired() const {
    std::vector<std::pair<Polynomial, bool>> unpaired;
    for (const Surd& surd : surds_) {
      if (surd.plus != surd.minus) unpaired.emplace_back(surd.polynomial, surd.plus);
    }
    std::sort(unpaired.begin(), unpaired.end());
    return unpaired;
  }

  SolutionSet Take(char unknown) {
    SolutionSet set;
    set.unknown = unknown;
    if (every_) {
      set.kind = SolutionSet::Kind::kEvery;
      set.exceptions = FindRealRoots(excluded_, work_);
      return set;
    }
    for (const Surd& surd : surds_) roots_ = Multiply(roots_, surd.polynomial, work_);
    set.roots = FindRealRoots(WithoutRootsOf(roots_, excluded_, work_), work_);
    set.kind = set.count() == 0 ? SolutionSet::Kind::kNone : SolutionSet::Kind::kRoots;
    return set;
  }

 private:
  // a + b sqrt(c) and a - b sqrt(c) are the real roots of one polynomial; of a root of odd degree, there is one.
  struct Surd {
    Polynomial polynomial;
    bool plus = false;
    bool minus = false;
  };

  // x = a + b c^(1/n), where the root stands as an unknown.
  void AddSurd(const Relation& equation) {
    if (equation.left.size() != 1 || equation.left[0].kind != ExpressionNode::Kind::kUnknown) throw NotRead();
    const std::optional<Exact> a = EvaluateTerm(equation.right, 0);
    const std::optional<Exact> at_one = EvaluateTerm(equation.right, 1);
    const std::optional<Exact> at_two = EvaluateTerm(equation.right, 2);
    if (!a || !at_one || !at_two) throw NotRead();
    const Exact b = *at_one - *a;
    if (b == 0 || *at_two - *a != 2 * b) throw NotRead();
    // With whole numbers: (d x - d a)^n - (d b)^n c
    const unsigned degree = equation.degree;
    const Integer below = lcm(denominator(*a), denominator(b));
    Polynomial p{1};
    Integer constant = *equation.radicand;
    for (unsigned i = 0; i < degree; ++i) {
      p = Multiply(p, {numerator(Exact(-*a * below)), below}, work_);
      constant *= numerator(Exact(b * below));
    }
    p[0] -= constant;
    p = Primitive(std::move(p), work_);
    const bool odd = degree % 2 == 1;
    const RealRoots roots = FindRealRoots(p, work_);
    if (!roots.rational.empty() || roots.irrational != (odd ? 1U : 2U)) throw NotRead();
    auto same = std::find_if(surds_.begin(), surds_.end(), [&](const Surd& surd) { return surd.polynomial == p; });
    if (same == surds_.end()) same = surds_.insert(surds_.end(), Surd{std::move(p)});
    if (odd || b > 0) same->plus = true;
    if (odd || b < 0) same->minus = true;
  }

  Work work_;
  bool every_ = false;
  Polynomial roots_{1};
  Polynomial excluded_{1};
  std::vector<Surd> surds_;
};

bool HasRoot(const Expression& side) {
  return std::any_of(side.begin(), side.end(), [](const ExpressionNode& node) { return node.symbol == kRootSymbol; });
}

AlgebraMeaning MeaningOf(Statement statement) {
  AlgebraMeaning meaning;
  if (statement.form == Statement::Form::kTerm) {
    std::optional<Exact> value = EvaluateTerm(statement.term, 0);
    if (!value) throw NotRead();
    meaning.value = std::move(*value);
    meaning.kind = AlgebraMeaning::Kind::kValue;
    return meaning;
  }
  meaning.kind = AlgebraMeaning::Kind::kSolutions;
  Union all;
  if (statement.form == Statement::Form::kEveryNumber) all.AddEvery();
  for (const Relation& equation : statement.equations) all.Add(equation);
  for (const Relation& condition : statement.conditions) all.Exclude(condition);
  meaning.unpaired = all.Unpaired();
  meaning.half = !meaning.unpaired.empty();
  meaning.solutions = all.Take(statement.unknown);
  if (statement.equations.size() == 1 && !HasRoot(statement.equations.front().right)) {
    meaning.left = std::move(statement.equations.front().left);
    meaning.right = std::move(statement.equations.front().right);
  }
  return meaning;
}

}  // namespace

AlgebraMeaning ReadAlgebraAnew(std::string_view state) {
  try {
    return MeaningOf(Reader(state).ReadStatement());
  } catch (const NotRead&) {
    return {};
  } catch (const OutOfWork&) {
    return {};
  }
}

std::optional<Expression> ReadAlgebraTerm(std::string_view text) {
  try {
    return Reader(text).ReadOnlyTerm();
  } catch (const NotRead&) {
    return std::nullopt;
  }
}

std::optional<bool> Includes(const SolutionSet& set, const SolutionSet& part) {
  using Kind = SolutionSet::Kind;
  const auto known = [](const SolutionSet& s) { return s.kind != Kind::kCannotTell && s.kind != Kind::kNotAnalysed; };
  if (!known(set) || !known(part)) return std::nullopt;
  if (part.kind == Kind::kNone) return true;
  if (set.kind == Kind::kNone) return false;
  try {
    Work work(kMaxWork);
    const bool every = set.kind == Kind::kEvery;
    if (part.kind == Kind::kEvery) {
      if (!every) return false;
      const Polynomial missing =
          WithoutRootsOf(PolynomialWith(set.exceptions, work), PolynomialWith(part.exceptions, work), work);
      const RealRoots roots = FindRealRoots(missing, work);
      return roots.rational.empty() && roots.irrational == 0;
    }
    const Polynomial other = PolynomialWith(every ? set.exceptions : set.roots, work);
    const RealRoots rest = FindRealRoots(WithoutRootsOf(PolynomialWith(part.roots, work), other, work), work);
    const std::size_t count = rest.rational.size() + rest.irrational;
    return every ? count == part.count() : count == 0;
  } catch (const OutOfWork&) {
    return std::nullopt;
  }
}

std::optional<bool> SameMeaning(const AlgebraMeaning& a, const AlgebraMeaning& b) {
  using Kind = AlgebraMeaning::Kind;
  if (a.kind == Kind::kNotKnown || b.kind == Kind::kNotKnown) return std::nullopt;
  if (a.kind != b.kind) return false;
  if (a.kind == Kind::kValue) return a.value == b.value;
  if (a.unpaired != b.unpaired) return false;
  return SameSolutions(a.solutions, b.solutions);
}

}  // namespace conpole
