#include "explain/derivation/equation_proof.h"

#include <algorithm>
#include <utility>

namespace conpole::axioms {
namespace {

std::string EquationText(const Expr& left, const Expr& right, char unknown) {
  std::string text;
  Write(left, unknown, text);
  text += " = ";
  Write(right, unknown, text);
  return text;
}

// Lists: the terms of ((a + b) + c) + d are a, b, c and d.

std::size_t CountTerms(const Expr& sum) {
  std::size_t count = 1;
  for (const Expr* at = &sum; at->IsSum(); at = at->left.get()) ++count;
  return count;
}

// What terms 0 to `last` make up.
Expr& PrefixOf(Expr& sum, std::size_t last) {
  Expr* at = &sum;
  for (std::size_t i = CountTerms(sum) - 1; i > last; --i) at = at->left.get();
  return *at;
}

Expr& TermAt(Expr& sum, std::size_t i) {
  Expr& prefix = PrefixOf(sum, i);
  return i == 0 ? prefix : *prefix.right;
}

// The bracket of a term that has one.
Expr* BracketOf(Expr& term) {
  if (term.IsMultiple() && term.right->IsSum()) return term.right.get();
  if (term.IsOperation('/') && term.left->IsSum()) return term.left.get();
  return nullptr;
}

// How + and * group: + with + and -, * with * and /.
bool Groups(char over, char other) {
  if (over == '+') return other == '+' || other == '-';
  return over == '*' && (other == '*' || other == '/');
}

bool CanGroupLeft(const Expr& e) { return e.right->kind == Expr::Kind::kOperation && Groups(e.op, e.right->op); }

// Whether there is nothing to work out in any term.
bool IsTidy(const Expr& e) {
  if (e.IsSum()) return IsTidy(*e.left) && IsTidy(*e.right);
  if (e.IsMultiple()) return e.right->IsUnknown() || (e.right->IsSum() && IsTidy(*e.right));
  return e.kind != Expr::Kind::kOperation;
}

// An operation with a number that stands in the equation.
struct Hop {
  char op;
  Rational number;
};

// The shortest way from one number to another by these operations; empty if there is none nearby.
std::vector<Hop> ShortestWay(const Rational& from, const Rational& to, char op, char inverse,
                             const std::vector<Rational>& numbers) {
  constexpr std::size_t kNearby = 500;
  struct Reached {
    Rational value;
    std::size_t from;
    Hop hop;
  };
  std::vector<Reached> reached{{from, 0, {op, from}}};
  for (std::size_t at = 0; at < reached.size() && reached.size() < kNearby; ++at) {
    for (const char symbol : {op, inverse}) {
      for (const Rational& number : numbers) {
        const std::optional<Rational> value = Rational::Apply(symbol, reached[at].value, number);
        if (!value) continue;
        if (std::any_of(reached.begin(), reached.end(), [&](const Reached& other) { return other.value == *value; })) continue;
        reached.push_back({*value, at, {symbol, number}});
        if (*value != to) continue;
        std::vector<Hop> way;
        for (std::size_t i = reached.size() - 1; i != 0; i = reached[i].from) way.push_back(reached[i].hop);
        std::reverse(way.begin(), way.end());
        return way;
      }
    }
  }
  return {};
}

// A whole number as a product of a few others, the largest first; empty if it is none.
std::vector<Hop> AsProduct(std::int64_t product, std::vector<Rational> numbers, int most = 5) {
  constexpr std::size_t kMostNumbers = 12;
  std::erase_if(numbers, [&](const Rational& number) {
    return !number.IsInteger() || number.numerator() < 2 || product % number.numerator() != 0;
  });
  std::sort(numbers.begin(), numbers.end(), [](const Rational& a, const Rational& b) { return a.numerator() > b.numerator(); });
  numbers.resize(std::min(numbers.size(), kMostNumbers));
  if (product == 1 || most == 0) return {};
  for (const Rational& number : numbers) {
    const std::int64_t rest = product / number.numerator();
    std::vector<Hop> way = AsProduct(rest, numbers, most - 1);
    if (rest != 1 && way.empty()) continue;
    way.insert(way.begin(), {'*', number});
    return way;
  }
  return {};
}

std::vector<Hop> WayToFactor(const Rational& factor, const std::vector<Rational>& numbers) {
  // Up to two operations, as few as possible; more only if they are products of whole numbers.
  std::vector<Hop> way = ShortestWay(Rational(1), factor, '*', '/', numbers);
  if (!way.empty() && way.size() <= 2) return way;
  if (!factor.IsInteger() || factor.numerator() < 2) return {};
  return AsProduct(factor.numerator(), numbers);
}

std::optional<SchoolTerm> OneTerm(const Expr& e) {
  std::optional<std::vector<SchoolTerm>> terms = TermsOf(e);
  if (!terms || terms->size() > 1) return std::nullopt;
  if (terms->empty()) {
    SchoolTerm zero;
    zero.coefficient = 0;
    return zero;
  }
  return std::move(terms->front());
}

}  // namespace

EquationProof::EquationProof(const Domain& domain, Expr left, Expr right, char unknown)
    : left_(std::move(left)), right_(std::move(right)), unknown_(unknown), proof_(domain, Text()) {}

std::string EquationProof::Text() const { return EquationText(left_, right_, unknown_); }

void EquationProof::Log(std::string_view axiom) { proof_.Go(axiom, Text()); }

bool EquationProof::HasNumber(const Rational& number) const {
  const std::vector<Rational> numbers = Numbers();
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

std::vector<Rational> EquationProof::Numbers() const {
  std::vector<Rational> numbers;
  CollectNumbers(left_, numbers);
  CollectNumbers(right_, numbers);
  return numbers;
}

// Axioms.

void EquationProof::SwapSides() {
  std::swap(left_, right_);
  Log("refl");
}

void EquationProof::Commute(Expr& e) {
  if (!e.IsOperation('+') && !e.IsOperation('*')) return Fail();
  std::swap(e.left, e.right);
  Log("comm");
}

void EquationProof::GroupLeft(Expr& e) {
  if (e.kind != Expr::Kind::kOperation || !CanGroupLeft(e)) return Fail();
  const char inner = e.right->op;
  Expr first = Operation(e.op, std::move(*e.left), std::move(*e.right->left));
  Expr second = std::move(*e.right->right);
  e = Operation(inner, std::move(first), std::move(second));
  Log("assoc");
}

void EquationProof::GroupRight(Expr& e) {
  // Where both are possible, the domain offers the other one.
  const bool fits = e.kind == Expr::Kind::kOperation && !CanGroupLeft(e) && e.left->kind == Expr::Kind::kOperation &&
                    Groups(e.left->op, e.op);
  if (!fits) return Fail();
  const char outer = e.left->op;
  Expr second = Operation(e.op, std::move(*e.left->right), std::move(*e.right));
  Expr first = std::move(*e.left->left);
  e = Operation(outer, std::move(first), std::move(second));
  Log("assoc");
}

void EquationProof::Distribute(Expr& e) {
  if (e.IsOperation('*') && e.right->IsSum()) {
    const char op = e.right->op;
    Expr again = Copy(*e.left);
    Expr first = Operation('*', std::move(*e.left), std::move(*e.right->left));
    Expr second = Operation('*', std::move(again), std::move(*e.right->right));
    e = Operation(op, std::move(first), std::move(second));
  } else if ((e.IsOperation('*') || e.IsOperation('/')) && e.left->IsSum()) {
    const char op = e.left->op;
    Expr again = Copy(*e.right);
    Expr first = Operation(e.op, std::move(*e.left->left), std::move(again));
    Expr second = Operation(e.op, std::move(*e.left->right), std::move(*e.right));
    e = Operation(op, std::move(first), std::move(second));
  } else {
    return Fail();
  }
  Log("dist");
}

void EquationProof::TakeOut(Expr& e) {
  const bool fits = e.IsSum() && e.left->IsOperation('*') && e.right->IsOperation('*') && Same(*e.left->right, *e.right->right);
  if (!fits) return Fail();
  Expr factor = std::move(*e.left->right);
  Expr sum = Operation(e.op, std::move(*e.left->left), std::move(*e.right->left));
  e = Operation('*', std::move(sum), std::move(factor));
  Log("dist");
}

void EquationProof::Evaluate(Expr& e) {
  if (e.kind != Expr::Kind::kOperation || !e.left->IsNumber() || !e.right->IsNumber()) return Fail();
  const std::optional<Rational> value = Rational::Apply(e.op, e.left->number, e.right->number);
  if (!value) return Fail();
  e = Number(*value);
  Log("eval");
}

void EquationProof::AddOpposite(Expr& e) {
  if (!e.IsOperation('-') || !(e.right->IsNumber() || e.right->IsMultiple())) return Fail();
  // The domain has another axiom for what is subtracted from itself.
  if (Same(*e.left, *e.right)) {
    e = Number(Rational(0));
    Log("sub_self");
    return;
  }
  e.op = '+';
  Expr& number = e.right->IsNumber() ? *e.right : *e.right->left;
  number.number = -number.number;
  Log("subsub");
}

void EquationProof::DropZeroFactor(Expr& e) {
  if (!e.IsOperation('*') || !(e.left->IsNumber(0) || e.right->IsNumber(0))) return Fail();
  e = Number(Rational(0));
  Log("mul0");
}

void EquationProof::DropZeroTerm(Expr& e) {
  if (!e.IsOperation('+')) return Fail();
  if (!e.right->IsNumber(0)) {
    if (!e.left->IsNumber(0)) return Fail();
    std::swap(e.left, e.right);
  }
  Expr rest = std::move(*e.left);
  e = std::move(rest);
  Log("add0");
}

void EquationProof::DropOne(Expr& e) {
  const bool product = e.IsOperation('*');
  if (!product && !e.IsOperation('/')) return Fail();
  if (!e.right->IsNumber(1)) {
    if (!product || !e.left->IsNumber(1)) return Fail();
    std::swap(e.left, e.right);
  }
  Expr rest = std::move(*e.left);
  e = std::move(rest);
  Log(product ? "mul1" : "div1");
}

void EquationProof::OnBothSides(char op, const Expr& operand) {
  left_ = Operation(op, std::move(left_), Copy(operand));
  right_ = Operation(op, std::move(right_), Copy(operand));
  Log(op == '+' ? "add" : op == '-' ? "sub" : op == '*' ? "mul" : "div");
}

// Tactics on terms.

void EquationProof::EvaluateAll(Expr& e) {
  if (e.kind != Expr::Kind::kOperation) return;
  EvaluateAll(*e.left);
  EvaluateAll(*e.right);
  Evaluate(e);
}

void EquationProof::TrimCoefficient(Expr& product) {
  if (!product.IsOperation('*')) return;
  const bool last = product.right->IsNumber();
  if (!last && !product.left->IsNumber()) return;
  const Rational number = last ? product.right->number : product.left->number;
  if (number.Is(0)) return DropZeroFactor(product);
  // 1x can be added to other terms with the unknown, x cannot.
  const bool unknown = last ? product.left->IsUnknown() : product.right->IsUnknown();
  const bool keep_one = unknown && CountUnknowns(left_) + CountUnknowns(right_) > 1;
  if (number.Is(1) && !keep_one) return DropOne(product);
  if (last) Commute(product);
}

void EquationProof::Normalise(Expr& e) {
  if (e.kind != Expr::Kind::kOperation) return;
  if (CountUnknowns(e) == 0) return EvaluateAll(e);
  if (e.IsSum()) return;
  Normalise(*e.left);
  Normalise(*e.right);
  if (e.IsOperation('*')) {
    if (e.right->IsNumber()) Commute(e);
    if (!e.left->IsNumber()) return Fail();
    if (e.right->IsMultiple()) {
      GroupLeft(e);
      Evaluate(*e.left);
    } else if (e.right->IsOperation('/')) {
      // n(a / d) = (na) / d = (an) / d = a(n / d)
      GroupLeft(e);
      Commute(*e.left);
      GroupRight(e);
      Evaluate(*e.right);
    }
    return TrimCoefficient(e);
  }
  if (!e.right->IsNumber()) return Fail();
  if (e.left->IsMultiple()) {
    // (ca) / d = (ac) / d = a(c / d)
    Commute(*e.left);
    GroupRight(e);
    Evaluate(*e.right);
    return TrimCoefficient(e);
  }
  if (e.right->IsNumber(1)) return DropOne(e);
  if (e.left->IsOperation('/')) Fail();
}

void EquationProof::Flatten(Expr& e) {
  if (!e.IsSum()) return;
  if (e.IsOperation('-')) {
    if (!e.right->IsNumber() && !e.right->IsMultiple()) Normalise(*e.right);
    AddOpposite(e);
    if (!e.IsSum()) return;
  }
  Flatten(*e.left);
  Flatten(*e.right);
  for (Expr* at = &e; at->IsSum() && at->right->IsSum(); at = at->left.get()) GroupLeft(*at);
}

void EquationProof::Expand(Expr& e, const Keep& keep) {
  Normalise(e);
  if (e.IsSum()) {
    Flatten(e);
    if (!e.IsSum()) return;
    for (std::size_t i = CountTerms(e); i-- > 0;) Expand(TermAt(e, i), keep);
    return Flatten(e);
  }
  Expr* const bracket = BracketOf(e);
  if (bracket == nullptr) return;
  const std::optional<Linear> value = LinearOf(*bracket);
  if (!value) return Fail();
  if (keep(*value)) return;
  Flatten(*bracket);
  if (!bracket->IsSum()) return Normalise(e);
  Distribute(e);
  Expand(*e.left, keep);
  Expand(*e.right, keep);
  Flatten(e);
}

void EquationProof::ScaleTerms(Expr& e) {
  if (!e.left->IsSum()) return Normalise(e);
  Distribute(e);
  ScaleTerms(*e.left);
  Normalise(*e.right);
}

// Tactics on lists.

void EquationProof::Swap(Expr& sum, std::size_t i) {
  Expr& pair = PrefixOf(sum, i + 1);
  if (i == 0) return Commute(pair);
  GroupRight(pair);
  Commute(*pair.right);
  GroupLeft(pair);
}

void EquationProof::Move(Expr& sum, std::size_t from, std::size_t to) {
  for (; from > to; --from) Swap(sum, from - 1);
}

bool EquationProof::Merge(Expr& sum, std::size_t i) {
  Expr& whole = PrefixOf(sum, i + 1);
  if (i > 0) GroupRight(whole);
  Expr& pair = i > 0 ? *whole.right : whole;
  if (pair.left->IsNumber() && pair.right->IsNumber()) {
    Evaluate(pair);
  } else {
    TakeOut(pair);
    Evaluate(*pair.left);
    TrimCoefficient(pair);
  }
  if (!pair.IsNumber(0) || CountTerms(sum) == 1) return true;
  DropZeroTerm(PrefixOf(sum, std::max<std::size_t>(i, 1)));
  return false;
}

void EquationProof::TidyBracket(Expr& term, std::span<const SchoolTerm> wanted) {
  Expr* const bracket = BracketOf(term);
  if (bracket == nullptr) return;
  const std::optional<Linear> value = LinearOf(*bracket);
  for (const SchoolTerm& school : wanted) {
    if (school.core != SchoolTerm::Core::kBracket || school.CoreValue() != value) continue;
    if (TermsOf(*bracket) != school.bracket) MakeTerms(*bracket, school.bracket, {});
    return;
  }
}

void EquationProof::MakeBlock(Expr& sum, std::size_t first, std::size_t count, std::span<const SchoolTerm> wanted) {
  // 1. Brackets that are not wanted are multiplied out, and every term is brought into its normal form.
  const Keep keep = [&](const Linear& bracket) {
    return std::any_of(wanted.begin(), wanted.end(), [&](const SchoolTerm& term) {
      return term.core == SchoolTerm::Core::kBracket && term.CoreValue() == bracket;
    });
  };
  std::size_t terms = 0;
  for (std::size_t i = first + count; i-- > first;) {
    Expr& term = TermAt(sum, i);
    Expand(term, keep);
    for (std::size_t k = CountTerms(term); k-- > 0;) TidyBracket(TermAt(term, k), wanted);
    terms += CountTerms(term);
  }
  Flatten(sum);

  const auto core_at = [&](std::size_t i) {
    const std::optional<SchoolTerm> term = OneTerm(TermAt(sum, i));
    if (!term) Fail();
    return term->CoreValue();
  };
  // Makes one term, at position `at`, of those with this core from there on; of the first that add up to `total`, if given.
  const auto gather = [&](std::size_t at, const Linear& core, const std::optional<Exact>& total) {
    bool there = false;
    Exact so_far = 0;
    for (std::size_t i = at; i < first + terms;) {
      if (core_at(i) != core) {
        ++i;
        continue;
      }
      so_far += OneTerm(TermAt(sum, i))->coefficient;
      Move(sum, i, there ? at + 1 : at);
      if (there) {
        there = Merge(sum, at);
        terms -= there ? 1 : 2;
      } else {
        there = true;
      }
      if (total && so_far == *total) return;
      i = there ? at + 1 : at;
    }
    if (there && TermAt(sum, at).IsNumber(0) && CountTerms(sum) > 1) {
      DropZeroTerm(PrefixOf(sum, std::max<std::size_t>(at, 1)));
      --terms;
    }
  };

  // 2. What cancels goes.
  for (std::size_t i = first; i < first + terms;) {
    const Linear core = core_at(i);
    const bool is_wanted =
        std::any_of(wanted.begin(), wanted.end(), [&](const SchoolTerm& term) { return term.CoreValue() == core; });
    if (is_wanted) {
      ++i;
      continue;
    }
    const std::size_t before = terms;
    gather(i, core, std::nullopt);
    if (sum.IsNumber(0)) break;
    if (terms == before) return Fail();
  }

  // 3. The terms that are wanted, in their order.
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const Linear core = wanted[k].CoreValue();
    const bool last = std::none_of(wanted.begin() + static_cast<std::ptrdiff_t>(k) + 1, wanted.end(),
                                   [&](const SchoolTerm& term) { return term.CoreValue() == core; });
    gather(first + k, core, last ? std::nullopt : std::optional(wanted[k].coefficient));
  }
}

void EquationProof::MakeTerms(Expr& side, std::span<const SchoolTerm> wanted, std::span<const SchoolTerm> old) {
  if (wanted.size() <= 1 && CountUnknowns(side) == 0) return EvaluateAll(side);
  if (IsTidy(side)) {
    const std::optional<std::vector<SchoolTerm>> terms = TermsOf(side);
    if (terms && std::equal(terms->begin(), terms->end(), wanted.begin(), wanted.end())) return;
  }
  Flatten(side);
  // Terms that stand in the same order and have the same value make up blocks, which are as small as possible.
  struct Block {
    std::size_t first;
    std::size_t count;
    std::size_t wanted;
    std::size_t wanted_count;
  };
  std::vector<Linear> values;
  for (std::size_t i = 0; i < CountTerms(side); ++i) {
    const std::optional<Linear> value = LinearOf(TermAt(side, i));
    if (!value) return Fail();
    values.push_back(*value);
  }
  std::vector<Block> blocks;
  std::size_t at = 0;
  std::size_t to = 0;
  while (at < values.size()) {
    bool found = false;
    Linear have{0, 0};
    for (std::size_t count = 1; !found && at + count <= values.size(); ++count) {
      have = Sum(have, values[at + count - 1]);
      Linear want{0, 0};
      for (std::size_t more = 1; !found && to + more <= wanted.size(); ++more) {
        want = Sum(want, wanted[to + more - 1].Value());
        found = want == have;
        if (found) blocks.push_back({at, count, to, more});
      }
      if (!found && have == Linear{0, 0}) {
        found = true;
        blocks.push_back({at, count, to, 0});
      }
    }
    if (!found) return Fail();
    at += blocks.back().count;
    to += blocks.back().wanted_count;
  }
  if (to != wanted.size()) return Fail();
  // The last first, so that the places of the others stay.
  for (std::size_t i = blocks.size(); i-- > 0;) {
    const Block& block = blocks[i];
    const std::span<const SchoolTerm> aim = wanted.subspan(block.wanted, block.wanted_count);
    const bool untouched = block.count == 1 && block.wanted_count == 1 && block.first < old.size() &&
                           old[block.first].written != nullptr && aim[0].written != nullptr &&
                           *old[block.first].written == *aim[0].written;
    if (!untouched) MakeBlock(side, block.first, block.count, aim);
  }
}

// Tactics on both sides.

void EquationProof::AddToBothSides(const SchoolTerm& term, bool subtract) {
  const std::optional<Rational> coefficient = RationalOf(term.coefficient);
  if (!coefficient || term.core == SchoolTerm::Core::kBracket) return Fail();
  const bool number = term.core == SchoolTerm::Core::kNone;
  const auto has = [&](const Rational& c) {
    return number ? HasNumber(c) : HasMultipleOfUnknown(left_, c) || HasMultipleOfUnknown(right_, c);
  };
  if (!has(*coefficient) && !has(-*coefficient)) {
    // It stands there as a division still.
    const Linear value = term.Value();
    const Linear opposite{-value.slope, -value.constant};
    for (Expr* const side : {&left_, &right_}) {
      for (Expr* at = side;; at = at->left.get()) {
        Expr& candidate = at->IsSum() ? *at->right : *at;
        const std::optional<Linear> found = LinearOf(candidate);
        if (found == value || found == opposite) {
          Normalise(candidate);
          break;
        }
        if (!at->IsSum()) break;
      }
    }
  }
  const bool opposite = !has(*coefficient);
  const Rational c = opposite ? -*coefficient : *coefficient;
  if (!has(c)) return Fail();
  Expr operand = number ? Number(c) : Operation('*', Number(c), Unknown());
  // x, where it does not stand there as 1x.
  if (!number && c.Is(1)) {
    const std::string text = Text();
    if (text.find(std::string("1") + unknown_) == std::string::npos) operand = Unknown();
  }
  OnBothSides(subtract != opposite ? '-' : '+', operand);
  for (Expr* const side : {&left_, &right_}) MergeLast(*side);
}

void EquationProof::MergeLast(Expr& side) {
  if (!side.IsOperation('-')) return;
  const auto alike = [&](const Expr& e) {
    return (e.IsNumber() && side.right->IsNumber()) ||
           (e.IsMultiple() && side.right->IsMultiple() && Same(*e.right, *side.right->right));
  };
  const bool alone = alike(*side.left);
  if (!alone && !(side.left->IsOperation('+') && alike(*side.left->right))) return;
  if (!alone) GroupRight(side);
  Expr& pair = alone ? side : *side.right;
  if (Same(*pair.left, *pair.right)) {
    AddOpposite(pair);
  } else if (pair.left->IsNumber()) {
    Evaluate(pair);
  } else {
    TakeOut(pair);
    Evaluate(*pair.left);
    TrimCoefficient(pair);
  }
  if (!alone && pair.IsNumber(0)) DropZeroTerm(side);
}

void EquationProof::MakeNumber(const Rational& number) {
  const std::vector<Hop> way = ShortestWay(Rational(0), number, '+', '-', Numbers());
  if (way.empty()) return Fail();
  for (std::size_t i = 0; i < way.size(); ++i) {
    OnBothSides(way[i].op, Number(way[i].number));
    for (Expr* const side : {&left_, &right_}) {
      if (i > 0) {
        GroupRight(*side);
        Evaluate(*side->right);
      } else if (way[i].op == '-') {
        AddOpposite(*side);
      }
    }
  }
}

void EquationProof::ScaleBothSides(char op, const Exact& number) {
  const std::optional<Rational> by = RationalOf(number);
  if (!by || by->Is(0)) return Fail();
  const std::optional<Rational> factor = Rational::Apply(op, Rational(1), *by);
  if (!factor) return Fail();
  std::vector<Hop> way = WayToFactor(*factor, Numbers());
  // (a * b) / c can be grouped differently, (a / c) * b cannot.
  std::stable_partition(way.begin(), way.end(), [](const Hop& hop) { return hop.op == '*'; });
  const bool made = way.empty() || (way.size() > 1 && way.front().op == '/');
  if (made) {
    MakeNumber(*by);
    way = {{op, *by}};
  }
  for (std::size_t i = 0; i < way.size(); ++i) {
    OnBothSides(way[i].op, Number(way[i].number));
    for (Expr* const side : {&left_, &right_}) {
      if (i == 0) continue;
      GroupRight(*side);
      Evaluate(*side->right);
    }
  }
  for (Expr* const side : {&left_, &right_}) ScaleTerms(*side);
  if (!made) return;
  // What the number that was added has become.
  const std::optional<Rational> rest = Rational::Apply(op, *by, *by);
  if (!rest || !HasNumber(*rest)) return Fail();
  OnBothSides('-', Number(*rest));
  for (Expr* const side : {&left_, &right_}) MergeLast(*side);
}

void EquationProof::CancelUnknown(Expr& e) {
  if (e.left->IsSum()) {
    Distribute(e);
    CancelUnknown(*e.left);
    return CancelUnknown(*e.right);
  }
  if (e.left->kind != Expr::Kind::kOperation || e.left->op != '/' || CountUnknowns(*e.left->right) == 0) return Normalise(e);
  // (a / u)v = v(a / u) = (va) / u = (av) / u = a(v / u)
  Commute(e);
  GroupLeft(e);
  Commute(*e.left);
  GroupRight(e);
  Expr& ratio = *e.right;
  if (!Same(*ratio.left, *ratio.right)) {
    // nx / x = n(x / x)
    GroupRight(ratio);
    if (!Same(*ratio.right->left, *ratio.right->right)) return Fail();
    *ratio.right = Number(Rational(1));
    Log("div_self");
    DropOne(ratio);
  } else {
    ratio = Number(Rational(1));
    Log("div_self");
  }
  if (e.left->IsNumber() && !e.right->IsNumber(1)) return Evaluate(e);
  Normalise(*e.left);
  TrimCoefficient(e);
}

void EquationProof::MultiplyByUnknown(const Exact& coefficient) {
  const std::optional<Rational> number = RationalOf(coefficient);
  if (!number) return Fail();
  const bool there = HasMultipleOfUnknown(left_, *number) || HasMultipleOfUnknown(right_, *number);
  if (!there) return Fail();
  OnBothSides('*', number->Is(1) ? Unknown() : Operation('*', Number(*number), Unknown()));
  for (Expr* const side : {&left_, &right_}) CancelUnknown(*side);
}

void EquationProof::Finish(bool answer) {
  if (answer) {
    Normalise(left_);
    Normalise(right_);
  }
  if (CountUnknowns(left_) + CountUnknowns(right_) != 1) return;
  std::vector<Expr*> open{&left_, &right_};
  while (!open.empty()) {
    Expr* const e = open.back();
    open.pop_back();
    if (e->kind != Expr::Kind::kOperation) continue;
    if (e->IsMultiple() && e->left->IsNumber(1) && e->right->IsUnknown()) return DropOne(*e);
    open.push_back(e->left.get());
    open.push_back(e->right.get());
  }
}

}  // namespace conpole::axioms
