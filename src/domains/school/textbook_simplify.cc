// Expressions with letters, roots and logarithms: simplified from the inside out, multiplied out, factored, divided.
#include <algorithm>
#include <map>
#include <utility>

#include "domains/school/textbook.h"
#include "domains/school/textbook_value.h"

namespace conpole::textbook {
namespace {

namespace mp = boost::multiprecision;

bool IsNormal(const Ptr& tree) { return TextOf(Normal(tree)) == TextOf(tree); }

const Ptr& WithoutSign(const Ptr& tree) { return tree->Is(Op::kNegation) ? tree->args[0] : tree; }

bool HasLetters(const Ptr& tree) { return !LettersOf(tree).empty(); }

std::vector<Ptr> TermsOf(const Ptr& tree) {
  if (tree->Is(Op::kSum)) return tree->args;
  if (tree->Is(Op::kNegation) && tree->args[0]->Is(Op::kSum)) {
    std::vector<Ptr> terms;
    for (const Ptr& term : tree->args[0]->args) terms.push_back(MakeNegation(term));
    return terms;
  }
  return {tree};
}

// One pass over a tree: every innermost part that can be worked out is, if it is done by the same step as the first one.
class Pass {
 public:
  std::string label;

  Ptr Visit(const Ptr& tree) {
    if (IsNormal(tree)) return tree;
    if (tree->Is(Op::kQuotient)) {
      if (const Ptr done = Cancelled(tree)) return done;
    }
    if (tree->Is(Op::kSum)) {
      if (const Ptr done = OverOneDenominator(tree)) return done;
    }
    auto copy = std::make_shared<Tree>(*tree);
    bool open = false;
    for (Ptr& arg : copy->args) {
      if (IsNormal(arg)) continue;
      open = true;
      arg = Visit(arg);
    }
    if (!open) return Apply(tree);
    if (copy->Is(Op::kSum)) return MakeSum(Unbracketed(copy->args));
    if (copy->Is(Op::kProduct)) return MakeProduct(copy->args);
    if (copy->Is(Op::kNegation)) return MakeNegation(copy->args[0]);
    return copy;
  }

 private:
  // -(a + b) in a sum is -a - b.
  static std::vector<Ptr> Unbracketed(const std::vector<Ptr>& terms) {
    std::vector<Ptr> result;
    for (const Ptr& term : terms) {
      for (const Ptr& part : TermsOf(term)) result.push_back(part);
    }
    return result;
  }

  // The result, if this pass does such steps.
  Ptr Done(std::string_view name, const Ptr& before, Ptr result) {
    if (label.empty()) label = name;
    return label == name ? result : before;
  }

  // A quotient with a common factor: first both parts as products, then without it.
  Ptr Cancelled(const Ptr& tree) {
    const Ptr& above = tree->args[0];
    const Ptr& below = tree->args[1];
    if (Has(above, Op::kQuotient) || Has(below, Op::kQuotient) || Has(tree, Op::kRoot) || Has(tree, Op::kLog)) return nullptr;
    if (Has(tree, Op::kAbs) || !HasLetters(above) || !HasLetters(below)) return nullptr;
    const Value a = ValueOf(above);
    const Value b = ValueOf(below);
    const Value value = Divide(a, b);
    if (IsZero(a) || (a.above.size() == 1 && b.above.size() == 1)) return nullptr;
    if (TextOf(TreeOf(value.below)) == TextOf(TreeOf(b.below)) && value.below.size() > 1) return nullptr;
    const Ptr factored = MakeQuotient(Factored(a), Factored(b));
    if (TextOf(factored) != TextOf(tree)) return Done("factorise", tree, factored);
    return Done("cancel", tree, TreeOf(value));
  }

  // A sum of quotients over the same denominator, which was made common before.
  Ptr OverOneDenominator(const Ptr& tree) {
    std::string below;
    std::vector<Ptr> above;
    for (const Ptr& term : tree->args) {
      const Ptr& size = WithoutSign(term);
      if (!size->Is(Op::kQuotient) || !HasLetters(size->args[1]) || Has(size->args[0], Op::kQuotient)) return nullptr;
      const std::string text = TextOf(size->args[1]);
      if (!below.empty() && text != below) return nullptr;
      below = text;
      for (const Ptr& part : TermsOf(size->args[0])) above.push_back(term == size ? part : MakeNegation(part));
    }
    return Done("add-fractions", tree, MakeQuotient(MakeSum(std::move(above)), WithoutSign(tree->args[0])->args[1]));
  }

  Ptr Apply(const Ptr& tree) {
    switch (tree->op) {
      case Op::kSum:
        return ApplyToSum(tree);
      case Op::kProduct:
        return ApplyToProduct(tree);
      case Op::kQuotient:
        return ApplyToQuotient(tree);
      case Op::kPower:
        if (tree->args[0]->Is(Op::kSum) && HasLetters(tree)) {
          if (tree->args[1]->IsNumber(2)) return Done("distribute", tree, Square(tree->args[0]));
          return Done("distribute", tree, Normal(tree));
        }
        return Done(Has(tree, Op::kLog) ? "logarithm" : HasLetters(tree) ? "powers" : "compute", tree, Normal(tree));
      case Op::kRoot:
        return Done("roots", tree, Normal(tree));
      case Op::kAbs:
        return Done("absolute", tree, Normal(tree));
      case Op::kLog:
        return Done("logarithm", tree, Normal(tree));
      case Op::kNegation:
        return Done(tree->args[0]->Is(Op::kSum) ? "distribute" : "compute", tree, Normal(tree));
      case Op::kNumber:
        return Done("fraction", tree, Normal(tree));
      case Op::kLetter:
        break;
    }
    return Done("compute", tree, Normal(tree));
  }

  // (a + b)^2 is a^2 + 2ab + b^2.
  static Ptr Square(const Ptr& sum) {
    std::vector<Ptr> terms;
    for (std::size_t i = 0; i < sum->args.size(); ++i) {
      terms.push_back(Normal(MakePower(sum->args[i], MakeNumber(2))));
      for (std::size_t j = i + 1; j < sum->args.size(); ++j) {
        terms.push_back(Normal(MakeProduct({MakeNumber(2), sum->args[i], sum->args[j]})));
      }
    }
    return MakeSum(std::move(terms));
  }

  Ptr ApplyToSum(const Ptr& tree) {
    Value common = NumberValueOf(1);
    bool fractions = false;
    for (const Ptr& term : tree->args) {
      const Ptr& size = WithoutSign(term);
      if (!size->Is(Op::kQuotient) || !HasLetters(size->args[1])) continue;
      fractions = true;
      const Value below = ValueOf(size->args[1]);
      const Value ratio = Divide(common, below);
      common = Multiply(common, {ratio.below, NumberValueOf(1).above});
    }
    if (!fractions) return Done(HasLetters(tree) || Has(tree, Op::kRoot) ? "gather" : "compute", tree, Normal(tree));
    // Numbers below the line belong to the common denominator, too.
    Integer number = 1;
    for (const Ptr& term : tree->args) {
      for (const auto& [monomial, c] : Multiply(ValueOf(term), common).above) number = mp::lcm(number, mp::denominator(c));
    }
    common = Multiply(common, NumberValueOf(Exact(number)));
    const Ptr below = Factored(common);
    std::vector<Ptr> terms;
    for (const Ptr& term : tree->args) {
      const Ptr above = TreeOf(Multiply(ValueOf(WithoutSign(term)), common));
      Ptr fraction = MakeQuotient(above, below);
      terms.push_back(term->Is(Op::kNegation) ? MakeNegation(std::move(fraction)) : std::move(fraction));
    }
    return Done("common-denominator", tree, MakeSum(std::move(terms)));
  }

  Ptr ApplyToProduct(const Ptr& tree) {
    const auto is_sum = [](const Ptr& factor) { return factor->Is(Op::kSum); };
    const bool quotients = std::any_of(tree->args.begin(), tree->args.end(), [](const Ptr& factor) {
      return WithoutSign(factor)->Is(Op::kQuotient) && HasLetters(WithoutSign(factor)->args[1]);
    });
    const auto sums = std::count_if(tree->args.begin(), tree->args.end(), is_sum);
    if (quotients) return MultiplyFractions(tree);
    if (sums == 0) {
      return Done(Has(tree, Op::kRoot) ? "roots" : HasLetters(tree) ? "powers" : "compute", tree, Normal(tree));
    }
    // The first two sums, with all that is none.
    std::vector<Ptr> rest;
    std::vector<Ptr> terms{MakeNumber(1)};
    int used = 0;
    for (const Ptr& factor : tree->args) {
      if (is_sum(factor) && ++used > 2) {
        rest.push_back(factor);
        continue;
      }
      std::vector<Ptr> next;
      for (const Ptr& left : terms) {
        for (const Ptr& right : TermsOf(factor)) next.push_back(MakeProduct({left, right}));
      }
      terms = std::move(next);
    }
    for (Ptr& term : terms) term = Normal(term);
    rest.insert(rest.begin(), MakeSum(std::move(terms)));
    return Done("distribute", tree, MakeProduct(std::move(rest)));
  }

  Ptr MultiplyFractions(const Ptr& tree) {
    std::vector<Ptr> above;
    std::vector<Ptr> below;
    bool negative = false;
    for (const Ptr& factor : tree->args) {
      const Ptr& size = WithoutSign(factor);
      negative = negative != (size != factor);
      above.push_back(Factored(ValueOf(size->Is(Op::kQuotient) ? size->args[0] : size)));
      if (size->Is(Op::kQuotient)) below.push_back(Factored(ValueOf(size->args[1])));
    }
    Ptr product = MakeQuotient(MakeProduct(std::move(above)), MakeProduct(std::move(below)));
    if (TextOf(product) == TextOf(tree)) product = Normal(tree);
    return Done("multiply-fractions", tree, negative ? MakeNegation(std::move(product)) : product);
  }

  Ptr ApplyToQuotient(const Ptr& tree) {
    const Ptr& below = WithoutSign(tree->args[1]);
    if (below->Is(Op::kQuotient) && HasLetters(tree)) {
      Ptr product = MakeProduct({tree->args[0], MakeQuotient(below->args[1], below->args[0])});
      return Done("reciprocal", tree, tree->args[1]->Is(Op::kNegation) ? MakeNegation(std::move(product)) : product);
    }
    const bool root_below = Has(below, Op::kRoot) || HasLetter(below, "i");
    return Done(root_below ? "rationalise" : HasLetters(tree) ? "cancel" : "compute", tree, Normal(tree));
  }
};

// A polynomial over another, by long division: the quotient, and the remainder over the divisor.
Ptr LongDivision(const Ptr& tree) {
  if (!tree->Is(Op::kQuotient)) return Normal(tree);
  const Value above = ValueOf(tree->args[0]);
  const Value below = ValueOf(tree->args[1]);
  if (below.above.size() == 1) {
    std::vector<Ptr> terms;
    for (const auto& [monomial, c] : above.above) {
      Poly term;
      term[monomial] = c;
      terms.push_back(TreeOf(Divide({term, above.below}, below)));
    }
    return MakeSum(std::move(terms));
  }
  const std::set<std::string> letters = LettersOf(tree);
  if (letters.empty()) return Normal(tree);
  const std::string& letter = *letters.begin();
  std::optional<std::vector<Value>> a = CoefficientsOf(above, letter);
  const std::optional<std::vector<Value>> b = CoefficientsOf(below, letter);
  if (!a || !b || b->size() < 2 || a->size() < b->size()) return Normal(tree);
  std::vector<Ptr> terms;
  Value rest = above;
  for (std::size_t power = a->size(); power-- >= b->size();) {
    const Value factor = Divide((*a)[power], b->back());
    const std::size_t shift = power + 1 - b->size();
    if (!IsZero(factor)) {
      const Value term = Multiply(factor, Raise(ValueOf(MakeLetter(letter)), Exact(Integer(shift))));
      terms.push_back(TreeOf(term));
      rest = Add(rest, Multiply(term, below), -1);
    }
    for (std::size_t i = 0; i < b->size(); ++i) (*a)[i + shift] = Add((*a)[i + shift], Multiply(factor, (*b)[i]), -1);
  }
  if (!IsZero(rest)) {
    Ptr remainder = TreeOf(rest);
    const bool negative = remainder->Is(Op::kNegation);
    remainder = MakeQuotient(WithoutSign(remainder), TreeOf(below));
    terms.push_back(negative ? MakeNegation(remainder) : remainder);
  }
  return MakeSum(std::move(terms));
}

// x^2 + bx with the number that makes it a square: (x + b/2)^2.
Ptr CompletedSquare(const Ptr& tree) {
  const std::set<std::string> letters = LettersOf(tree);
  if (letters.size() != 1) throw Refusal{"a square is completed in one letter"};
  const std::optional<std::vector<Value>> c = CoefficientsOf(ValueOf(tree), *letters.begin());
  if (!c || c->size() != 3 || !IsZero(Add(c->back(), NumberValueOf(-1))) || !IsZero((*c)[0])) {
    throw Refusal{"a square is completed for x^2 + bx"};
  }
  const Value half = Multiply((*c)[1], NumberValueOf(Exact(1, 2)));
  return MakePower(TreeOf(Add(ValueOf(MakeLetter(*letters.begin())), half)), MakeNumber(2));
}

// ax^2 + bx + c as a(x - h)^2 + k.
Ptr VertexForm(const Ptr& tree) {
  const std::set<std::string> letters = LettersOf(tree);
  if (letters.size() != 1) throw Refusal{"a square is completed in one letter"};
  const std::optional<std::vector<Value>> c = CoefficientsOf(ValueOf(tree), *letters.begin());
  if (!c || c->size() != 3) throw Refusal{"a square is completed of ax^2 + bx + c"};
  const Value shift = Divide((*c)[1], Multiply((*c)[2], NumberValueOf(2)));
  const Value rest = Add((*c)[0], Multiply((*c)[2], Multiply(shift, shift)), -1);
  const Ptr square = MakePower(TreeOf(Add(ValueOf(MakeLetter(*letters.begin())), shift)), MakeNumber(2));
  const Ptr factor = TreeOf((*c)[2]);
  Ptr term = MakeProduct({WithoutSign(factor), square});
  if (WithoutSign(factor)->IsNumber(1)) term = square;
  if (factor->Is(Op::kNegation)) term = MakeNegation(term);
  return IsZero(rest) ? term : MakeSum({term, TreeOf(rest)});
}

// With roots as powers, or powers as roots.
Ptr WithExponents(const Ptr& tree) {
  if (tree->args.empty()) return tree;
  auto copy = std::make_shared<Tree>(*tree);
  for (Ptr& arg : copy->args) arg = WithExponents(arg);
  if (!copy->Is(Op::kRoot)) return copy;
  const Ptr& inside = copy->args[0];
  if (inside->Is(Op::kPower) && inside->args[1]->Is(Op::kNumber)) {
    return MakePower(inside->args[0], MakeNumber(inside->args[1]->number / copy->args[1]->number));
  }
  return MakePower(inside, MakeNumber(1 / copy->args[1]->number));
}

Ptr WithRoots(const Ptr& tree) {
  if (tree->args.empty()) return tree;
  auto copy = std::make_shared<Tree>(*tree);
  for (Ptr& arg : copy->args) arg = WithRoots(arg);
  if (!copy->Is(Op::kPower)) return copy;
  const std::optional<Exact> exponent = RationalOf(ValueOf(copy->args[1]));
  if (!exponent || mp::denominator(*exponent) == 1 || mp::denominator(*exponent) > 100 || *exponent < 0) return copy;
  const Integer above = mp::numerator(*exponent);
  Ptr inside = above == 1 ? copy->args[0] : MakePower(copy->args[0], MakeNumber(Exact(above)));
  return MakeRoot(std::move(inside), static_cast<unsigned>(mp::denominator(*exponent)));
}

// The conjugate of a complex number.
Ptr ConjugateOf(const Ptr& tree) { return Normal(Substitute(tree, "i", MakeNegation(MakeLetter("i")))); }

// A sum of logarithms to one base as the logarithm of one product.
Ptr Condensed(const Ptr& tree) {
  const Value value = ValueOf(tree);
  std::vector<Ptr> above;
  std::vector<Ptr> below;
  Exact degree = 0;
  Ptr base;
  std::vector<Ptr> rest;
  for (const auto& [monomial, c] : value.above) {
    if (monomial.size() != 1 || !IsLogAtom(monomial.begin()->first) || monomial.begin()->second != 1) {
      rest.push_back(TreeOfTerm(monomial, c));
      continue;
    }
    const Ptr log = ReadTree(monomial.begin()->first);
    if (base && TextOf(base) != TextOf(log->args[1])) throw Refusal{"these logarithms have different bases"};
    base = log->args[1];
    const Exact times = mp::abs(c);
    if (log->args[0]->Is(Op::kSum)) degree += times;
    (c > 0 ? above : below).push_back(times == 1 ? log->args[0] : MakePower(log->args[0], MakeNumber(times)));
  }
  if (!base) return TreeOf(value);
  const Ptr product = below.empty() ? MakeProduct(std::move(above))
                                    : MakeQuotient(MakeProduct(std::move(above)), MakeProduct(std::move(below)));
  // Sums stay as factors; where they are few, common ones are cancelled.
  constexpr int kFew = 3;
  const Ptr inside = degree == 0 ? Normal(product) : degree <= kFew ? Factored(ValueOf(product)) : product;
  rest.insert(rest.begin(), LettersOf(inside).empty() ? Normal(MakeLog(inside, base)) : MakeLog(inside, base));
  return MakeSum(std::move(rest));
}

// Whether a sum has one logarithm, without a factor.
bool IsCondensed(const Ptr& tree) {
  int logs = 0;
  for (const Ptr& term : TermsOf(tree)) {
    if (term->Is(Op::kLog)) {
      ++logs;
    } else if (Has(term, Op::kLog)) {
      return false;
    }
  }
  return logs == 1 && HasLetters(tree);
}

// A logarithm of a product as a sum of logarithms.
Ptr SpreadLogs(const Ptr& tree) {
  if (tree->args.empty()) return tree;
  auto copy = std::make_shared<Tree>(*tree);
  for (Ptr& arg : copy->args) arg = SpreadLogs(arg);
  if (!copy->Is(Op::kLog)) return copy->Is(Op::kSum) ? MakeSum(copy->args) : Ptr(copy);
  std::vector<Ptr> terms;
  const auto add = [&](const Ptr& of, const Exact& times, bool minus) {
    if (of->IsNumber(1)) return;
    Ptr log = Normal(MakeLog(of, copy->args[1]));
    if (times != 1) log = Normal(MakeProduct({MakeNumber(times), log}));
    terms.push_back(minus ? MakeNegation(log) : log);
  };
  const auto add_factors = [&](const Ptr& factors, bool minus) {
    std::vector<Ptr> parts = factors->Is(Op::kProduct) ? factors->args : std::vector<Ptr>{factors};
    for (const Ptr& part : parts) {
      if (part->Is(Op::kPower) && part->args[1]->Is(Op::kNumber)) {
        add(part->args[0], part->args[1]->number, minus);
      } else if (part->Is(Op::kRoot)) {
        add(part->args[0], 1 / part->args[1]->number, minus);
      } else {
        add(part, 1, minus);
      }
    }
  };
  const Ptr argument = copy->args[0];
  const Ptr factored = Has(argument, Op::kRoot) ? argument : Factored(ValueOf(argument));
  if (factored->Is(Op::kNegation)) return copy;
  add_factors(factored->Is(Op::kQuotient) ? factored->args[0] : factored, false);
  if (factored->Is(Op::kQuotient)) add_factors(factored->args[1], true);
  return MakeSum(std::move(terms));
}

// Nothing if nothing is left to do.
std::optional<Line> LineTo(std::string_view label, const Ptr& before, const Ptr& after) {
  if (TextOf(after) == TextOf(before)) return std::nullopt;
  return Line{std::string(label), TextOf(after)};
}

std::optional<Line> NextOfFactoring(const Ptr& tree, bool only_common) {
  const Value value = ValueOf(tree);
  if (only_common) {
    const auto common = CommonFactor(value);
    if (!common) return LineTo("gather", tree, Normal(tree));
    Ptr product = MakeProduct({common->first, common->second});
    if (common->first->Is(Op::kNegation)) product = MakeNegation(MakeProduct({common->first->args[0], common->second}));
    return LineTo("common-factor", tree, product);
  }
  const Ptr done = Factored(value);
  if (TextOf(done) == TextOf(tree)) return std::nullopt;
  // The common factor first, where there is more to do after it.
  if (IsNormal(tree)) {
    if (const auto common = CommonFactor(value)) {
      Ptr product = MakeProduct({WithoutSign(common->first), common->second});
      if (common->first->Is(Op::kNegation)) product = MakeNegation(product);
      return LineTo("common-factor", tree, product);
    }
  }
  return LineTo("factorise", tree, done);
}

}  // namespace

std::optional<std::pair<std::string, Ptr>> SimplifyStep(const Ptr& tree) {
  if (IsNormal(tree)) return std::nullopt;
  Pass pass;
  Ptr next = pass.Visit(tree);
  if (TextOf(next) == TextOf(tree) || pass.label.empty()) return std::pair(std::string("compute"), Normal(tree));
  return std::pair(pass.label, std::move(next));
}

std::optional<Line> NextLineOfExpression(const Exercise& exercise) {
  const std::string& task = exercise.task;
  if (task == "evaluate") {
    const std::vector<std::string> parts = SplitAt(exercise.body, "; ");
    Ptr tree = ReadTree(parts[0]);
    for (const std::string& setting : SplitAt(parts[1], ", ")) {
      const std::size_t sign = setting.find('=');
      const std::string letter = setting.substr(0, setting.find(' '));
      tree = Substitute(tree, letter, ReadTree(setting.substr(sign + 1)));
    }
    return Line{"substitute", TextOf(tree), "simplify"};
  }
  const Ptr tree = ReadTree(exercise.body);
  if (task == "factor") return NextOfFactoring(tree, false);
  if (task == "common") return NextOfFactoring(tree, true);
  if (task == "conjugate") return Line{"conjugate", TextOf(ConjugateOf(tree)), "simplify"};
  if (task == "divide" && !tree->Is(Op::kQuotient)) return std::nullopt;
  if (task == "divide") return LineTo("long-division", tree, LongDivision(tree));
  if (task == "square") return tree->Is(Op::kPower) ? std::nullopt : LineTo("complete", tree, CompletedSquare(tree));
  if (task == "vertex") return LineTo("complete", tree, VertexForm(tree));
  if (task == "exponent") return LineTo("as-power", tree, WithExponents(tree));
  if (task == "radical") return LineTo("as-root", tree, WithRoots(tree));
  if (task == "condense") return IsCondensed(tree) ? std::nullopt : LineTo("condense-logs", tree, Condensed(tree));
  if (task == "spread") return LineTo("spread-logs", tree, SpreadLogs(tree));
  const auto step = SimplifyStep(tree);
  if (!step) return std::nullopt;
  return Line{step->first, TextOf(step->second)};
}

}  // namespace conpole::textbook
